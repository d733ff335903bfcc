package import StoreCatalogue
import StoreDatabase
package import StoreModel
package import StoreRules

/// The subscriptions of a customer, as the customer sees and handles them on a page of the store.
package struct OwnSubscriptions: Sendable {
    let store: EnvironmentStore

    /// The most of one customer that are looked through.
    static let most = 500
    /// How long one is shown that has ended.
    private static let memory = Duration.seconds(365 * 24 * 60 * 60)

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// One of them.
    package struct Entry: Sendable {
        package let id: SubscriptionID
        /// What the product is called.
        package let title: String
        package let app: CatalogueApp?
        package let rules: Subscription
        /// Whether the customer may change whether it renews: who asks before buying turns none on alone.
        package let mayChange: Bool
    }

    /// Those that have not ended, or not long ago, the newest first.
    ///
    /// - Parameter language: that of the titles, where they have one in it.
    package func list(of scope: WebScope, language: String) async throws -> [Entry] {
        let selection = SubscriptionChanges.Selection(customer: scope.customer, limit: Self.most)
        let all = try await SubscriptionChanges(store).list(selection, ofCustomer: nil)
        guard !all.isEmpty else { return [] }
        let (asks, now) = try await store.database.read { [clocks = store.clocks] transaction in
            (
                try Customers.require(scope.customer, in: transaction).asksToBuy,
                clocks.now(by: try CustomerClock.of(scope.customer, in: transaction)).commerce
            )
        }
        let found = all.filter {
            $0.subscription.state.isLive || now - $0.subscription.rules.countsUntil < Self.memory
        }
        return try await store.catalogue.read { transaction in
            let titles = try Catalogue.titles(of: found.map(\.plan.item), language: language, in: transaction)
            let apps = try Catalogue.apps(all: Set(found.map(\.subscription.scope.app)), in: transaction)
            return found.map { one in
                Entry(
                    id: one.id, title: titles[one.plan.item] ?? one.plan.product.text,
                    app: apps[one.subscription.scope.app], rules: one.subscription.rules,
                    mayChange: one.subscription.state.isLive && (!asks || one.subscription.rules.renews))
            }
        }
    }

    /// Lets one end with its period, or renew after all. One that has ended meanwhile stays as it is.
    package func renew(
        _ id: SubscriptionID, _ renews: Bool, as scope: WebScope, request: String?
    ) async throws {
        do {
            try await SubscriptionChanges(store).renew(
                id, renews, of: scope.customer, store.cause(.customer(scope.customer), request: request))
        } catch let error as ServiceError where error.code == .tooLate {
            let found = try await store.database.read { try Subscriptions.require(id, in: $0) }
            guard !found.rules.state.isLive else { throw error }
        }
    }
}
