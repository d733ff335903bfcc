import StoreHTTP

/// Why the head of a request cannot be trusted. The connection is closed behind the answer.
struct HeadRefusal: Error, Hashable {
    let status: HTTPStatus
    let reason: String

    init(_ status: HTTPStatus, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    init(_ reason: String) { self.init(.badRequest, reason) }

    var response: HTTPResponse {
        var response = HTTPResponse.text(reason + "\n", status: status)
        response.fields["Connection"] = "close"
        if status == .unavailable { response.fields["Retry-After"] = "1" }
        return response
    }

    static let surplusConnection = HeadRefusal(.unavailable, "Too many connections are open; come back later.")
    static let surplusRequest = HeadRefusal(.unavailable, "Too many requests are at work; come back later.")
    static let slowAnswer = HeadRefusal(.unavailable, "The answer took too long.")
    static let lineEnds = HeadRefusal("The header has a line that is folded, or does not end with CR LF.")
    static let expectation = HeadRefusal(HTTPStatus(rawValue: 417), "Nothing but 100-continue can be expected here.")
    static let coding = HeadRefusal(HTTPStatus(rawValue: 501), "The only transfer coding here is chunked.")
}
