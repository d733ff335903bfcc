/// What answers a request.
package enum RouteHandler: Sendable {
    /// Answers at once, on the transport's own thread. It must not wait for anything.
    case immediate(@Sendable (HTTPRequest) throws -> HTTPResponse)
    /// Answers when it is done; meanwhile no thread of the transport is held.
    case suspending(@Sendable (HTTPRequest) async throws -> HTTPResponse)
}
