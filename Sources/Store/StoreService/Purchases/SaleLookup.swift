import StoreCatalogue
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
        ofCustomer name: String?, waiting isWaiting: Bool, wantedIn period: ReportPeriod = .always,
        for amount: AmountRange = .any, after id: SaleID?, limit: Int
    ) async throws -> [SaleStatus] {
        let isNarrow = period != .always || amount != .any
        guard !isNarrow || !isWaiting else {
            throw ServiceError(
                .valueInvalid, "what waits for the processor is not narrowed by days or amounts", parameter: "waiting")
        }
        return try await store.database.read { transaction in
            let customer = try name.map { try Customers.named($0, in: transaction).id }
            guard isNarrow else {
                return try SaleStatus.list(
                    of: customer, waiting: isWaiting, after: id, limit: limit, in: transaction)
            }
            var search = SaleSearch(customer: customer, after: id, isOldestFirst: true, limit: limit)
            (search.period, search.amount) = (period, amount)
            // A program wants a whole page, however many numbers have to be looked through for it.
            search.window = SaleSearch.allNumbers
            return try search.run(in: transaction).found.map(\.status)
        }
    }
}
