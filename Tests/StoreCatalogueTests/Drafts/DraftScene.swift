import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import Testing

/// An app with products that production sells, and those who change them.
struct DraftScene {
    static let now = CatalogueSample.now
    static let later = now + .seconds(3600)

    let databases: StoreDatabases
    let sample: CatalogueSample

    /// - Parameter products: the ids of consumables; those that begin with `club` are subscriptions.
    init(_ databases: StoreDatabases, _ products: [String] = ["coins", "club"], isApproved: Bool = true) async throws {
        self.databases = databases
        sample = try await CatalogueSample.make(in: databases.catalogue)
        for (number, product) in products.enumerated() {
            let draft =
                product.hasPrefix("club")
                ? try CatalogueSample.draft(product, kind: .autoRenewable, period: .oneMonth, group: "club")
                : try CatalogueSample.draft(product)
            try await sample.put(draft, item: Int64(10 + number), isApproved: isApproved, in: databases.catalogue)
        }
    }

    /// Somebody with a token of an environment.
    func actor(_ environment: StoreEnvironment, role: OperatorTokens.Role = .operator) async throws -> Actor {
        let token = OperatorTokens.token(of: Array(repeating: UInt8(environment == .sandbox ? 1 : 2), count: 32))
        return Actor(
            try await databases.catalogue.write {
                try OperatorTokens.add(
                    token, name: "\(environment)", for: environment, role: role,
                    CatalogueChange(.owner, at: Self.now, in: $0))
            })
    }

    func editing(by actor: Actor = .owner, at time: Instant = now) -> CatalogueEditing {
        CatalogueEditing(databases.catalogue, by: actor, request: "r") { time }
    }

    func path(_ product: String) throws -> ProductPath {
        ProductPath(sample.app.bundleID, try ProductID(parsing: product))
    }

    func choice(_ products: String...) throws -> CatalogueDrafts.Choice {
        CatalogueDrafts.Choice(app: sample.app.bundleID, products: try products.map { try ProductID(parsing: $0) })
    }

    /// Everything that an environment says of a product in some storefronts.
    func sold(
        _ product: String, _ environment: StoreEnvironment, at time: Instant = later
    ) async throws -> [ProductListings] {
        var found: [ProductListings] = []
        for storefront in ["USA", "JPN", "DEU"] {
            found.append(
                try await sample.listings(
                    [product], environment, in: storefront, at: CatalogueMoment(time), of: databases.catalogue))
        }
        return found
    }

    /// What it costs in the United States; nil where it is not sold.
    func cents(_ product: String, _ environment: StoreEnvironment, at time: Instant = later) async throws -> Int64? {
        try await sold(product, environment, at: time)[0].listings.first?.price.minorUnits
    }

    static func dollars(_ cents: Int64) -> Money { Money(minorUnits: cents, currency: .usd) }

    /// The words by which an environment sells, without what says when something was changed.
    func text(_ product: String, _ environment: StoreEnvironment) async throws -> [String] {
        try await sold(product, environment).flatMap { answer in
            answer.listings.map { listing in
                "\(listing.title) \(listing.price) \(listing.product.isFamilyShareable) \(listing.product.level ?? 0) "
                    + "\(listing.product.taxCategory?.rawValue ?? "") \(listing.offers.map(\.offer.summary))"
            } + answer.invalid.map(\.explanation)
        }
    }
}
