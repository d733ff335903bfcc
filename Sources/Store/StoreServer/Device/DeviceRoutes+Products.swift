import StoreHTTP
import StoreModel
import StoreRules
import StoreService

extension DeviceRoutes {
    var productRoutes: [Route] {
        [
            .post("/device/v1/products", suspending: { try await products($0) })
                .described(
                    "listProducts", "What of these ids can be bought here, in which words and at which price.",
                    tag: "devices", token: Self.scheme,
                    body: .object([
                        "productIds": .array(of: .string(), lengths: 0...ProductsRequest.longest)
                    ]), answers: [.init(.ok, "Each id is in one of both lists.", .of(ProductsAnswer.self))],
                    refusals: [.notFound])
        ]
    }

    private func products(_ request: HTTPRequest) async throws -> HTTPResponse {
        let ids = try request.decode(ProductsRequest.self).productIds
        guard ids.count <= ProductsRequest.longest else {
            throw APIError(
                .badRequest, code: "too_many", "One request is for at most \(ProductsRequest.longest) products.",
                parameter: "productIds")
        }
        let scope = try await store.scope(of: Self.token(request))
        let found = try await ProductLookup(store).offers(ids, for: scope)
        let storefront = try scope.storefront.known()
        let tellsReasons = store.environment == .sandbox
        return try answer(
            ProductsAnswer(
                products: found.offers.map { answer($0, scope, storefront) },
                invalid: found.invalid.map { invalid in
                    guard tellsReasons else { return InvalidProductAnswer(productId: invalid.id) }
                    return InvalidProductAnswer(
                        productId: invalid.id, reason: invalid.obstacle.name,
                        explanation: APIError.sentence(invalid.obstacle.explanation), nearest: invalid.nearest)
                }))
    }

    private func answer(
        _ offer: ProductOffer, _ scope: DeviceScope, _ storefront: StorefrontRecord
    ) -> ProductOfferAnswer {
        ProductOfferAnswer(
            productId: offer.product.productID, itemId: offer.product.itemID, type: offer.product.kind,
            title: offer.title, description: offer.description, language: offer.language,
            price: answer(offer.price, offer.language, storefront),
            isFamilyShareable: offer.product.isFamilyShareable, subscriptionPeriod: offer.product.period,
            subscriptionGroupIdentifier: offer.product.groupID)
    }
}
