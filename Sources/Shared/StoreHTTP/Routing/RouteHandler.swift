/// What answers a request.
package enum RouteHandler: Sendable {
    /// Answers at once, on the transport's own thread. It must not wait for anything.
    case immediate(@Sendable (HTTPRequest) throws -> HTTPResponse)
    /// Answers when it is done. While it waits no thread of the transport is held; while it computes one may be.
    case suspending(@Sendable (HTTPRequest) async throws -> HTTPResponse)
}

extension RouteHandler {
    /// The answer, whichever kind of handler gives it.
    package func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        switch self {
        case .immediate(let handler): try handler(request)
        case .suspending(let handler): try await handler(request)
        }
    }
}
