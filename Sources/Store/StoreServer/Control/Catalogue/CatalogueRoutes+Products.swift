import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService

extension CatalogueRoutes {
    var productRoutes: [Route] {
        let answer = OperationDocumentation.Response(.ok, "The product.", .json(.of(CatalogueDetailsAnswer.self)))
        return [
            Route.get("/control/v1/apps/{bundleId}/products", suspending: products).documented(
                CatalogueDocumentation.ofApp(
                    "listAppProducts", "The products of an app, in order of their ids.",
                    parameters: CatalogueDocumentation.page(ProductID.schema),
                    answer: .init(.ok, "A page.", .json(.of(CatalogueProductList.self))),
                    more: [.init(.badRequest, "The page is not one.", .error)])),
            Route.get("/control/v1/apps/{bundleId}/products/{productId}", suspending: product).documented(
                CatalogueDocumentation.ofProduct("readProduct", "One product with its texts and prices.", answer)),
            Route.delete("/control/v1/apps/{bundleId}/products/{productId}", suspending: remove).documented(
                CatalogueDocumentation.ofProduct(
                    "removeProduct", "Removes a product for good; its id is never used again.",
                    .init(.noContent, "It is removed."))),
            Route.post(
                "/control/v1/apps/{bundleId}/products/{productId}/approve", body: BodyPolicy.none, suspending: approve
            )
            .documented(
                CatalogueDocumentation.ofProduct("approveProduct", "Lets production sell a product.", answer)),
            Route.post(
                "/control/v1/apps/{bundleId}/products/{productId}/clear", body: BodyPolicy.none, suspending: clear
            )
            .documented(
                CatalogueDocumentation.ofProduct("clearProduct", "Puts a product on the shelves.", answer)),
            Route.post(
                "/control/v1/apps/{bundleId}/products/{productId}/withhold", body: BodyPolicy.none, suspending: withhold
            )
            .documented(
                CatalogueDocumentation.ofProduct("withholdProduct", "Takes a product off the shelves.", answer)),
            Route.put("/control/v1/apps/{bundleId}/products/{productId}/prices/{storefront}", suspending: setPrice)
                .documented(CatalogueDocumentation.setPrice(answer)),
            Route.delete(
                "/control/v1/apps/{bundleId}/products/{productId}/prices/{storefront}", suspending: removePrice
            ).documented(CatalogueDocumentation.removePrice(answer)),
        ]
    }

    private func products(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request[CataloguePaths.bundleID]
        let (limit, after) = (
            try CataloguePaths.limit(of: request), try CataloguePaths.after(ProductID.self, of: request)
        )
        let found = try await store.databases.catalogue.read { transaction in
            let app = try Self.app(id, in: transaction)
            return try Catalogue.products(of: app.id, after: after, limit: limit + 1, in: transaction)
        }
        let page = found.prefix(limit)
        return try .json(
            CatalogueProductList(
                products: page.map(CatalogueProductAnswer.init), next: found.count > limit ? page.last?.productID : nil)
        )
    }

    private func product(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (app, id) = (try request[CataloguePaths.bundleID], try request[CataloguePaths.productID])
        return try .json(
            CatalogueDetailsAnswer(
                await store.databases.catalogue.read { transaction in
                    try Catalogue.details(of: Self.product(id, of: app, in: transaction), in: transaction)
                }))
    }

    private func remove(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (app, id, now) = (try request[CataloguePaths.bundleID], try request[CataloguePaths.productID], store.now())
        try await store.databases.catalogue.write { transaction in
            try Catalogue.remove(Self.product(id, of: app, in: transaction), at: now, in: transaction)
        }
        return HTTPResponse(.noContent)
    }

    private func approve(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await change(request) { try Catalogue.approve($0, at: $1, in: $2) }
    }

    private func clear(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await change(request) { try Catalogue.setClearedForSale(true, $0, at: $1, in: $2) }
    }

    private func withhold(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await change(request) { try Catalogue.setClearedForSale(false, $0, at: $1, in: $2) }
    }

    private func setPrice(_ request: HTTPRequest) async throws -> HTTPResponse {
        let storefront = try request[CataloguePaths.storefront]
        let text = try request.decode(PriceRequest.self).amount
        let price: Money
        do {
            price = try Money(decimal: text, currency: storefront.currency)
        } catch {
            throw CatalogueError(.valueInvalid, "it \(error.rule)", field: "amount")
        }
        return try await change(request) { try Catalogue.setPrice(price, of: $0, in: storefront, at: $1, in: $2) }
    }

    private func removePrice(_ request: HTTPRequest) async throws -> HTTPResponse {
        let storefront = try request[CataloguePaths.storefront]
        return try await change(request) { try Catalogue.setPrice(nil, of: $0, in: storefront, at: $1, in: $2) }
    }

    /// Changes the product of a path, and answers how it is then.
    private func change(
        _ request: HTTPRequest,
        _ body: @escaping @Sendable (CatalogueProduct, Instant, any WriteTransaction) throws -> Void
    ) async throws -> HTTPResponse {
        let (app, id, now) = (try request[CataloguePaths.bundleID], try request[CataloguePaths.productID], store.now())
        let details = try await store.databases.catalogue.write { transaction in
            try body(Self.product(id, of: app, in: transaction), now, transaction)
            return try Catalogue.details(of: Self.product(id, of: app, in: transaction), in: transaction)
        }
        return try .json(CatalogueDetailsAnswer(details))
    }

    /// The product of an app, or the refusal that there is none. One that was removed is none.
    private static func product(
        _ id: ProductID, of bundleID: BundleID, in transaction: any ReadTransaction
    ) throws -> CatalogueProduct {
        let app = try app(bundleID, in: transaction)
        guard let product = try Catalogue.product(id, of: app.id, in: transaction), product.removedAt == nil else {
            throw CatalogueError(.productUnknown, "the app has no such product", field: "productId")
        }
        return product
    }
}
