/// What a handler answers.
package struct HTTPResponse: Sendable {
    package var status: HTTPStatus
    package var fields: HTTPFields
    package var body: ResponseBody
    /// Whom the transport tells when the response has gone out, or never will.
    package private(set) var observers = ResponseObservers()

    package init(_ status: HTTPStatus = .ok, fields: HTTPFields = HTTPFields(), body: ResponseBody = .empty) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A body in one piece, of a media type.
    package init(_ status: HTTPStatus = .ok, _ bytes: [UInt8], as mediaType: String) {
        var fields = HTTPFields()
        fields.add("Content-Type", mediaType)
        self.init(status, fields: fields, body: .bytes(bytes))
    }

    package static func text(_ text: String, status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(status, Array(text.utf8), as: "text/plain; charset=utf-8")
    }

    /// Has somebody told, once, when the body has gone out or was broken off.
    package mutating func whenEnded(_ observer: @escaping @Sendable (ResponseEnd) -> Void) { observers.add(observer) }

    /// Says that the response will not be sent.
    package func abandon() {
        if case .stream(_, let stream) = body { stream.giveUp() }
        observers.tell(ResponseEnd(bytes: 0, isComplete: false))
    }
}
