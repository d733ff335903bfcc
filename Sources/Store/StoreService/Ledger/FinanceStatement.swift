package import StoreCatalogue
package import StoreDatabase
package import StoreModel

/// What a team has earned in a month, product by product, beside the accounts of the books that it equals.
package struct FinanceStatement: Hashable, Sendable {
    /// The account of an app, and what was booked on it in the month.
    package struct Account: Hashable, Sendable {
        package let name: String
        package let bundle: BundleID
        /// What the developer is owed by it.
        package let proceeds: Money
        /// Whether the lines of the statement come to the same.
        package let isEqual: Bool
    }

    package let team: TeamID
    package let teamName: String
    package let month: ReportMonth
    /// Whether the month is over by the store's clock, so that nothing more is booked in it.
    package let isFinal: Bool
    /// By product and currency.
    package let lines: [FinanceReport.Row]
    package let totals: [LedgerSums]
    package let accounts: [Account]
    /// Bank and tax data without which nothing could be paid out.
    package let missing: [String]
    /// Whether there are more lines, which the totals have too.
    package let isCut: Bool

    /// Whether every account was booked what the lines say.
    package var isEqual: Bool { accounts.allSatisfy(\.isEqual) }
}

/// What was earned in an environment, for those who may see it. It is read also where nothing is sold, because the store was
/// opened for its catalogue only.
package struct Finance: Sendable {
    private let database: any Database
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - database: that of the environment.
    ///   - clock: the time by the store's clock in it.
    package init(_ database: any Database, clock: @escaping @Sendable () -> Instant) {
        self.database = database
        now = clock
    }

    /// Today by the store's clock.
    package var today: ReportDay { ReportDay(now()) }

    /// A report of those whose money the actor sees.
    package func report(
        by grouping: FinanceReport.Grouping, in period: ReportPeriod, of scope: FinanceScope,
        limit: Int = FinanceReport.mostRows
    ) async throws -> FinanceReport {
        let ids = scope.ids
        return try await database.read {
            try FinanceReport(by: grouping, in: period, of: ids, limit: limit, in: $0)
        }
    }

    /// Several reports of one period, each with its most rows, all of the same moment.
    package func reports(
        _ wanted: [(by: FinanceReport.Grouping, limit: Int)], in period: ReportPeriod, of scope: FinanceScope
    ) async throws -> [FinanceReport] {
        let ids = scope.ids
        return try await database.read { transaction in
            try wanted.map {
                try FinanceReport(by: $0.by, in: period, of: ids, limit: $0.limit, in: transaction)
            }
        }
    }

    /// The statement of a team for a month.
    package func statement(of scope: FinanceScope, for month: ReportMonth) async throws -> FinanceStatement {
        guard let team = scope.team, let apps = scope.apps else {
            throw ServiceError(.valueMissing, "a statement is of one team", parameter: "teamId")
        }
        let (report, booked) = try await database.read { transaction in
            (
                try FinanceReport(by: .product, in: month.period, of: apps.map(\.id), in: transaction),
                try Self.booked(in: month.period, of: apps.map(\.id), in: transaction)
            )
        }
        let bundles = Dictionary(uniqueKeysWithValues: apps.map { ($0.id, $0.bundleID) })
        let accounts = try booked.compactMap { app, proceeds -> FinanceStatement.Account? in
            guard let bundle = bundles[app] else { return nil }
            let sum = try report.rows.filter { $0.key.app == app && $0.sums.currency == proceeds.currency }
                .reduce(Money.zero(proceeds.currency)) { try $0 + $1.sums.proceeds }
            return FinanceStatement.Account(
                name: Ledger.Account.proceeds(of: app).name, bundle: bundle, proceeds: proceeds,
                isEqual: report.isCut || sum == proceeds)
        }
        return FinanceStatement(
            team: team, teamName: scope.name ?? team.text, month: month, isFinal: month.next.first <= today,
            lines: report.rows, totals: report.totals, accounts: accounts, missing: scope.missing, isCut: report.isCut)
    }

    /// What was booked on the accounts of apps, by app and currency, whatever it was booked for.
    private static func booked(
        in period: ReportPeriod, of apps: [AppID], in transaction: any ReadTransaction
    ) throws -> [(AppID, Money)] {
        let (first, end) = period.bounds
        let accounts = Dictionary(
            uniqueKeysWithValues: apps.map { (Ledger.Account.proceeds(of: $0).name, $0) })
        let found = try transaction.query(
            """
            SELECT posting.account, posting.currency, CAST(sum(posting.amount) AS \(.integer))
            FROM ledger_entry entry JOIN ledger_posting posting ON posting.entry_id = entry.id
            WHERE entry.at >= $1 AND entry.at < $2 AND posting.account LIKE 'proceeds/%'
            GROUP BY posting.account, posting.currency ORDER BY posting.account, posting.currency
            """, first, end
        ) { row in
            var cells = row.cells
            let (account, currency) = (try cells.next(as: String.self), try cells.next(as: Currency.self))
            // What an account has to give counts down in the books.
            return (account, try -Money(minorUnits: try cells.next(), currency: currency))
        }
        return found.compactMap { account, proceeds in accounts[account].map { ($0, proceeds) } }
    }
}

extension EnvironmentStore {
    /// What was earned in the environment.
    package var finance: Finance { Finance(database, clock: clocks.commerce) }
}
