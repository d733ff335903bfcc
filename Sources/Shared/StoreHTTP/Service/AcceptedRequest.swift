import Synchronization

/// A request with its route, waiting for its body.
package final class AcceptedRequest: Sendable {
    package let request: HTTPRequest
    private let outcome: Outcome
    private let service: HTTPService
    /// The request as its gate left it; nil before it has passed.
    private let passed = Mutex<HTTPRequest?>(nil)

    private enum Outcome {
        case refused(HTTPResponse)
        case found(RouteTree.Leaf, begun: [any Middleware])
    }

    init(_ request: HTTPRequest, of leaf: RouteTree.Leaf, service: HTTPService, begun: [any Middleware]) {
        self.request = request
        self.service = service
        outcome = .found(leaf, begun: begun)
    }

    init(_ request: HTTPRequest, early: HTTPResponse, service: HTTPService) {
        self.request = request
        self.service = service
        outcome = .refused(early)
    }

    /// The response, if it needs neither body nor handler. The transport sends it at once and then discards the body or
    /// closes the connection.
    package var early: HTTPResponse? { if case .refused(let response) = outcome { response } else { nil } }

    /// How the transport has to pass the body.
    package var policy: BodyPolicy { if case .found(let leaf, _) = outcome { leaf.route.body } else { .none } }

    /// Whether the route wants to know who asks before there is a body.
    package var isGated: Bool { if case .found(let leaf, _) = outcome { leaf.route.gate != nil } else { false } }

    /// Lets the route look at who asks. Returns the refusal, or nil.
    package func pass() async -> HTTPResponse? {
        guard case .found(let leaf, _) = outcome, let gate = leaf.route.gate else { return nil }
        do {
            try await pass(gate)
            return nil
        } catch {
            return failure(error)
        }
    }

    private func pass(_ gate: @Sendable (inout HTTPRequest) async throws -> Void) async throws {
        var request = request
        try await gate(&request)
        passed.withLock { [request] in $0 = request }
    }

    /// The answer, now or later.
    package enum Answer: Sendable {
        case ready(HTTPResponse)
        case pending(@Sendable () async -> HTTPResponse)
    }

    /// Returns a request with its body.
    package func answer(_ sent: RequestBody) -> Answer {
        let (leaf, begun): (RouteTree.Leaf, [any Middleware])
        switch outcome {
        case .refused(let response): return .ready(response)
        case .found(let found, let middleware): (leaf, begun) = (found, middleware)
        }
        let body: RequestBody
        do {
            body = try received(sent, begun)
        } catch {
            return .ready(failure(error))
        }
        switch leaf.route.handler {
        case .immediate(let handle) where request.interceptor == nil && leaf.route.gate == nil:
            do {
                // Most requests have no body and need no copy.
                if case .empty = body { return try .ready(finish(handle(request))) }
                return try .ready(finish(handle(request(with: body))))
            } catch {
                return .ready(failure(error))
            }
        case .immediate, .suspending:
            return .pending {
                do {
                    if let gate = leaf.route.gate, self.passed.withLock({ $0 == nil }) { try await self.pass(gate) }
                    return try await self.finish(self.handle(self.request(with: body), leaf.route.handler))
                } catch {
                    return self.failure(error)
                }
            }
        }
    }

    private func handle(_ request: HTTPRequest, _ handler: RouteHandler) async throws -> HTTPResponse {
        guard let intercept = request.interceptor else { return try await handler.answer(request) }
        return try await intercept(request) { try await handler.answer(request) }
    }

    /// The body after the middleware.
    private func received(_ sent: RequestBody, _ begun: [any Middleware]) throws -> RequestBody {
        var body = sent
        for one in begun { try one.receive(&body, of: request, policy: policy) }
        return body
    }

    private func request(with body: RequestBody) -> HTTPRequest {
        var request = passed.withLock(\.self) ?? request
        request.body = body
        return request
    }

    /// The refusal of a body with the declared length, which is nil if not declared; nil if the route accepts it.
    package func refuseBody(declaredLength: Int?) -> HTTPResponse? {
        if let early { return early }
        if case .none = policy { return declaredLength == 0 ? nil : refuseBody() }
        return (declaredLength ?? 0) > policy.limit ? refuseBody() : nil
    }

    /// The refusal of a body beyond the limit of the route, or of any if it takes none.
    package func refuseBody() -> HTTPResponse {
        if let early { return early }
        return failure(policy.refusal)
    }

    private func failure(_ error: any Error) -> HTTPResponse {
        var errors = service.errors
        if case .found(let leaf, _) = outcome, let own = leaf.route.errors { errors = own }
        return finish(service.response(to: error, request, errors))
    }

    private func finish(_ response: HTTPResponse) -> HTTPResponse {
        if case .found(_, let begun) = outcome { service.end(response, request, begun) } else { response }
    }
}
