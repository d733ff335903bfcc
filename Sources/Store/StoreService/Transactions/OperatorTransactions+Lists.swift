import StoreCatalogue
import StoreDatabase
package import StoreModel

/// Sales as lists and pages show them.
extension OperatorTransactions {
    /// Sales that were looked for, with all that a list shows of them.
    package struct Listed: Sendable {
        package let found: [SaleSearch.Found]
        /// After which the next ones are; nil if none follow.
        package let next: SaleID?
        /// Whether more sales are to be looked through, among which there may be some or none.
        package let isCut: Bool
        /// The titles of the products.
        package let titles: [ItemID: String]
        /// What distinguishes the books of now from those of before.
        package let pulse: String
    }

    /// Looks for sales.
    ///
    /// - Parameter text: a customer, an app or a product that the search is narrowed to; all if it is empty.
    package func list(_ search: SaleSearch, narrowedTo text: String = "") async throws -> Listed {
        let (page, pulse) = try await store.database.read { transaction in
            var search = search
            try search.narrow(to: text, in: transaction)
            return (try search.run(in: transaction), try SaleStatus.pulse(in: transaction))
        }
        return Listed(
            found: page.found, next: page.next, isCut: page.isCut,
            titles: try await store.titles(of: page.found.map { try $0.status.terms.item.id }), pulse: pulse)
    }

    /// What distinguishes the books of now from those of before, for those who wait for something to happen.
    package func pulse() async throws -> String {
        try await store.database.read { try SaleStatus.pulse(in: $0) }
    }

    /// One sale, with all that its page shows.
    package struct Shown: Sendable {
        /// The title of the product.
        package let title: String
        /// Nil for what a restore brought back.
        package let status: SaleStatus?
        package let history: [SaleHistoryEntry]
        package let customer: Customer?
        /// Nil while nothing was delivered.
        package let details: Details?
        /// What distinguishes the books of now from those of before.
        package let pulse: String
    }

    /// The sale of a transaction.
    package func show(_ id: TransactionID) async throws -> Shown {
        let details = try await details(of: id)
        let sold = details.transaction
        let (customer, pulse) = try await store.database.read { transaction in
            (try Customers.find(sold.customerID, in: transaction), try SaleStatus.pulse(in: transaction))
        }
        return Shown(
            title: try await store.titles(of: [sold.itemID])[sold.itemID] ?? sold.productID.text,
            status: details.sale, history: details.history, customer: customer, details: details, pulse: pulse)
    }

    /// The sale of a number, a code or the id of a request.
    package func show(named name: String) async throws -> Shown {
        let (status, history, customer, pulse) = try await store.database.read { transaction in
            let status = try SaleStatus.named(name, in: transaction)
            return (
                status, try status.history(in: transaction),
                try status.terms.customer.flatMap { try Customers.find($0, in: transaction) },
                try SaleStatus.pulse(in: transaction)
            )
        }
        if let bought = status.bought, bought.orderID == status.id { return try await show(bought.id) }
        let item = try status.terms.item
        return Shown(
            title: try await store.titles(of: [item.id])[item.id] ?? item.product.text, status: status,
            history: history, customer: customer, details: nil, pulse: pulse)
    }
}

extension SaleSearch {
    /// Narrows a search to what a text names: a customer, an app or a product.
    mutating func narrow(to text: String, in transaction: any ReadTransaction) throws {
        guard !text.isEmpty else { return }
        if text.contains("@") || CustomerID(text) != nil {
            customer = (try? Customers.named(text, in: transaction))?.id
            // Nobody of this address has bought anything.
            if customer == nil { limit = 0 }
        } else {
            name = text
        }
    }
}

extension EnvironmentStore {
    /// The titles of products, in the language of their apps.
    func titles(of items: [ItemID]) async throws -> [ItemID: String] {
        try await catalogue.read { try Catalogue.titles(of: items, in: $0) }
    }
}
