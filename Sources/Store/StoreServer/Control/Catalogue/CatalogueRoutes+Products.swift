import StoreCatalogue
import StoreDatabase
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
                    parameters: Self.product, answers: [.init(.noContent, "It is removed.")], refusals: .product),
            product(
                .post(RoutePattern(one + "/clearance"), body: BodyPolicy.none, suspending: clear), "clearProduct",
                "Puts a product on the shelves."),
            product(
                .delete(RoutePattern(one + "/clearance"), suspending: withhold), "withholdProduct",
                "Takes a product off the shelves."),
            product(
                .put(RoutePattern(one + price), suspending: setPrice), "setPrice",
                "Sets what a product costs in a storefront.", Self.storefront, body: .of(PriceRequest.self)),
            product(
                .put(RoutePattern(one + "/price"), suspending: setBasePrice), "setBasePrice",
                "Sets what a product costs in every storefront that has no price of its own.",
                body: .of(BasePrice.self)),
            product(
                .delete(RoutePattern(one + price), suspending: removePrice), "removePrice",
                "Takes a product out of a storefront.", Self.storefront),
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
        let (found, summaries) = try await store.databases.catalogue.read { transaction in
            let app = try Self.app(id, in: transaction)
            let found = try Catalogue.products(of: app.id, after: wanted.after, limit: wanted.rows, in: transaction)
            return (
                found,
                try Catalogue.summaries(
                    of: found, of: app, in: StorefrontRecord.storefront(alpha3: "USA"), in: transaction)
            )
        }
        return try .json(
            wanted.page(of: found, by: \.productID) { product in
                var answer = CatalogueProductAnswer(product, store)
                answer.title = summaries[product.itemID]?.title
                answer.price = summaries[product.itemID]?.price.map(BasePrice.init)
                return answer
            })
    }

    private func product(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (app, id, now) = (try request[CataloguePaths.bundleID], try request[CataloguePaths.productID], store.now())
        return try .json(
            CatalogueDetailsAnswer(
                await store.databases.catalogue.read { transaction in
                    try Catalogue.details(of: Self.product(id, of: app, in: transaction), at: now, in: transaction)
                }, store))
    }

    private func remove(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (app, id) = (try request[CataloguePaths.bundleID], try request[CataloguePaths.productID])
        let cause = request.catalogueCause(at: store.now())
        try await store.databases.catalogue.write { transaction in
            try Catalogue.remove(Self.product(id, of: app, in: transaction), cause, in: transaction)
        }
        return HTTPResponse(.noContent)
    }

    private func approve(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await change(request) { try Catalogue.approve($0, $1, in: $2) }
    }

    private func clear(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await change(request) { try Catalogue.setClearedForSale(true, $0, $1, in: $2) }
    }

    private func withhold(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await change(request) { try Catalogue.setClearedForSale(false, $0, $1, in: $2) }
    }

    private func setPrice(_ request: HTTPRequest) async throws -> HTTPResponse {
        let storefront = try request[CataloguePaths.storefront]
        let text = try request.decode(PriceRequest.self).amount
        let price: StorefrontPrice =
            text == PriceRequest.derived ? .derived : .own(try Self.money(text, storefront.currency))
        return try await change(request) {
            try Catalogue.setPrice(price, of: $0, in: storefront, $1, in: $2)
        }
    }

    private func setBasePrice(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(BasePrice.self)
        let price = try Self.money(wanted.amount, wanted.currency)
        return try await change(request) { try Catalogue.setBasePrice(price, of: $0, $1, in: $2) }
    }

    static func money(_ text: String, _ currency: Currency, field: String = "amount") throws -> Money {
        do {
            return try Money(decimal: text, currency: currency)
        } catch {
            throw CatalogueError(.valueInvalid, "it \(error.rule)", field: field)
        }
    }

    private func removePrice(_ request: HTTPRequest) async throws -> HTTPResponse {
        let storefront = try request[CataloguePaths.storefront]
        return try await change(request) {
            try Catalogue.setPrice(.notSold, of: $0, in: storefront, $1, in: $2)
        }
    }

    /// Changes the product of a path, and answers how it is then.
    func change(
        _ request: HTTPRequest,
        _ body: @escaping @Sendable (CatalogueProduct, CatalogueCause, any WriteTransaction) throws -> Void
    ) async throws -> HTTPResponse {
        let (app, id) = (try request[CataloguePaths.bundleID], try request[CataloguePaths.productID])
        let cause = request.catalogueCause(at: store.now())
        let details = try await store.databases.catalogue.write { transaction in
            try body(Self.product(id, of: app, in: transaction), cause, transaction)
            return try Catalogue.details(of: Self.product(id, of: app, in: transaction), at: cause.at, in: transaction)
        }
        return try .json(CatalogueDetailsAnswer(details, store))
    }

    /// The product of an app, or the refusal that there is none. One that was removed is none.
    static func product(
        _ id: ProductID, of bundleID: BundleID, in transaction: any ReadTransaction
    ) throws -> CatalogueProduct {
        let app = try app(bundleID, in: transaction)
        guard let product = try Catalogue.product(id, of: app.id, in: transaction), product.removedAt == nil else {
            throw CatalogueError(.productUnknown, "the app has no such product", field: "productId")
        }
        return product
    }
}
