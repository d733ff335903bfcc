import StoreDatabase
package import StoreModel
package import StoreRules

/// An app in a list, with what keeps it from selling.
package struct AppStanding: Hashable, Sendable {
    package let app: CatalogueApp
    /// Nil if it may sell.
    package let obstacle: ProductObstacle?
    /// The name of its team.
    package let team: String
}

/// A product in a list, with what keeps it from being sold.
package struct ProductStanding: Hashable, Sendable {
    package let product: CatalogueProduct
    /// In the language of the app; what has no text is called as its developer calls it.
    package let title: String
    /// In the United States.
    package let price: Money?
    /// Nil if it is sold.
    package let obstacle: ProductObstacle?
}

/// An app with what its page shows.
package struct AppOverview: Hashable, Sendable {
    package let app: CatalogueApp
    package let products: [ProductStanding]
    /// What keeps the whole app from selling; nil if nothing does.
    package let obstacle: ProductObstacle?
    package let grace: GracePeriodSetting
}

/// A product with what its page shows.
package struct ProductOverview: Hashable, Sendable {
    package let app: CatalogueApp
    package let details: ProductDetails
    /// The same as production sells it, where that was drafted otherwise; nil where it is the same.
    package let published: ProductDetails?
    /// What keeps the whole app from selling; nil if nothing does.
    package let appObstacle: ProductObstacle?
    /// The newest content that is there, where the store hosts any.
    package let content: HostedContent?
    /// Those of a subscription that renews.
    package let offers: [SubscriptionOffer]
}

/// A product with its hosted content.
package struct ProductContents: Hashable, Sendable {
    package let app: CatalogueApp
    package let product: CatalogueProduct
    /// The newest upload first.
    package let versions: [HostedContent]
    /// Of one version, where one is asked for.
    package let files: [HostedContent.File]
}

/// What menus show of the catalogue.
package struct CatalogueOutline: Hashable, Sendable {
    package let apps: [CatalogueApp]
    /// How many products and versions wait for a reviewer.
    package let waiting: Int
    /// How many products have something that waits for its publication.
    package let drafts: Int
}

extension CatalogueEditing {
    /// The first apps that the actor may see, and how much waits for a reviewer.
    package func outline(apps limit: Int) async throws -> CatalogueOutline {
        try await read { transaction in
            CatalogueOutline(
                apps: try Catalogue.apps(of: actor.team, limit: limit, in: transaction),
                waiting: try ProductReviews.queueCount(of: actor.team, in: transaction)
                    + ReviewCases.versionCount(of: actor.team, in: transaction),
                drafts: try CatalogueDrafts.count(of: actor.team, in: transaction))
        }
    }

    /// The apps after a bundle id that the actor may see, with what keeps them from selling.
    package func standings(after id: BundleID?, limit: Int) async throws -> [AppStanding] {
        let now = now()
        return try await read { transaction in
            let apps = try Catalogue.apps(of: actor.team, after: id, limit: limit, in: transaction)
            let obstacles = try Catalogue.obstacles(of: apps, at: now, in: transaction)
            let teams = try Teams.find(ofApps: apps.map(\.id), in: transaction)
            return apps.map { AppStanding(app: $0, obstacle: obstacles[$0.id], team: teams[$0.id]?.name ?? "") }
        }
    }

    /// An app, with its products after one as an environment sells them.
    package func overview(
        of id: BundleID, in environment: StoreEnvironment, productsAfter product: ProductID?, limit: Int
    ) async throws -> AppOverview {
        let moment = CatalogueMoment(commerce: commerce(), wall: now())
        return try await read { transaction in
            let app = try app(id, in: transaction)
            return AppOverview(
                app: app,
                products: try standings(
                    of: Catalogue.products(
                        of: app.id, after: product, limit: limit, withDraftedRemovals: true, in: transaction), of: app,
                    in: environment, at: moment, transaction),
                obstacle: try Catalogue.obstacle(of: app, at: moment.wall, in: transaction),
                grace: try GracePeriods.setting(of: app.id, in: transaction))
        }
    }

    private func standings(
        of products: [CatalogueProduct], of app: CatalogueApp, in environment: StoreEnvironment,
        at moment: CatalogueMoment, _ transaction: any ReadTransaction
    ) throws -> [ProductStanding] {
        guard let usa = StorefrontRecord.storefront(alpha3: "USA") else { return [] }
        let titles = try Catalogue.summaries(
            of: products, of: app, in: usa, environment, at: moment.commerce, in: transaction)
        let found = try Catalogue.listings(
            for: products.map(\.productID.text), app: app, environment: environment, storefront: usa,
            languages: ["en-US"], at: moment, isForPeople: true, in: transaction)
        let obstacles = Dictionary(found.invalid.map { ($0.id, $0.obstacle) }) { first, _ in first }
        return products.map { product in
            let (title, price) = titles[product.itemID] ?? (nil, nil)
            return ProductStanding(
                product: product, title: title.flatMap { $0.isEmpty ? nil : $0 } ?? product.referenceName,
                price: price, obstacle: obstacles[product.productID.text])
        }
    }

    /// A product, with its texts, prices, content and offers.
    package func overview(of path: ProductPath) async throws -> ProductOverview {
        let (now, commerce) = (now(), commerce())
        return try await read { transaction in
            let (app, product) = (try app(path.app, in: transaction), try shown(path, in: transaction))
            let contents = product.hostsContent ? try HostedContent.list(of: product.itemID, in: transaction) : []
            let details = try Catalogue.details(of: product, at: commerce, in: transaction)
            let editions = try ProductEditions.published(of: [product], in: .production, transaction)
            return ProductOverview(
                app: app, details: details, published: editions[product.itemID].map(details.published),
                appObstacle: try Catalogue.obstacle(of: app, at: now, in: transaction),
                content: contents.first { $0.isKept(in: .sandbox) },
                offers: try SubscriptionOffers.list(of: product.itemID, in: transaction))
        }
    }

    /// A product with the versions of its content; with the files of one of them, if one is asked for.
    package func productContents(of path: ProductPath, version number: Int? = nil) async throws -> ProductContents {
        try await read { transaction in
            let (app, product) = (try app(path.app, in: transaction), try shown(path, in: transaction))
            guard let number else {
                return ProductContents(
                    app: app, product: product,
                    versions: try HostedContent.list(of: product.itemID, in: transaction), files: [])
            }
            let content = try HostedContent.require(number, of: product, in: transaction)
            return ProductContents(
                app: app, product: product, versions: [content], files: try content.files(in: transaction))
        }
    }

    /// What waits for a reviewer or is in review, with what its line in a list shows.
    package func waitingForReview(limit: Int) async throws -> [ProductReviews.Waiting] {
        try await read(for: .review) { try ProductReviews.waiting(of: actor.team, limit: limit, in: $0) }
    }
}
