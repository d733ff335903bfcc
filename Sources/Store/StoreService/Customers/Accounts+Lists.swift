import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

/// Accounts as lists and pages show them.
extension Accounts {
    /// Accounts of which the address has a text in it, or the one of a number; with an empty text all.
    ///
    /// - Parameter id: only those that follow this one.
    package func search(
        _ text: String, by order: Customers.Order, isDescending: Bool, madeIn period: ReportPeriod = .always,
        after id: CustomerID?, limit: Int
    ) async throws -> [Customer] {
        try await store.database.read { transaction in
            if CustomerID(text) != nil { return (try? Customers.named(text, in: transaction)).map { [$0] } ?? [] }
            return try Customers.search(
                text, by: order, isDescending: isDescending, madeIn: period, after: id, limit: limit, in: transaction)
        }
    }

    /// An account with what its customer has.
    package struct Details: Sendable {
        package let account: Account
        /// The newest first.
        package let sales: [SaleSearch.Found]
        package let subscriptions: [SubscriptionChanges.Entry]
        /// Those on which the customer is signed in.
        package let devices: [DeviceRecord]
        package let family: Family?
        /// The titles of the products.
        package let titles: [ItemID: String]
    }

    /// The account of a number or an address, with what its customer has.
    ///
    /// - Parameter limit: how many sales, subscriptions and devices are told at most.
    package func details(of name: String, limit: Int) async throws -> Details {
        let clocks = store.clocks
        let (account, sales, subscriptions, devices, family) = try await store.database.read { transaction in
            let account = try Account(Customers.named(name, in: transaction).id, in: transaction)
            let id = account.customer.id
            return (
                account, try SaleSearch(customer: id, limit: limit).run(in: transaction).found,
                try SubscriptionChanges.Entry.all(
                    Subscriptions.list(.init(customer: id, limit: limit), in: transaction), clocks, in: transaction),
                try DeviceRecord.list(of: id, after: nil, limit: limit, in: transaction),
                try Families.find(of: id, in: transaction)
            )
        }
        let items = try sales.map { try $0.status.terms.item.id } + subscriptions.map(\.plan.item)
        return Details(
            account: account, sales: sales, subscriptions: subscriptions, devices: devices, family: family,
            titles: try await store.titles(of: items))
    }
}
