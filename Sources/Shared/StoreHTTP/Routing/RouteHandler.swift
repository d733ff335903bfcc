/// What answers a request.
package enum RouteHandler: Sendable {
    /// Answers at once, on the transport's own thread. It must not wait for anything.
    case immediate(@Sendable (HTTPRequest) throws -> HTTPResponse)
    /// Answers when it is done. While it waits no thread of the transport is held; while it computes one may be.
    case suspending(@Sendable (HTTPRequest) async throws -> HTTPResponse)
}
