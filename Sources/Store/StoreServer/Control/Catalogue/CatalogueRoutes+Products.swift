import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

extension CatalogueRoutes {
    var productRoutes: [Route] {
        let (one, price) = ("/control/v1/apps/{bundleId}/products/{productId}", "/prices/{storefront}")
        return [
            .get("/control/v1/apps/{bundleId}/products", suspending: products)
                .described(
                    "listAppProducts", "The products of an app, in order of their ids.", tag: Self.tag,
                    parameters: [Self.app] + .page(by: ProductID.schema),
                    answers: [.init(.ok, "A page.", .of(Page<CatalogueProductAnswer>.self))], refusals: [.appUnknown]),
            product(
                .get(RoutePattern(one), suspending: product), "readProduct", "One product with its texts and prices."),
            .delete(RoutePattern(one), suspending: remove)
                .described(
                    "removeProduct", "Removes a product for good; its id is never used again.", tag: Self.tag,
                    parameters: Self.product + [Self.publish], answers: [.init(.noContent, "It is removed.")],
                    refusals: .product + [.stateWrong]),
            product(
                .post(RoutePattern(one + "/clearance"), body: BodyPolicy.none, suspending: clear), "clearProduct",
                "Puts a product on the shelves.", Self.publish),
            product(
                .delete(RoutePattern(one + "/clearance"), suspending: withhold), "withholdProduct",
                "Takes a product off the shelves.", Self.publish),
            product(
                .put(RoutePattern(one + price), suspending: setPrice), "setPrice",
                "Sets what a product costs in a storefront.", Self.storefront, Self.publish,
                body: .of(PriceRequest.self)),
            product(
                .put(RoutePattern(one + "/price"), suspending: setBasePrice), "setBasePrice",
                "Sets what a product costs in every storefront that has no price of its own.", Self.publish,
                body: .of(BasePrice.self)),
            product(
                .delete(RoutePattern(one + price), suspending: removePrice), "removePrice",
                "Takes a product out of a storefront.", Self.storefront, Self.publish),
        ]
    }

    /// What lets production sell without a review.
    var approvalRoutes: [Route] {
        [
            product(
                .post(
                    "/control/v1/apps/{bundleId}/products/{productId}/approval", body: BodyPolicy.none,
                    suspending: approve), "approveProduct", "Lets production sell a product.")
        ]
    }

    static let product = [
        app, OperationDocumentation.Parameter.path(CataloguePaths.productID, schema: ProductID.schema),
    ]
    /// Without it a change of what production sells is a draft.
    static let publish = OperationDocumentation.Parameter.query(
        "publish", "Whether production sells by the change at once, instead of after its publication.",
        schema: .boolean())
    private static let storefront = OperationDocumentation.Parameter.path(
        CataloguePaths.storefront, schema: StorefrontCode.schema)

    /// A route that answers how a product is then.
    func product(
        _ route: Route, _ id: String, _ summary: String, _ parameters: OperationDocumentation.Parameter...,
        body: JSONSchema? = nil
    ) -> Route {
        route.described(
            id, summary, tag: Self.tag, parameters: Self.product + parameters, body: body,
            answers: [.init(.ok, "The product.", .of(CatalogueDetailsAnswer.self))],
            refusals: .product + [.kindFixed, .limitReached, .nameTaken, .nameUnknown, .productRemoved, .stateWrong])
    }

    private func products(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (id, wanted) = (try request[CataloguePaths.bundleID], try PageRequest<ProductID>(request))
        let found = try await store.editing(request).products(of: id, after: wanted.after, limit: wanted.rows)
        return try .json(
            wanted.page(of: found, by: \.product.productID) { listed in
                var answer = CatalogueProductAnswer(listed.product, store)
                answer.title = listed.title
                answer.price = listed.price.map(BasePrice.init)
                return answer
            })
    }

    /// Answers how a product is.
    func answer(_ details: ProductDetails) throws -> HTTPResponse { try .json(CatalogueDetailsAnswer(details, store)) }

    private func product(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answer(store.editing(request).details(of: request.product))
    }

    private func remove(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await store.drafting(request).remove(request.product)
        return HTTPResponse(.noContent)
    }

    private func approve(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answer(store.editing(request).approve(request.product))
    }

    private func clear(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answer(store.drafting(request).setClearedForSale(true, request.product))
    }

    private func withhold(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answer(store.drafting(request).setClearedForSale(false, request.product))
    }

    private func setPrice(_ request: HTTPRequest) async throws -> HTTPResponse {
        let storefront = try request[CataloguePaths.storefront]
        let text = try request.decode(PriceRequest.self).amount
        let price: StorefrontPrice =
            text == PriceRequest.derived ? .derived : .own(try Self.money(text, storefront.currency))
        return try await answer(store.drafting(request).setPrice(price, of: request.product, in: storefront))
    }

    private func removePrice(_ request: HTTPRequest) async throws -> HTTPResponse {
        let storefront = try request[CataloguePaths.storefront]
        return try await answer(store.drafting(request).setPrice(.notSold, of: request.product, in: storefront))
    }

    private func setBasePrice(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(BasePrice.self)
        let price = try Self.money(wanted.amount, wanted.currency)
        return try await answer(store.drafting(request).setBasePrice(price, of: request.product))
    }

    static func money(_ text: String, _ currency: Currency, field: String = "amount") throws -> Money {
        do {
            return try Money(decimal: text, currency: currency)
        } catch {
            throw CatalogueError(.valueInvalid, "it \(error.rule)", field: field)
        }
    }
}
