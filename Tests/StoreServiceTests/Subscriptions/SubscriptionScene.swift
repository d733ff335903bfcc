import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import Testing

@testable import StoreService

/// What tests do with subscriptions: buy them, and let time go by.
extension SaleScene {
    /// A subscription of the group 20001.
    static func plan(
        _ number: Int64 = 1001, level: Int? = nil, cents: Int64 = 499, period: String = "P1M",
        offer: OfferTerms? = nil
    ) throws -> SoldItem {
        let item = SoldItem(
            id: try ItemID(number: number), product: try ProductID(parsing: "com.example.item\(number)"),
            kind: .autoRenewable, period: try BillingPeriod(parsing: period),
            group: try SubscriptionGroupID(parsing: "20001"), unitPrice: Money(minorUnits: cents, currency: .usd),
            storefront: StorefrontCode(rawValue: "USA"), level: level)
        return offer.map(item.offered) ?? item
    }

    /// Sets what the plan 1001 costs in the catalogue, at once or from an instant on.
    func setPrice(_ cents: Int64, from start: Instant? = nil) async throws {
        let (now, price) = (time.current, Money(minorUnits: cents, currency: .usd))
        try await store.catalogue.write { transaction in
            let product = try #require(
                try Catalogue.product(
                    ProductID(parsing: "com.example.item1001"), of: AppID(number: 42), in: transaction))
            let usa = try #require(StorefrontRecord.storefront(alpha3: "USA"))
            let change = CatalogueChange(.store, at: now, in: transaction)
            if let start {
                try PriceChanges.set(price, of: product, in: usa, from: start, change)
            } else {
                try Catalogue.setPrice(.own(price), of: product, in: usa, change)
            }
        }
    }

    /// Does all that becomes due up to an instant, and lets it be that time.
    @discardableResult
    func pass(until end: Instant) async throws -> DrainReport {
        let scheduler = WorkScheduler(
            store.database, handlers: Recovery(store).handlers, name: "test", wallTime: time.reading)
        let report = try await scheduler.drain(from: time.current, until: end)
        time.pass(end - time.current)
        _ = try await scheduler.drain(clock: .wall, from: time.current, until: time.current)
        return report
    }

    func pass(days: Int64) async throws {
        try await pass(until: time.current.adding(milliseconds: days * 86_400_000))
    }

    /// The only subscription.
    func subscription() async throws -> StoredSubscription {
        try await store.database.read { transaction in
            let id = try transaction.value("SELECT max(original_id) FROM subscription", as: SubscriptionID.self)
            return try Subscriptions.require(id, in: transaction)
        }
    }

    /// All periods of it, the oldest first.
    func periods() async throws -> [StoreTransaction] {
        let original = try await subscription().original
        return try await store.database.read { try Subscriptions.transactions(of: original, in: $0) }
    }

    /// Takes in what the customer wants.
    func handle(_ event: Subscription.Event) async throws {
        let cause = store.cause(.customer)
        let id = try await subscription().id
        _ = try await store.database.write { transaction in
            let stored = try Subscriptions.require(id, in: transaction)
            try Subscriptions.handle(
                event, of: stored, cause.change(of: stored.scope.customer, in: transaction))
        }
    }

    /// Enters the products of the plans, as the catalogue is asked whether they are still sold. They cost more there than
    /// anybody pays, so that no price falls.
    func enterPlans(_ numbers: [Int64] = [1001, 1002, 1003]) async throws {
        let now = time.current
        try await store.catalogue.write { transaction in
            guard try Catalogue.app(AppID(number: 42), in: transaction) == nil else { return }
            let bundle = try BundleID(parsing: "com.example.app42")
            let app = try Catalogue.addApp(
                AppID(number: 42), bundle, name: "App", primaryLanguage: "en-US",
                CatalogueChange(.store, at: now, in: transaction))
            for number in numbers {
                let draft = try ProductDraft(
                    ProductID(parsing: "com.example.item\(number)"), .autoRenewable, referenceName: "Plan \(number)",
                    period: .oneMonth, groupID: SubscriptionGroupID(parsing: "20001"),
                    texts: ["en-US": ProductText(title: "Plan", description: "A plan")],
                    prices: [StorefrontCode(rawValue: "USA"): Money(minorUnits: 9_999, currency: .usd)])
                _ = try Catalogue.put(
                    draft, of: app.id, number: { try ItemID(number: number) }, isApproved: true,
                    CatalogueChange(.store, at: now, in: transaction))
            }
        }
    }
}
