import StoreHTTP

/// What a server says about when to come back.
enum RetryAfter {
    /// The wait that a response asks for. A date is counted from the server's own `Date`, so that no clock of ours matters.
    static func wait(_ fields: HTTPFields) -> Duration? {
        guard let text = fields["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Int(text).map { .seconds($0) }
        }
        guard let then = HTTPDate(parsing: text), let now = fields["Date"].flatMap(HTTPDate.init(parsing:)) else {
            return nil
        }
        return .seconds(max(0, then.secondsSince1970 - now.secondsSince1970))
    }
}

extension HTTPStatus {
    /// Whether the same request may well succeed later.
    var isTemporary: Bool { [408, 425, 429, 500, 502, 503, 504].contains(rawValue) }
}

extension HTTPClientError {
    /// Whether the same request may well succeed later.
    var isTemporary: Bool {
        [.nameUnknown, .unreachable, .timedOut, .connectionLost, .responseMalformed, .queueFull].contains(code)
    }
}
