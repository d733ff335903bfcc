import StoreDatabase
package import StoreModel

/// Finds purchases, and orders that no device asked for, for those who look after the store.
package struct SaleLookup: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// A sale and everything that happened to it.
    package struct Details: Sendable {
        package let status: SaleStatus
        package let history: [SaleHistoryEntry]

        init(_ status: SaleStatus, in transaction: any ReadTransaction) throws {
            self.status = status
            history = try status.history(in: transaction)
        }
    }

    /// The sale of a name: its number, that of its transaction, a code, a request, or the word `last`.
    package func sale(named name: String) async throws -> Details {
        try await store.database.read { try Details(SaleStatus.named(name, in: $0), in: $0) }
    }

    package func sale(_ id: SaleID) async throws -> Details {
        try await store.database.read { try Details(SaleStatus.require(id, in: $0), in: $0) }
    }

    /// What happened to a sale that was read already.
    package func details(of status: SaleStatus) async throws -> Details {
        try await store.database.read { try Details(status, in: $0) }
    }

    /// Sales after one, in their order; of the customer of a number or an address, if one is named.
    ///
    /// - Parameter isWaiting: whether only those are meant that wait for the processor.
    package func list(
        ofCustomer name: String?, waiting isWaiting: Bool, after id: SaleID?, limit: Int
    ) async throws -> [SaleStatus] {
        try await store.database.read { transaction in
            try SaleStatus.list(
                of: try name.map { try Customers.named($0, in: transaction).id }, waiting: isWaiting, after: id,
                limit: limit, in: transaction)
        }
    }
}
