/// Routes and middleware: a service without its transport.
package final class HTTPService: Sendable {
    package let router: Router
    private let middleware: [any Middleware]
    let errors: any ErrorForm
    /// Reports errors that are answered with a status of 500 and above, whose cause the client does not see.
    private let report: @Sendable (_ error: any Error, _ request: HTTPRequest) -> Void
    /// The one place where errors from behind the routes become answers; nil for those that the client does not see.
    private let explain: @Sendable (_ error: any Error) -> APIError?

    package init(
        _ routes: [Route], middleware: [any Middleware] = [], errors: any ErrorForm,
        explain: @escaping @Sendable (any Error) -> APIError? = { _ in nil },
        report: @escaping @Sendable (any Error, HTTPRequest) -> Void
    ) {
        router = Router(routes)
        self.middleware = middleware
        self.errors = errors
        self.explain = explain
        self.report = report
    }

    /// What is wrong with the routes, a sentence each; a service with problems must not be started.
    package var problems: [String] { router.problems }

    /// Takes the head of a request whose body may still be arriving, or refuses it.
    package func accept(_ head: RequestHead) -> AcceptedRequest {
        let (request, refusal) = head.read()
        return accept(consume request, refusing: refusal)
    }

    /// Takes a request whose head is complete and whose body may still be arriving. A transport that refuses the
    /// request itself passes its reason, so it is logged and written like any other error.
    package func accept(_ request: consuming HTTPRequest, refusing refused: APIError? = nil) -> AcceptedRequest {
        var request = request
        var begun: [any Middleware] = []
        var leaf: RouteTree.Leaf?
        do {
            if let early = try begin(middleware, &request, &begun) { return refusal(early, request, begun) }
            if let refused {
                // Refused in the form of the route, as far as that can be told.
                if request.target != .unreadable,
                    case .found(let found, _) = router.match(request.method, request.target)
                {
                    leaf = found
                }
                throw refused
            }
            if request.method == .options, let methods = router.methods(at: request.target) {
                return refusal(HTTPResponse(.noContent, fields: ["Allow": Self.list(methods)]), request, begun)
            }
            let (found, parameters) = try route(of: request)
            leaf = found
            request.parameters = parameters
            request.route = found.route.pattern
            if let early = try begin(found.route.middleware, &request, &begun) {
                return refusal(early, request, begun)
            }
            return AcceptedRequest(request, of: found, service: self, begun: begun)
        } catch {
            return refusal(response(to: error, request, leaf?.route.errors ?? errors), request, begun)
        }
    }

    private func begin(
        _ middleware: [any Middleware], _ request: inout HTTPRequest, _ begun: inout [any Middleware]
    ) throws -> HTTPResponse? {
        for one in middleware {
            begun.append(one)
            if let early = try one.begin(&request) { return early }
        }
        return nil
    }

    private func route(of request: HTTPRequest) throws -> (RouteTree.Leaf, PathParameters) {
        switch router.match(request.method, request.target) {
        case .found(let leaf, let parameters): return (leaf, parameters)
        case .otherMethods(let methods):
            let names = Self.list(methods)
            var error = APIError(
                .methodNotAllowed, code: "method_not_allowed", "This path answers \(names) only.", parameter: "method")
            error.fields["Allow"] = names
            throw error
        case .nothing:
            throw APIError(.notFound, code: "path_unknown", "There is nothing at this path.", parameter: "path")
        }
    }

    private static let abandoned = APIError(
        .unavailable, code: "abandoned", "The request was given up before it was answered. Ask for the same again.")

    private static func list(_ methods: [HTTPMethod]) -> String {
        methods.map(\.rawValue).joined(separator: ", ")
    }

    private func refusal(
        _ response: HTTPResponse, _ request: HTTPRequest, _ begun: [any Middleware]
    ) -> AcceptedRequest {
        var request = request
        // The pattern knows which parts of a path are secret, even if it lacks the method.
        if request.route == nil { request.route = router.pattern(at: request.target) }
        let response = end(response, request, begun)
        return AcceptedRequest(request, early: response, service: self)
    }

    func end(_ response: HTTPResponse, _ request: HTTPRequest, _ begun: [any Middleware]) -> HTTPResponse {
        if begun.isEmpty { return response }
        var response = response
        for one in begun.reversed() { one.end(&response, of: request) }
        return response
    }

    func response(to error: any Error, _ request: HTTPRequest, _ form: any ErrorForm) -> HTTPResponse {
        if let error = error as? APIError { return form.response(to: error, for: request) }
        // The client has gone, its time is over, or the listener ends. This is not an error.
        if error is RequestEnded || error is CancellationError && Task.isCancelled {
            return form.response(to: Self.abandoned, for: request)
        }
        let told =
            explain(error)
            ?? APIError(.internalError, code: "internal", "Something went wrong in the store; its log has the reason.")
        // What the client is told of a refusal is all there is to know.
        if told.status.rawValue >= 500 { report(error, request) }
        return form.response(to: told, for: request)
    }
}

/// Processing around many routes: request ids, logging, limits, compression.
///
/// It has parts before and after instead of a call around the handler, so that a handler that answers at once is never suspended.
package protocol Middleware: Sendable {
    /// Runs before the handler, from the outermost inwards. A response returned here is final.
    func begin(_ request: inout HTTPRequest) throws -> HTTPResponse?

    /// Runs when the body is there or begins to arrive, from the outermost inwards.
    func receive(_ body: inout RequestBody, of request: HTTPRequest, policy: BodyPolicy) throws

    /// Runs after the handler, from the innermost outwards, for every response.
    func end(_ response: inout HTTPResponse, of request: HTTPRequest)
}

extension Middleware {
    package func begin(_ request: inout HTTPRequest) throws -> HTTPResponse? { nil }

    package func receive(_ body: inout RequestBody, of request: HTTPRequest, policy: BodyPolicy) throws {}

    package func end(_ response: inout HTTPResponse, of request: HTTPRequest) {}
}
