package import StoreHTTP
package import StoreModel
package import StoreService
import StoreSigning

/// `/ocsp/sandbox` and `/ocsp/production`: what verifiers ask about the certificates of signed data, in the Online Certificate
/// Status Protocol. Its place stands in the certificates themselves.
///
/// The answer is 200 with a message of the protocol, also where that says that nothing can be said. Nothing keeps an answer on
/// the way, so that a revocation is seen at once.
package struct OnlineCheckRoutes: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    package var routes: [Route] {
        let path = Self.path(of: store.environment)
        var routes = [
            Route.post(
                RoutePattern(path), body: .collected(limit: SigningLimits.statusRequestBytes),
                { answer($0.body.bytes) }),
            Route.get(
                RoutePattern("\(path)/{request}"),
                { request in
                    let bytes = request.parameters.text("request").flatMap { Base64.decode($0) }
                    return answer(bytes ?? [])
                }),
        ]
        for index in routes.indices { routes[index].errors = OnlineCheckErrors() }
        return routes
    }

    /// Where an environment is asked, on whichever listener.
    package static func path(of environment: StoreEnvironment) -> String { "/ocsp/\(environment.rawValue)" }

    private func answer(_ request: [UInt8]) -> HTTPResponse {
        .status(store.signers.statusResponder.answer(request, at: store.clocks.wall()))
    }
}

/// How it is told what fails before a request can be read: in the form of the protocol.
private struct OnlineCheckErrors: ErrorForm {
    func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
        .status((error.status.rawValue < 500 ? StatusRefusal.malformedRequest : .internalError).response)
    }
}

extension HTTPResponse {
    fileprivate static func status(_ answer: [UInt8]) -> HTTPResponse {
        var response = HTTPResponse(.ok, answer, as: "application/ocsp-response")
        response.fields["Cache-Control"] = "no-store"
        return response
    }
}
