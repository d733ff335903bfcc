/// Answers conditions and ranges from what handlers say of their responses: `ETag`, `Last-Modified`, `Accept-Ranges`.
///
/// It stands outside of ``Compression``: the tag of a compressed body is that of the compressed one.
package struct ConditionalRequests: Middleware {
    private let random: @Sendable () -> UInt64

    /// `random` makes the line between several ranges; whoever writes a file must not know it in advance.
    package init(random: @escaping @Sendable () -> UInt64) {
        self.random = random
    }

    package func end(_ response: inout HTTPResponse, of request: HTTPRequest) {
        response = response.narrowed(to: request) {
            "till-\(String(random(), radix: 36))-\(String(random(), radix: 36))"
        }
    }
}
