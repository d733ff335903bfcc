import StoreHTTP

/// A response that is sent past the library, where a client has to be told why its connection ends.
struct CannedResponse: Sendable {
    let bytes: [UInt8]

    static let requestTimeout = CannedResponse(408, "Request Timeout", "The request took too long to arrive.")
    static let contentTooLarge = CannedResponse(413, "Content Too Large", "The body exceeds the limit of this address.")

    private init(_ status: Int, _ phrase: String, _ message: String) {
        let head = [
            "HTTP/1.1 \(status) \(phrase)", "Content-Type: text/plain; charset=utf-8",
            "Content-Length: \(message.utf8.count + 1)", "Connection: close",
        ]
        bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n" + message + "\n").utf8)
    }
}
