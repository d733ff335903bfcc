import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

extension CatalogueRoutes {
    /// Products entered by hand, and what is decided about them beside texts and prices.
    var entryRoutes: [Route] {
        let one = "/control/v1/apps/{bundleId}/products/{productId}"
        return [
            product(
                .put(RoutePattern(one), suspending: putProduct), "putProduct",
                "Enters a product, or changes the one of its id. What is left out stays.", Self.publish,
                body: .of(ProductRequest.self)),
            product(
                .put(RoutePattern(one + "/tax")) { request in
                    let category = TaxCategory(rawValue: try request.decode(TaxRequest.self).taxCategory)
                    return try await answer(store.drafting(request).setTaxCategory(category, of: request.product))
                }, "setTaxCategory", "Says what a product is to a tax office.", Self.publish, body: .of(TaxRequest.self)
            ),
            product(
                .put(RoutePattern(one + "/hosting"), body: BodyPolicy.none) { request in
                    try await answer(store.editing(request).setHosting(true, of: request.product))
                }, "hostContent", "Lets the store host the content of a non-consumable that was never on sale."),
            product(
                .delete(RoutePattern(one + "/hosting")) { request in
                    try await answer(store.editing(request).setHosting(false, of: request.product))
                }, "hostNoContent", "The store hosts no content of a product that was never on sale."),
            product(
                .put(RoutePattern(one + "/price-changes")) { request in
                    let wanted = try request.decode(PriceChangeMessage.self)
                    let price = try Self.money(wanted.amount, wanted.currency)
                    return try await answer(
                        store.drafting(request).schedulePrice(
                            price, of: request.product, in: wanted.storefront, from: wanted.startsAt))
                }, "schedulePrice",
                "Sets what a product will cost from a moment on. What was asked of a customer before stays.",
                Self.publish,
                body: .of(PriceChangeMessage.self)),
            product(
                .delete(RoutePattern(one + "/price-changes")) { request in
                    guard let start = try request.moment("startsAt") else {
                        throw APIError(.valueMissing, "the moment of the price", parameter: "startsAt")
                    }
                    let place = request.target.query["storefront"].map { StorefrontCode(rawValue: $0) }
                    return try await answer(
                        store.drafting(request).schedulePrice(nil, of: request.product, in: place, from: start))
                }, "cancelPrice", "Takes back a price that was set for a moment to come.",
                .query("startsAt", "Its moment.", isRequired: true, schema: Instant.schema),
                .query("storefront", "Where, if not everywhere.", schema: StorefrontCode.schema), Self.publish),
        ]
    }

    private func putProduct(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (bundle, id) = (try request[CataloguePaths.bundleID], try request[CataloguePaths.productID])
        let wanted = try request.decode(ProductRequest.self)
        let draft = try ProductDraft(
            id, wanted.type, referenceName: wanted.referenceName, isFamilyShareable: wanted.isFamilyShareable ?? false,
            period: wanted.period, groupID: wanted.groupId,
            texts: (wanted.texts ?? [:]).mapValues { ProductText(title: $0.title, description: $0.description) },
            basePrice: try wanted.price.map { try Self.money($0.amount, $0.currency) })
        return try await answer(store.drafting(request).put(draft, of: bundle))
    }

    /// What a store id, or another name, is of.
    var item: Route {
        .get("/control/v1/items/{storeId}") { request in
            try .json(ItemAnswer(await store.editing(request).item(request[Self.storeID]), store))
        }
        .described(
            "readItem", "The app or product of a store id, a link, a bundle id or the id of a product.", tag: Self.tag,
            parameters: [.path(Self.storeID, schema: .string(example: "1000000001", lengths: 1...500))],
            answers: [.init(.ok, "It.", .of(ItemAnswer.self))], refusals: [.nameUnknown])
    }

    private static let storeID = PathParameter<String>("storeId", rule: "the number or the id of an app or a product") {
        $0
    }
}
