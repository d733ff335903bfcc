import StoreHTTP
import StoreService

/// Interfaces of the App Store at the same host that this store does not have: each of their paths is refused by one code, for
/// those whose token opens the environment.
extension ServerAPIRoutes {
    var limits: [Route] {
        [
            refusing("/inApps/v1/messaging/{path…}", "this store has no retention messaging"),
            refusing("/advancedCommerce/v1/{path…}", "this store has no Advanced Commerce"),
        ]
    }

    /// Whatever the body is, it is not read.
    private func refusing(_ pattern: RoutePattern, _ reason: String) -> Route {
        let refusal = ServerAPIError(.featureNotEnabled, reason)
        var route = Route(
            .any, pattern, body: .collected(limit: Self.bodyBytes),
            handler: .immediate { _ in throw APIError(refusal) },
            errors: errors)
        let gate = gate(pattern.text)
        route.gate = { request in
            try await gate(&request)
            throw APIError(refusal)
        }
        return route
    }
}
