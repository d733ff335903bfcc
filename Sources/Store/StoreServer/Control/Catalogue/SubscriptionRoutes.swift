import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService

/// The groups of an app's subscriptions, and the offers of each, by HTTP.
struct SubscriptionRoutes: Sendable {
    let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    var routes: [Route] { groupRoutes + offerRoutes }

    private static let tag = CatalogueRoutes.tag
    private static let app = CatalogueRoutes.app
    private static let group = PathParameter<SubscriptionGroupID>("groupId", rule: "the id of a group") {
        try? SubscriptionGroupID(parsing: $0)
    }
    private static let offer = PathParameter<String>("offerId", rule: "the id of an offer") { $0.isEmpty ? nil : $0 }

    private func cause(_ request: HTTPRequest) -> CatalogueCause {
        request.catalogueCause(at: store.now())
    }

    // MARK: Groups

    private var groupRoutes: [Route] {
        let path = "/control/v1/apps/{bundleId}/groups"
        let one: [OperationDocumentation.Parameter] = [Self.app, .path(Self.group, schema: SubscriptionGroupID.schema)]
        return [
            .get(RoutePattern(path)) { request in
                let id = try request[CataloguePaths.bundleID]
                let found = try await store.databases.catalogue.read { transaction in
                    try SubscriptionGroups.list(of: CatalogueRoutes.app(id, in: transaction).id, in: transaction)
                }
                return try .json(Page(found.map(GroupMessage.init)))
            }
            .described(
                "listGroups", "The groups of an app's subscriptions.", tag: Self.tag, parameters: [Self.app],
                answers: [.init(.ok, "All of them.", .of(Page<GroupMessage>.self))], refusals: [.appUnknown]),
            .put(RoutePattern(path + "/{groupId}"), suspending: putGroup)
                .described(
                    "putGroup", "Enters a group of subscriptions, or gives it another name, further texts and levels.",
                    tag: Self.tag, parameters: one, body: .of(GroupRequest.self),
                    answers: [.init(.ok, "The group.", .of(Page<GroupMessage>.self))],
                    refusals: .product + [.limitReached, .nameTaken, .stateWrong, .nameUnknown]),
            .delete(RoutePattern(path + "/{groupId}")) { request in
                let (id, group, cause) = (
                    try request[CataloguePaths.bundleID], try request[Self.group], cause(request)
                )
                try await store.databases.catalogue.write { transaction in
                    try SubscriptionGroups.remove(
                        group, of: CatalogueRoutes.app(id, in: transaction).id, cause, in: transaction)
                }
                return HTTPResponse(.noContent)
            }
            .described(
                "removeGroup", "Removes a group that has no subscriptions.", tag: Self.tag, parameters: one,
                answers: [.init(.noContent, "It is removed.")], refusals: [.appUnknown, .nameUnknown, .stateWrong]),
        ]
    }

    private func putGroup(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (id, group, cause) = (try request[CataloguePaths.bundleID], try request[Self.group], cause(request))
        let wanted = try request.decode(GroupRequest.self)
        let texts = (wanted.texts ?? [:]).mapValues { SubscriptionGroupText(name: $0.name, appName: $0.appName) }
        let levels = wanted.levels ?? [:]
        let members = try levels.map { name, level in
            guard let product = ProductID(name) else {
                throw CatalogueError(.valueInvalid, "it is the id of a product", field: "levels.\(name)")
            }
            return SubscriptionGroup.Member(productId: product, level: level)
        }
        let found = try await store.databases.catalogue.write { transaction in
            let app = try CatalogueRoutes.app(id, in: transaction).id
            let known = try SubscriptionGroups.list(of: app, in: transaction).first { $0.id == group }
            guard let name = wanted.referenceName ?? known?.referenceName else {
                throw CatalogueError(.valueMissing, "a new group has a name", field: "referenceName")
            }
            try SubscriptionGroups.put(
                SubscriptionGroup(id: group, referenceName: name, texts: texts, members: members), of: app, cause,
                in: transaction)
            return try SubscriptionGroups.list(of: app, in: transaction).filter { $0.id == group }
        }
        return try .json(Page(found.map(GroupMessage.init)))
    }

    // MARK: Offers

    private var offerRoutes: [Route] {
        let path = "/control/v1/apps/{bundleId}/products/{productId}/offers"
        let product = [
            Self.app, OperationDocumentation.Parameter.path(CataloguePaths.productID, schema: ProductID.schema),
        ]
        let one = product + [.path(Self.offer)]
        let answers = [OperationDocumentation.Response(.ok, "All of them.", .of(Page<OfferMessage>.self))]
        return [
            .get(RoutePattern(path)) { request in
                let (app, id) = (try request[CataloguePaths.bundleID], try request[CataloguePaths.productID])
                let found = try await store.databases.catalogue.read { transaction in
                    let product = try CatalogueRoutes.product(id, of: app, in: transaction)
                    return try SubscriptionOffers.list(of: product.itemID, in: transaction)
                }
                return try .json(Page(found.map(OfferMessage.init)))
            }
            .described(
                "listOffers", "The offers of a subscription, in order of their ids.", tag: Self.tag,
                parameters: product, answers: answers, refusals: .product),
            .put(RoutePattern(path + "/{offerId}")) { request in
                let offer = try request.decode(OfferRequest.self).offer(try request[Self.offer])
                return try await change(request) { try SubscriptionOffers.put(offer, of: $0, $1, in: $2) }
            }
            .described(
                "putOffer", "Gives a subscription an offer, in the place of the one of its id.", tag: Self.tag,
                parameters: one, body: .of(OfferRequest.self), answers: answers,
                refusals: .product + [.nameTaken, .limitReached, .stateWrong]),
            .delete(RoutePattern(path + "/{offerId}")) { request in
                let offer = try request[Self.offer]
                return try await change(request) { try SubscriptionOffers.remove(offer, of: $0, $1, in: $2) }
            }
            .described(
                "removeOffer", "Takes a subscription an offer.", tag: Self.tag, parameters: one, answers: answers,
                refusals: .product + [.nameUnknown]),
        ]
    }

    /// Changes the offers of the product of a path, and answers them as they are then.
    private func change(
        _ request: HTTPRequest,
        _ body: @escaping @Sendable (CatalogueProduct, CatalogueCause, any WriteTransaction) throws -> Void
    ) async throws -> HTTPResponse {
        let (app, id, cause) = (
            try request[CataloguePaths.bundleID], try request[CataloguePaths.productID], cause(request)
        )
        let found = try await store.databases.catalogue.write { transaction in
            let product = try CatalogueRoutes.product(id, of: app, in: transaction)
            try body(product, cause, transaction)
            return try SubscriptionOffers.list(of: product.itemID, in: transaction)
        }
        return try .json(Page(found.map(OfferMessage.init)))
    }
}
