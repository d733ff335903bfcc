import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// What the home page of the storefront begins with, by HTTP. It is the same in both environments.
struct FeatureRoutes: Sendable {
    private let store: ControlStore
    private static let path = RoutePattern("/control/v1/features")

    init(_ store: ControlStore) {
        self.store = store
    }

    var routes: [Route] {
        [
            .get(Self.path) { request in try await answer(store.editing(request).features()) }
                .described(
                    "listFeatures", "What the home page begins with, also what is not shown just now.",
                    tag: ItemRoutes.tag, answers: [.init(.ok, "In its order.", .of(Page<ItemMessage>.self))]),
            .put(Self.path) { request in
                let items = try request.decode(FeaturesRequest.self).items
                return try await answer(store.editing(request).setFeatures(items))
            }
            .described(
                "setFeatures", "Chooses what the home page begins with.", tag: ItemRoutes.tag,
                body: .of(FeaturesRequest.self),
                answers: [.init(.ok, "In its order.", .of(Page<ItemMessage>.self))],
                refusals: [.nameUnknown, .limitReached]),
        ]
    }

    private func answer(_ chosen: [ItemStanding]) throws -> HTTPResponse {
        try .json(Page(chosen.map { try ItemMessage($0, store) }))
    }
}
