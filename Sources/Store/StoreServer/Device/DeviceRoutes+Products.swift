import StoreDatabase
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
                    ]), answers: [.init(.ok, "Each id is in one of both lists.", .json(DeviceSchemas.products))],
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
        let scope = try await lookUp(request) { scope, _ in scope }
        let found = try await offers(ids, scope)
        let storefront = try Self.storefront(scope.storefront)
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

    /// What the app of a device can sell, in the storefront of the device or in another.
    func offers(
        _ ids: [String], _ scope: DeviceScope, storefront: StorefrontCode? = nil
    ) async throws -> CatalogueOffers {
        let storefront = try Self.storefront(storefront ?? scope.storefront)
        let environment = store.environment
        let find = { @Sendable (transaction: any ReadTransaction) throws in
            guard let app = try Catalogue.app(scope.app, in: transaction) else {
                throw ServiceError(.appUnknown, "the app of this device is gone")
            }
            // A wrong profile makes every id an invalid one; it is no error of the request.
            if let obstacle = ProductObstacle.profile(scope.profileRevision, capabilities: app.capabilitiesRevision) {
                return CatalogueOffers(nothingOf: ids, obstacle)
            }
            return try Catalogue.offers(
                for: ids, app: app, environment: environment, storefront: storefront, languages: [scope.language],
                in: transaction)
        }
        return try await ids.count == 1 ? store.catalogue.lookUp(find) : store.catalogue.read(find)
    }
}
