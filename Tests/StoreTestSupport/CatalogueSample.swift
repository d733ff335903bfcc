package import StoreCatalogue
package import StoreDatabase
package import StoreModel
import Testing

/// An app with products, as tests of the catalogue need them.
package struct CatalogueSample {
    package static let now = Instant(millisecondsSinceEpoch: 1_700_000_000_000)
    package static let bundleID = "com.example.app"
    package let app: CatalogueApp

    package init(app: CatalogueApp) {
        self.app = app
    }

    /// Enters the app.
    package static func make(
        in database: any Database, bundleID: String = bundleID, id: Int64 = 1
    ) async throws -> CatalogueSample {
        let app = try await database.write { transaction in
            try Catalogue.addApp(
                AppID(number: id), BundleID(parsing: bundleID), name: "Example", primaryLanguage: "en-US",
                CatalogueChange(.store, at: now, in: transaction))
        }
        return CatalogueSample(app: app)
    }

    package static func storefront(_ code: String) throws -> StorefrontRecord {
        try #require(StorefrontRecord.storefront(alpha3: code))
    }

    /// A draft of a consumable, sold in the United States and in Japan.
    package static func draft(
        _ id: String, kind: ProductKind = .consumable, texts: [String: ProductText]? = nil, dollars: Int64 = 99,
        period: BillingPeriod? = nil, group: String? = nil
    ) throws -> ProductDraft {
        try ProductDraft(
            ProductID(parsing: id), kind, referenceName: "Reference \(id)", period: period,
            groupID: group.map { try SubscriptionGroupID(parsing: $0) },
            texts: texts ?? ["en-US": ProductText(title: "Title \(id)", description: "Description")],
            prices: [
                StorefrontCode(rawValue: "USA"): Money(minorUnits: dollars, currency: .usd),
                StorefrontCode(rawValue: "JPN"): Money(minorUnits: 160, currency: .jpy),
            ])
    }

    @discardableResult
    package func put(
        _ draft: ProductDraft, item: Int64, isApproved: Bool = false, at time: Instant = now, in database: any Database
    ) async throws -> ProductChange {
        let app = app
        return try await database.write { transaction in
            try Catalogue.put(
                draft, of: app.id, number: { try ItemID(number: item) }, isApproved: isApproved,
                CatalogueChange(.store, at: time, in: transaction))
        }
    }

    package func product(_ id: String, in database: any Database) async throws -> CatalogueProduct? {
        let app = app
        return try await database.read { try Catalogue.product(ProductID(parsing: id), of: app.id, in: $0) }
    }

    package func listings(
        _ ids: [String], _ environment: StoreEnvironment = .sandbox, in storefront: String = "USA",
        languages: [String] = ["en-US"], at moment: CatalogueMoment = CatalogueMoment(now), of database: any Database
    ) async throws -> ProductListings {
        let (app, storefront) = (app, try Self.storefront(storefront))
        return try await database.read { transaction in
            try Catalogue.listings(
                for: ids, app: app, environment: environment, storefront: storefront, languages: languages,
                at: moment, in: transaction)
        }
    }
}

extension CatalogueMoment {
    /// A moment by clocks that show the same.
    package init(_ now: Instant, delay: Duration = .zero) {
        self.init(commerce: now, wall: now, delay: delay)
    }
}
