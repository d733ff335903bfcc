/// A request that has found its route and waits for its body.
package struct AcceptedRequest: Sendable {
    package private(set) var request: HTTPRequest
    /// How the transport has to hand over the body.
    package let policy: BodyPolicy
    /// The answer, if it needs neither a body nor a handler. The transport sends it at once and then either discards
    /// the body or closes the connection.
    package let early: HTTPResponse?
    let handler: RouteHandler
    let service: HTTPService
    let begun: [any Middleware]
    let errors: any ErrorForm

    /// The answer, now or later.
    package enum Answer: Sendable {
        case ready(HTTPResponse)
        case pending(@Sendable () async -> HTTPResponse)
    }

    /// Answers a request with its body.
    package func answer(_ body: RequestBody) -> Answer {
        if let early { return .ready(early) }
        var request = request
        do {
            var body = body
            for one in begun { try one.receive(&body, of: request, policy: policy) }
            request.body = body
        } catch {
            return .ready(finish(service.response(to: error, request, errors)))
        }
        switch handler {
        case .immediate(let handle):
            do {
                return try .ready(finish(handle(request)))
            } catch {
                return .ready(finish(service.response(to: error, request, errors)))
            }
        case .suspending(let handle):
            return .pending { [request] in
                do {
                    return try await finish(handle(request))
                } catch {
                    return finish(service.response(to: error, request, errors))
                }
            }
        }
    }

    /// The answer to a body of the length that the header declares, nil where it declares none in advance; nil if the
    /// route takes such a body.
    package func refuseBody(declaredLength: Int?) -> HTTPResponse? {
        if let early { return early }
        if case .none = policy { return declaredLength == 0 ? nil : refuseBody() }
        return (declaredLength ?? 0) > policy.limit ? refuseBody() : nil
    }

    /// The answer to a body that the route does not take: larger than its limit, or any where it takes none.
    package func refuseBody() -> HTTPResponse {
        if let early { return early }
        return finish(service.response(to: policy.refusal, request, errors))
    }

    private func finish(_ response: HTTPResponse) -> HTTPResponse {
        service.end(response, request, begun)
    }
}
