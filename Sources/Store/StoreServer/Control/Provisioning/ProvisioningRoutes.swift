import StoreDatabase
import StoreHTTP
package import StoreModel
import StoreService

/// Provisioning profiles by HTTP.
struct ProvisioningRoutes: Sendable {
    private let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    var routes: [Route] {
        [
            Route.post("/control/v1/profiles", suspending: issue).documented(
                .init(
                    id: "makeProfile", summary: "Makes the provisioning profile of an app for this environment.",
                    description: "A wildcard such as com.example.* is valid, but cannot sell.",
                    tag: "catalogue",
                    body: .json(.of(ProfileRequest.self)),
                    responses: [
                        .init(.ok, "The profile, a JWS.", .json(.of(ProfileAnswer.self))),
                        .init(.badRequest, "A value breaks its rule; the error names it.", .error),
                        .init(.notFound, "There is no such app.", .error),
                        .init(.contentTooLarge, "The body is too large.", .error),
                        .init(.unsupportedMediaType, "The body is not said to be JSON.", .error),
                    ]))
        ]
    }

    private func issue(_ request: HTTPRequest) async throws -> HTTPResponse {
        let order = try request.decode(ProfileRequest.self)
        guard let profiles = store.profiles else {
            throw APIError(.unavailable, code: "keys_missing", "The store has no keys at hand to sign with.")
        }
        return try .json(
            ProfileAnswer(
                profile: await profiles.profile(
                    for: order.bundleId, at: order.storeUrl, in: store.databases.catalogue, now: store.now())))
    }
}

/// What a profile is asked for with.
package struct ProfileRequest: Codable, Hashable, Sendable {
    package let bundleId: BundlePattern
    package let storeUrl: StoreAddress?

    package init(bundleId: BundlePattern, storeUrl: StoreAddress?) {
        self.bundleId = bundleId
        self.storeUrl = storeUrl
    }
}

/// A profile.
package struct ProfileAnswer: Codable, Hashable, Sendable {
    package let profile: String
}
