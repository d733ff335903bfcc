package import StoreDatabase
package import StoreModel

/// What was paid in a period, given back, kept by the store and earned by developers, as the books have it.
///
/// The database adds up, so that a report of many sales is as short as one of few. Currencies are never added up.
package struct FinanceReport: Hashable, Sendable {
    /// By what the sums are told apart.
    // Closed: each has its columns.
    package enum Grouping: String, CaseIterable, Sendable {
        case app, product, storefront, day, month
    }

    /// What a sum is of; what the grouping does not tell apart is nil.
    package struct Key: Hashable, Sendable {
        package internal(set) var app: AppID?
        package internal(set) var bundle: BundleID?
        package internal(set) var product: ProductID?
        package internal(set) var storefront: StorefrontCode?
        package internal(set) var day: ReportDay?
        package internal(set) var month: ReportMonth?
    }

    package struct Row: Hashable, Sendable {
        package internal(set) var key: Key
        package internal(set) var sums: LedgerSums
    }

    package let grouping: Grouping
    package let period: ReportPeriod
    /// In the order of what they are of, and of their currencies.
    package let rows: [Row]
    /// Of all rows, by currency.
    package let totals: [LedgerSums]
    /// Whether there are more rows, which the totals have too.
    package let isCut: Bool

    /// The most rows of a report.
    package static let mostRows = 10_000

    /// - Parameter apps: those it is about; nil for all.
    package init(
        by grouping: Grouping, in period: ReportPeriod, of apps: [AppID]? = nil, limit: Int = mostRows,
        in transaction: any ReadTransaction
    ) throws {
        self.grouping = grouping
        self.period = period
        let room = min(limit, Self.mostRows)
        let found = try Self.sums(by: grouping, period, apps, limit: room + 1, in: transaction)
        isCut = found.count > room
        rows = Array(found.prefix(room))
        totals =
            isCut
            ? try Self.sums(by: nil, period, apps, limit: Self.mostRows, in: transaction).map(\.sums)
            : try Self.totals(of: rows)
    }

    private static func totals(of rows: [Row]) throws -> [LedgerSums] {
        try rows.reduce(into: [Currency: LedgerSums]()) { sums, row in
            let currency = row.sums.currency
            sums[currency] = try (sums[currency] ?? .none(currency)).adding(row.sums)
        }.values.sorted { $0.currency.code < $1.currency.code }
    }

    /// The sums of what a grouping tells apart; of everything without one.
    private static func sums(
        by grouping: Grouping?, _ period: ReportPeriod, _ apps: [AppID]?, limit: Int,
        in transaction: any ReadTransaction
    ) throws -> [Row] {
        // A month is the sum of its days, of which there are few.
        let limit = grouping == .month ? Int(Int32.max) : limit
        let key = columns(of: grouping)
        let scope: SQL = apps == nil ? "$1 = 0" : "sold.app_id IN \(.numbers)"
        let statement: SQL = """
            SELECT \(key)posting.currency, \(LedgerSums.columns)
            FROM ledger_entry entry JOIN ledger_posting posting ON posting.entry_id = entry.id
                JOIN store_transaction sold ON sold.id = entry.transaction_id
            WHERE \(scope) AND entry.at >= $2 AND entry.at < $3
            GROUP BY \(key)posting.currency ORDER BY \(key)posting.currency LIMIT $4
            """
        let (first, end) = period.bounds
        func read(_ row: StoreDatabase.Row) throws -> Row {
            var cells = row.cells
            return Row(key: try Key(&cells, grouping), sums: try LedgerSums(&cells))
        }
        let found =
            if let apps {
                try transaction.query(statement, of: apps, first, end, limit, row: read)
            } else {
                try transaction.query(statement, 0, first, end, limit, row: read)
            }
        return grouping == .month ? try months(of: found) : found
    }

    /// What follows `SELECT`, `GROUP BY` and `ORDER BY`, with a comma behind it.
    private static func columns(of grouping: Grouping?) -> SQL {
        switch grouping {
        case nil: ""
        case .app: "sold.bundle_id, sold.app_id, "
        case .product: "sold.bundle_id, sold.app_id, sold.product_id, "
        case .storefront: "sold.storefront, "
        // The milliseconds of a day. Both engines cut the quotient of whole numbers off.
        case .day, .month: "entry.at / 86400000, "
        }
    }

    private static func months(of days: [Row]) throws -> [Row] {
        var rows: [Row] = []
        var places: [Row.Place: Int] = [:]
        for day in days {
            guard let month = day.key.day?.month else { continue }
            let place = Row.Place(month: month, currency: day.sums.currency)
            if let known = places[place] {
                rows[known].sums = try rows[known].sums.adding(day.sums)
            } else {
                places[place] = rows.count
                var row = day
                (row.key.day, row.key.month) = (nil, month)
                rows.append(row)
            }
        }
        return rows.sorted {
            ($0.key.month?.first.number ?? 0, $0.sums.currency.code)
                < ($1.key.month?.first.number ?? 0, $1.sums.currency.code)
        }
    }
}

