import StoreCatalogue
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

    // MARK: Groups

    private var groupRoutes: [Route] {
        let path = "/control/v1/apps/{bundleId}/groups"
        let one: [OperationDocumentation.Parameter] = [Self.app, .path(Self.group, schema: SubscriptionGroupID.schema)]
        return [
            .get(RoutePattern(path)) { request in
                let found = try await store.editing(request).groups(of: request[CataloguePaths.bundleID])
                return try .json(Page(found.map(GroupMessage.init)))
            }
            .described(
                "listGroups", "The groups of an app's subscriptions.", tag: Self.tag, parameters: [Self.app],
                answers: [.init(.ok, "All of them.", .of(Page<GroupMessage>.self))], refusals: [.appUnknown]),
            .put(RoutePattern(path + "/{groupId}"), suspending: putGroup)
                .described(
                    "putGroup", "Enters a group of subscriptions, or gives it another name, further texts and levels.",
                    tag: Self.tag, parameters: one + [CatalogueRoutes.publish], body: .of(GroupRequest.self),
                    answers: [.init(.ok, "The group.", .of(Page<GroupMessage>.self))],
                    refusals: .product + [.limitReached, .nameTaken, .stateWrong, .nameUnknown]),
            .delete(RoutePattern(path + "/{groupId}")) { request in
                try await store.editing(request).remove(request[Self.group], of: request[CataloguePaths.bundleID])
                return HTTPResponse(.noContent)
            }
            .described(
                "removeGroup", "Removes a group that has no subscriptions.", tag: Self.tag, parameters: one,
                answers: [.init(.noContent, "It is removed.")], refusals: [.appUnknown, .nameUnknown, .stateWrong]),
        ]
    }

    private func putGroup(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(GroupRequest.self)
        let draft = SubscriptionGroupDraft(
            name: wanted.referenceName,
            texts: (wanted.texts ?? [:]).mapValues { SubscriptionGroupText(name: $0.name, appName: $0.appName) },
            levels: wanted.levels ?? [:])
        let found = try await store.drafting(request).put(
            draft, as: request[Self.group], of: request[CataloguePaths.bundleID])
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
                let found = try await store.editing(request).offers(of: request.product)
                return try .json(Page(found.map(OfferMessage.init)))
            }
            .described(
                "listOffers", "The offers of a subscription, in order of their ids.", tag: Self.tag,
                parameters: product, answers: answers, refusals: .product),
            .put(RoutePattern(path + "/{offerId}")) { request in
                let offer = try request.decode(OfferRequest.self).offer(try request[Self.offer])
                let found = try await store.drafting(request).put(offer, of: request.product)
                return try .json(Page(found.map(OfferMessage.init)))
            }
            .described(
                "putOffer", "Gives a subscription an offer, in the place of the one of its id.", tag: Self.tag,
                parameters: one + [CatalogueRoutes.publish], body: .of(OfferRequest.self), answers: answers,
                refusals: .product + [.nameTaken, .limitReached, .stateWrong]),
            .delete(RoutePattern(path + "/{offerId}")) { request in
                let offer = try request[Self.offer]
                let found = try await store.drafting(request).removeOffer(offer, of: request.product)
                return try .json(Page(found.map(OfferMessage.init)))
            }
            .described(
                "removeOffer", "Takes a subscription an offer.", tag: Self.tag,
                parameters: one + [CatalogueRoutes.publish], answers: answers,
                refusals: .product + [.nameUnknown, .stateWrong]),
        ]
    }
}
