/// One operation of a service: a method, the paths it answers, and what answers.
package struct Route: Sendable {
    package var method: HTTPMethod
    package var pattern: RoutePattern
    package var body: BodyPolicy
    package var handler: RouteHandler
    /// Runs around this route alone, inside what runs around the whole service.
    package var middleware: [any Middleware]
    /// How errors of this route are shown; nil for the form of the service.
    package var errors: (any ErrorForm)?
    /// Its part of the description of the interface; nil for routes that are not described.
    package var documentation: OperationDocumentation?

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
}
