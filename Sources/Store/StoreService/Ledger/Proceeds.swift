package import StoreCatalogue
package import StoreDatabase
package import StoreModel

/// What an app has earned in an environment, as the books have it.
package struct Proceeds: Hashable, Sendable {
    package let app: AppID
    package let currency: Currency
    /// How often something was sold, and how often money went back.
    package internal(set) var sales = 0
    package internal(set) var refunds = 0
    /// What customers paid, after what went back to them.
    package internal(set) var paid: Money
    /// What the store keeps of it.
    package internal(set) var commission: Money
    /// What the developer is owed.
    package internal(set) var proceeds: Money

    /// The proceeds of an app in each currency, between two moments of the store's clock.
    package static func list(
        of app: AppID, from start: Instant?, until end: Instant?, in transaction: any ReadTransaction
    ) throws -> [Proceeds] {
        let rows = try transaction.query(
            """
            SELECT own.currency, entry.kind, count(*), CAST(sum(paid.amount) AS \(.integer)),
                CAST(sum(kept.amount) AS \(.integer)), CAST(sum(own.amount) AS \(.integer))
            FROM ledger_posting own JOIN ledger_entry entry ON entry.id = own.entry_id
                JOIN ledger_posting paid ON paid.entry_id = own.entry_id AND paid.account = $2
                JOIN ledger_posting kept ON kept.entry_id = own.entry_id AND kept.account = $3
            WHERE own.account = $1 AND entry.at >= $4 AND entry.at < $5
            GROUP BY own.currency, entry.kind ORDER BY own.currency, entry.kind
            """, Ledger.Account.proceeds(of: app).name, Ledger.Account.processor.name, Ledger.Account.commission.name,
            start?.millisecondsSinceEpoch ?? .min, end?.millisecondsSinceEpoch ?? .max
        ) { row in
            var cells = row.cells
            return try Sum(
                currency: cells.next(), kind: cells.next(), count: cells.next(), paid: cells.next(),
                commission: cells.next(), proceeds: cells.next())
        }
        var found: [Currency: Proceeds] = [:]
        for row in rows {
            let none = Money.zero(row.currency)
            var sum =
                found[row.currency]
                ?? Proceeds(app: app, currency: row.currency, paid: none, commission: none, proceeds: none)
            switch Ledger.Kind(rawValue: row.kind) {
            case .refund: sum.refunds += row.count
            case .reversal: sum.refunds -= row.count
            default: sum.sales += row.count
            }
            // What an account has to give counts down in the books.
            sum.paid = try sum.paid + Money(minorUnits: row.paid, currency: row.currency)
            sum.commission = try sum.commission - Money(minorUnits: row.commission, currency: row.currency)
            sum.proceeds = try sum.proceeds - Money(minorUnits: row.proceeds, currency: row.currency)
            found[row.currency] = sum
        }
        return found.values.sorted { $0.currency.code < $1.currency.code }
    }

    private struct Sum {
        let currency: Currency
        let kind: String
        let count: Int
        let paid: Int64
        let commission: Int64
        let proceeds: Int64
    }
}

/// What apps have earned in an environment, for their teams. It is read also where nothing is sold, because the store was
/// opened for its catalogue only.
package struct ProceedsReports: Sendable {
    private let database: any Database

    /// - Parameter database: that of the environment.
    package init(_ database: any Database) {
        self.database = database
    }

    /// Apps, each with its sums, between two moments of the store's clock.
    package func list(
        of apps: [CatalogueApp], from start: Instant?, until end: Instant?
    ) async throws -> [(app: CatalogueApp, proceeds: [Proceeds])] {
        try await database.read { transaction in
            try apps.map { ($0, try Proceeds.list(of: $0.id, from: start, until: end, in: transaction)) }
        }
    }

    /// Reports of the same books.
    ///
    /// - Parameter clock: the time by the store's clock.
    package func finance(clock: @escaping @Sendable () -> Instant) -> Finance { Finance(database, clock: clock) }
}
