import Foundation

/// The server's end of a connection. Reading and writing wait, on a thread of the server's.
struct ServerConnection: Sendable {
    let descriptor: Int32

    /// The head of the next request without what follows it; nil if the client has gone.
    func readHead() -> String? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = read(1) else { return nil }
            head += byte
        }
        return String(decoding: head, as: UTF8.self)
    }

    /// Exactly so many bytes; nil if the client has gone before.
    func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let received = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, count, Int32(MSG_WAITALL)) }
        return received == count ? bytes : nil
    }

    /// What is there, at most so much; nil at the end.
    func readSome(_ limit: Int = 64 * 1024) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        let received = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, limit, 0) }
        return received > 0 ? Array(bytes.prefix(received)) : nil
    }

    /// Waits until the client has closed its side.
    func waitForEnd() {
        while readSome() != nil {}
    }

    /// Writes all of it; false if the client has gone.
    @discardableResult func write(_ bytes: [UInt8]) -> Bool {
        var position = 0
        while position < bytes.count {
            let sent = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress?.advanced(by: position), bytes.count - position, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            position += sent
        }
        return true
    }

    @discardableResult func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Answers with a body of this length.
    func answer(_ status: String = "200 OK", fields: [String] = [], _ body: [UInt8] = []) {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + fields
        write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    /// How many bytes it takes until the other side takes no more for a while.
    func fill(_ piece: [UInt8], upTo limit: Int) -> Int {
        var total = 0
        while total < limit {
            var wish = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&wish, 1, 500) == 1 else { return total }
            let sent = piece.withUnsafeBytes {
                send(descriptor, $0.baseAddress, piece.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            guard sent > 0 else { return total }
            total += sent
        }
        return total
    }

    /// Ends the connection with a reset instead of an end.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
}
