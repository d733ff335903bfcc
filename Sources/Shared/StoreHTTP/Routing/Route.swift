/// One operation of a service: a method, the paths it matches, and its handler.
package struct Route: Sendable {
    package var method: HTTPMethod
    package var pattern: RoutePattern
    package var body: BodyPolicy
    package var handler: RouteHandler
    /// Looks at who asks, before anything is said or kept of the body. It throws the refusal, or leaves what it found out in
    /// the context of the request.
    package var gate: (@Sendable (inout HTTPRequest) async throws -> Void)?
    /// Middleware of this route alone, inside that of the service.
    package var middleware: [any Middleware]
    /// The form of errors of this route; nil for that of the service.
    package var errors: (any ErrorForm)?
    /// Its part of the description of the interface; nil for routes that are not described.
    package var documentation: OperationDocumentation?
    /// Whether it answers its paths with a slash at their end too.
    package var mayEndWithSlash = false

    package init(
        _ method: HTTPMethod, _ pattern: RoutePattern, body: BodyPolicy? = nil, handler: RouteHandler,
        middleware: [any Middleware] = [], errors: (any ErrorForm)? = nil
    ) {
        self.method = method
        self.pattern = pattern
        let takesBody = [.post, .put, .patch].contains(method)
        self.body = body ?? (takesBody ? .collected(limit: HTTPLimits.collectedBodyBytes) : .none)
        self.handler = handler
        self.middleware = middleware
        self.errors = errors
    }

    /// Responds at once, on the transport's own thread.
    package typealias Immediate = @Sendable (HTTPRequest) throws -> HTTPResponse
    /// Responds when it is done.
    package typealias Suspending = @Sendable (HTTPRequest) async throws -> HTTPResponse

    // Of each pair, an async closure selects the second; otherwise the first is preferred.

    package static func get(_ pattern: RoutePattern, _ handler: @escaping Immediate) -> Route {
        Route(.get, pattern, handler: .immediate(handler))
    }

    package static func get(_ pattern: RoutePattern, suspending handler: @escaping Suspending) -> Route {
        Route(.get, pattern, handler: .suspending(handler))
    }

    package static func post(
        _ pattern: RoutePattern, body: BodyPolicy? = nil, _ handler: @escaping Immediate
    ) -> Route {
        Route(.post, pattern, body: body, handler: .immediate(handler))
    }

    package static func post(
        _ pattern: RoutePattern, body: BodyPolicy? = nil, suspending handler: @escaping Suspending
    ) -> Route {
        Route(.post, pattern, body: body, handler: .suspending(handler))
    }

    package static func put(_ pattern: RoutePattern, body: BodyPolicy? = nil, _ handler: @escaping Immediate) -> Route {
        Route(.put, pattern, body: body, handler: .immediate(handler))
    }

    package static func put(
        _ pattern: RoutePattern, body: BodyPolicy? = nil, suspending handler: @escaping Suspending
    ) -> Route {
        Route(.put, pattern, body: body, handler: .suspending(handler))
    }

    package static func patch(
        _ pattern: RoutePattern, body: BodyPolicy? = nil, _ handler: @escaping Immediate
    ) -> Route {
        Route(.patch, pattern, body: body, handler: .immediate(handler))
    }

    package static func patch(
        _ pattern: RoutePattern, body: BodyPolicy? = nil, suspending handler: @escaping Suspending
    ) -> Route {
        Route(.patch, pattern, body: body, handler: .suspending(handler))
    }

    package static func delete(_ pattern: RoutePattern, _ handler: @escaping Immediate) -> Route {
        Route(.delete, pattern, handler: .immediate(handler))
    }

    package static func delete(_ pattern: RoutePattern, suspending handler: @escaping Suspending) -> Route {
        Route(.delete, pattern, handler: .suspending(handler))
    }
}

/// A handler of requests.
package enum RouteHandler: Sendable {
    /// Responds at once, on the transport's own thread. It must not wait for anything.
    case immediate(@Sendable (HTTPRequest) throws -> HTTPResponse)
    /// Responds when it is done. It holds no thread of the transport while it waits, but may while it computes.
    case suspending(@Sendable (HTTPRequest) async throws -> HTTPResponse)

    /// The response of either kind of handler.
    package func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        switch self {
        case .immediate(let handler): try handler(request)
        case .suspending(let handler): try await handler(request)
        }
    }
}

/// How a route takes the body of its requests.
package enum BodyPolicy: Hashable, Sendable {
    /// A body is refused.
    case none
    /// The handler is called when the whole body is there.
    case collected(limit: Int)
    /// The handler is called at once and reads the body as it arrives. The handler must be a suspending one.
    case streamed(limit: Int)

    package var limit: Int {
        switch self {
        case .none: 0
        case .collected(let limit), .streamed(let limit): limit
        }
    }

    /// The error for a body beyond the limit; a transport also fails the body's stream with it.
    package var refusal: APIError {
        if case .none = self {
            return APIError(.badRequest, code: "body_unexpected", "This request has no body.", parameter: "body")
        }
        return APIError(
            .contentTooLarge, code: "body_too_large", "The body exceeds \(limit) bytes.", parameter: "body")
    }
}
