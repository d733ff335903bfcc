extension Route {
    /// Answers at once, on the transport's own thread.
    package typealias Immediate = @Sendable (HTTPRequest) throws -> HTTPResponse
    /// Answers when it is done.
    package typealias Suspending = @Sendable (HTTPRequest) async throws -> HTTPResponse

    // A closure that suspends can only mean the second of each pair; of one that does not, the first is preferred.

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
