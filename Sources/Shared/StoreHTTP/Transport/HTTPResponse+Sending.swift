extension HTTPResponse {
    /// The response as it goes out: with a date, with the length of its body where that is known, and without a body
    /// where the method or the status has none. A stream that will not be sent is given up.
    package func prepared(for method: HTTPMethod, date: HTTPDate) -> HTTPResponse {
        var response = self
        if fields["Date"] == nil { response.fields["Date"] = date.text }
        response.fields["Content-Length"] = nil
        let length = body.length.map { max(0, $0) }
        if let length, status.rawValue >= 200, status != .noContent, status != .notModified {
            response.fields["Content-Length"] = String(length)
        }
        if method == .head || status.forbidsBody {
            if case .stream(_, let stream) = body { stream.giveUp() }
            response.body = .empty
        }
        return response
    }
}
