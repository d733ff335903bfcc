/// One message of the driver to the server.
struct ProxyMessage {
    let bytes: [UInt8]

    /// Takes the first whole message from what has come. The first of a connection has no letter before its length.
    init?(from received: inout [UInt8], isFirst: Bool) {
        let start = isFirst ? 0 : 1
        guard received.count >= start + 4 else { return nil }
        let length = received[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
        guard received.count >= start + length else { return nil }
        bytes = Array(received[..<(start + length)])
        received.removeSubrange(..<(start + length))
    }

    func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard bytes.count >= wanted.count else { return false }
        return (0...(bytes.count - wanted.count)).contains { bytes[$0..<($0 + wanted.count)].elementsEqual(wanted) }
    }
}
