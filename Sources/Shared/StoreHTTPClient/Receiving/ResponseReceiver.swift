import StoreHTTP

/// Takes in one response. Called on the client's thread, which must not wait: head, pieces, and in any case once the end.
protocol ResponseReceiver: Sendable {
    /// Whether a compressed body is to be decompressed on its way here.
    var wantsDecompression: Bool { get }

    /// The head of the response; answers why it is not wanted, if so.
    func receive(_ head: ResponseHead, of exchange: Exchange) -> HTTPClientError?

    func receive(_ piece: UnsafeRawBufferPointer, of exchange: Exchange) -> PieceResult

    func end(_ result: Result<Void, HTTPClientError>)
}

/// What became of a piece of a body.
enum PieceResult {
    case taken
    /// Not taken; hand it over again after the exchange has been woken.
    case later
    case refused(HTTPClientError)
}

/// The status and the fields of a response, before its body.
struct ResponseHead: Sendable {
    let status: HTTPStatus
    var fields: HTTPFields

    /// The length of the body, where the header tells it.
    var contentLength: Int? {
        guard fields["Transfer-Encoding"] == nil else { return nil }
        return fields["Content-Length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
