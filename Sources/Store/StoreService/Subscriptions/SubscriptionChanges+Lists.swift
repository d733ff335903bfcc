import StoreCatalogue
import StoreDatabase
package import StoreModel
package import StoreRules

/// Subscriptions as lists and pages show them.
extension SubscriptionChanges {
    /// A subscription at the time of its customer.
    package struct Entry: Sendable {
        package let subscription: StoredSubscription
        package let now: Instant

        package var id: SubscriptionID { subscription.id }
        /// What the customer has.
        package var plan: SubscriptionPlan { subscription.rules.plan(at: now) }

        /// Subscriptions with the times of their customers.
        static func all(
            _ found: [StoredSubscription], _ clocks: StoreClocks, in transaction: any ReadTransaction
        ) throws -> [Entry] {
            let own = try CustomerClock.of(all: found.map(\.scope.customer), in: transaction)
            return found.map { Entry(subscription: $0, now: clocks.now(by: own[$0.scope.customer]).commerce) }
        }
    }

    /// The selected subscriptions of the customer of a number or an address, if one is named.
    package func list(_ selection: Selection, ofCustomer name: String?) async throws -> [Entry] {
        try await store.database.read { [clocks = store.clocks] transaction in
            var selection = selection
            if let name { selection.customer = try Customers.named(name, in: transaction).id }
            return try Entry.all(Subscriptions.list(selection, in: transaction), clocks, in: transaction)
        }
    }

    /// Subscriptions that were looked for, with all that a list shows of them.
    package struct Listed: Sendable {
        /// Which were looked for, when the text was understood.
        package let selection: Selection
        package let found: [Entry]
        package let owners: [CustomerID: Customer]
        /// The titles of the products.
        package let titles: [ItemID: String]
    }

    /// Those that are meant.
    ///
    /// - Parameter text: a customer, an app or a product that the selection is narrowed to; all if it is empty.
    package func list(_ selection: Selection, narrowedTo text: String) async throws -> Listed {
        let narrowed = try await narrow(selection, to: text)
        let (found, owners) = try await store.database.read { [clocks = store.clocks] transaction in
            let found = narrowed.limit == 0 ? [] : try Subscriptions.list(narrowed, in: transaction)
            return (
                try Entry.all(found, clocks, in: transaction),
                try Customers.find(all: found.map(\.scope.customer), in: transaction)
            )
        }
        return Listed(
            selection: narrowed, found: found, owners: owners,
            titles: try await store.titles(of: found.map(\.plan.item)))
    }

    private func narrow(_ wanted: Selection, to text: String) async throws -> Selection {
        guard !text.isEmpty else { return wanted }
        var selection = wanted
        if text.contains("@") || CustomerID(text) != nil {
            selection.customer = try await store.database.read { try? Customers.named(text, in: $0).id }
            // Nobody of this address has subscribed to anything.
            if selection.customer == nil { selection.limit = 0 }
        } else if let bundle = BundleID(text),
            let app = try await store.catalogue.read({ try Catalogue.app(bundle, in: $0) })
        {
            selection.app = app.id
        } else {
            selection.product = ProductID(text)
            if selection.product == nil { selection.limit = 0 }
        }
        return selection
    }

    /// A subscription with all that its page shows.
    package struct Shown: Sendable {
        package let details: Details
        package let customer: Customer?
        /// The titles of the products that it is or was of.
        package let titles: [ItemID: String]
    }

    package func show(_ id: SubscriptionID) async throws -> Shown {
        let details = try await details(of: id)
        let (owner, rules) = (details.subscription.scope.customer, details.subscription.rules)
        let items =
            [rules.plan.item, rules.running?.plan.item, rules.next?.item].compactMap(\.self)
            + details.periods.map(\.itemID)
        return Shown(
            details: details, customer: try await store.database.read { try Customers.find(owner, in: $0) },
            titles: try await store.titles(of: Array(Set(items))))
    }

    /// Lets the customer of a subscription pay with something else from now on.
    package func pay(for id: SubscriptionID, with token: String, _ cause: ChangeCause) async throws {
        let customer = try await store.database.read { try Subscriptions.require(id, in: $0).scope.customer }
        try await Accounts(store).pay(with: token, as: "\(customer)", cause)
    }
}
