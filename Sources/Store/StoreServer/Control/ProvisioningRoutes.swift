import StoreCatalogue
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
            .post("/control/v1/profiles", suspending: issue)
                .described(
                    "makeProfile", "Makes the provisioning profile of an app for this environment.",
                    description: "A wildcard such as com.example.* is valid, but cannot sell.",
                    tag: "catalogue", body: .of(ProfileRequest.self),
                    answers: [.init(.ok, "The profile, a JWS.", .of(ProfileAnswer.self))], refusals: [.appUnknown])
        ]
    }

    private func issue(_ request: HTTPRequest) async throws -> HTTPResponse {
        let order = try request.decode(ProfileRequest.self)
        if let bundle = order.bundleId.bundleID {
            try await store.editing(request).requireOwn(team: nil, app: bundle)
        }
        guard let profiles = store.profiles else {
            throw APIError(.unavailable, code: "keys_missing", "The store has no keys at hand to sign with.")
        }
        return try .json(
            ProfileAnswer(
                profile: await profiles.profile(for: order.bundleId, at: order.storeUrl, in: store.catalogue)))
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
