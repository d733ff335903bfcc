/// The method of a request. Methods are case-sensitive, and any token is one.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let get = HTTPMethod(rawValue: "GET")
    package static let head = HTTPMethod(rawValue: "HEAD")
    package static let post = HTTPMethod(rawValue: "POST")
    package static let put = HTTPMethod(rawValue: "PUT")
    package static let patch = HTTPMethod(rawValue: "PATCH")
    package static let delete = HTTPMethod(rawValue: "DELETE")
    package static let options = HTTPMethod(rawValue: "OPTIONS")

    /// Of a route: whatever method the path has no other route for. No request has it, for it is no token.
    package static let any = HTTPMethod(rawValue: "(any)")

    /// Whether a repeated request has the effect of one (RFC 9110 §9.2.2), so that a client may send it again.
    package var isIdempotent: Bool {
        [.get, .head, .put, .delete, .options].contains(self)
    }
}