extension FinanceReport.Row {
    fileprivate struct Place: Hashable {
        let month: ReportMonth
        let currency: Currency
    }
}

extension FinanceReport.Key {
    fileprivate init(_ cells: inout RowCells, _ grouping: FinanceReport.Grouping?) throws {
        switch grouping {
        case nil: break
        case .app, .product:
            bundle = try cells.next()
            app = try cells.next()
            if grouping == .product { product = try cells.next() }
        case .storefront: storefront = try cells.next()
        case .day, .month: day = ReportDay(number: try cells.next())
        }
    }
}

/// What entries of the books come to, in one currency.
package struct LedgerSums: Hashable, Sendable {
    package let currency: Currency
    /// How often something was paid, and how often money went back and stayed there.
    package var sales = 0
    package var refunds = 0
    /// What customers paid, before anything went back.
    package var taken: Money
    /// What went back to them.
    package var givenBack: Money
    /// What the store keeps.
    package var commission: Money
    /// What developers are owed.
    package var proceeds: Money

    package static func none(_ currency: Currency) -> LedgerSums {
        let none = Money.zero(currency)
        return LedgerSums(currency: currency, taken: none, givenBack: none, commission: none, proceeds: none)
    }

    /// What stays of it: commission and proceeds together.
    package func kept() throws -> Money { try taken - givenBack }

    package func adding(_ other: LedgerSums) throws -> LedgerSums {
        LedgerSums(
            currency: currency, sales: sales + other.sales, refunds: refunds + other.refunds,
            taken: try taken + other.taken, givenBack: try givenBack + other.givenBack,
            commission: try commission + other.commission, proceeds: try proceeds + other.proceeds)
    }

    /// The columns after the currency. What an account has to give counts down in the books; an entry is counted where it has its
    /// first line.
    static let columns: SQL = """
        CAST(sum(CASE WHEN posting.line = 1 AND entry.kind = 'sale' THEN 1 ELSE 0 END) AS \(.integer)),
        CAST(sum(CASE WHEN posting.line <> 1 THEN 0 WHEN entry.kind = 'refund' THEN 1
            WHEN entry.kind = 'reversal' THEN -1 ELSE 0 END) AS \(.integer)),
        CAST(sum(CASE WHEN posting.account = 'processor' AND entry.kind = 'sale' THEN posting.amount ELSE 0 END)
            AS \(.integer)),
        CAST(sum(CASE WHEN posting.account = 'processor' AND entry.kind <> 'sale' THEN -posting.amount ELSE 0 END)
            AS \(.integer)),
        CAST(sum(CASE WHEN posting.account = 'commission' THEN -posting.amount ELSE 0 END) AS \(.integer)),
        CAST(sum(CASE WHEN posting.account LIKE 'proceeds/%' THEN -posting.amount ELSE 0 END) AS \(.integer))
        """
}

extension LedgerSums {
    init(_ cells: inout RowCells) throws {
        let currency = try cells.next(as: Currency.self)
        (sales, refunds) = (try cells.next(), try cells.next())
        taken = Money(minorUnits: try cells.next(), currency: currency)
        givenBack = Money(minorUnits: try cells.next(), currency: currency)
        commission = Money(minorUnits: try cells.next(), currency: currency)
        proceeds = Money(minorUnits: try cells.next(), currency: currency)
        self.currency = currency
    }
}
