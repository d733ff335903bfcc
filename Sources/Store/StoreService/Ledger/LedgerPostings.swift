package import StoreCatalogue
package import StoreDatabase
package import StoreModel

/// Looks for lines of the books.
package struct LedgerPostings: Hashable, Sendable {
    /// The name of an account; nil for all.
    package var account: String?
    package var kind: Ledger.Kind?
    package var transaction: TransactionID?
    package var period = ReportPeriod.always
    package var amount = AmountRange.any
    /// Only those that follow this one.
    package var after: Place?
    package var isOldestFirst = false
    package var limit: Int

    /// The most lines that are read at a time.
    package static let most = 1_000

    package init(limit: Int) {
        self.limit = limit
    }

    /// An entry's number and the line in it: `1204-2`.
    package struct Place: Hashable, LosslessStringConvertible, Sendable {
        package let entry: LedgerEntryID
        package let line: Int

        package init(entry: LedgerEntryID, line: Int) {
            (self.entry, self.line) = (entry, line)
        }

        package init?(_ description: String) {
            let parts = description.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let entry = LedgerEntryID(String(parts[0])), let line = Int(parts[1]),
                (1...Int(Int32.max)).contains(line), "\(entry)-\(line)" == description
            else { return nil }
            self.init(entry: entry, line: line)
        }

        package var description: String { "\(entry)-\(line)" }
    }

    /// A line of an entry.
    package struct Line: Hashable, Sendable {
        package let place: Place
        package let at: Instant
        package let kind: Ledger.Kind
        package let transaction: TransactionID
        package let product: ProductID
        package let posting: Ledger.Posting
    }

    package func list(in transaction: any ReadTransaction) throws -> [Line] {
        let (entry, lastLine) = (after?.entry.number ?? (isOldestFirst ? 0 : .max), after?.line ?? 0)
        // Those of an entry stand in their order, whichever way the entries are sorted.
        let following: SQL =
            isOldestFirst
            ? "(posting.entry_id > $1 OR posting.entry_id = $1 AND posting.line > $2)"
            : "(posting.entry_id < $1 OR posting.entry_id = $1 AND posting.line > $2)"
        let order: SQL = isOldestFirst ? "posting.entry_id, posting.line" : "posting.entry_id DESC, posting.line"
        let (first, end) = period.bounds
        // Without a period the entries are read in their order, and no index of their times is taken.
        let at: SQL = period == .always ? "entry.at + 0" : "entry.at"
        // A condition of what is not asked for would keep the engines from using their indexes.
        let ofAccount: SQL = account == nil ? "$5 = ''" : "posting.account = $5"
        let ofTransaction: SQL = self.transaction == nil ? "$6 = 0" : "entry.transaction_id = $6"
        let ofCurrency: SQL = amount.currency == nil ? "$7 = ''" : "posting.currency = $7"
        let ofKind: SQL = kind == nil ? "$8 = ''" : "entry.kind = $8"
        return try transaction.query(
            """
            SELECT posting.entry_id, posting.line, entry.at, entry.kind, entry.transaction_id, sold.product_id,
                posting.account, posting.amount, posting.currency
            FROM ledger_posting posting JOIN ledger_entry entry ON entry.id = posting.entry_id
                JOIN store_transaction sold ON sold.id = entry.transaction_id
            WHERE \(following) AND \(at) >= $3 AND \(at) < $4 AND \(ofAccount) AND \(ofTransaction)
                AND \(ofCurrency) AND \(ofKind) AND abs(posting.amount) >= $9 AND abs(posting.amount) <= $10
            ORDER BY \(order) LIMIT $11
            """, entry, lastLine, first, end, account ?? "", self.transaction?.number ?? 0,
            amount.currency?.code ?? "", kind?.rawValue ?? "", amount.bounds.first, amount.bounds.last,
            min(limit, Self.most + 1)
        ) { row in
            var cells = row.cells
            return Line(
                place: Place(entry: try cells.next(), line: try cells.next()), at: try cells.next(),
                kind: Ledger.Kind(rawValue: try cells.next()), transaction: try cells.next(), product: try cells.next(),
                posting: Ledger.Posting(Ledger.Account(name: try cells.next()), try cells.nextMoney()))
        }
    }

    /// Those of an environment.
    package func list(of store: EnvironmentStore) async throws -> [Line] {
        try await store.database.read { try list(in: $0) }
    }
}

/// Between which amounts something is, in one currency.
package struct AmountRange: Hashable, Sendable {
    package let least: Money?
    package let most: Money?
    package let currency: Currency?

    package static let any = AmountRange(least: nil, most: nil, currency: nil)

    private init(least: Money?, most: Money?, currency: Currency?) {
        (self.least, self.most, self.currency) = (least, most, currency)
    }

    /// Reads the two ends, both included; an empty text is no end. An amount means nothing without its currency.
    package init(from first: String?, to last: String?, in code: String?) throws(ServiceError) {
        let texts = [("amountFrom", first ?? ""), ("amountTo", last ?? "")]
        guard let code, !code.isEmpty else {
            guard let named = texts.first(where: { !$0.1.isEmpty }) else {
                self = .any
                return
            }
            throw ServiceError(.valueMissing, "an amount needs its currency, such as USD", parameter: named.0)
        }
        guard let currency = Currency(code) else {
            throw ServiceError(.valueInvalid, "there is no currency of this code; one is USD", parameter: "currency")
        }
        let (least, most) = (
            try Self.amount(texts[0].1, currency, texts[0].0), try Self.amount(texts[1].1, currency, texts[1].0)
        )
        if let least, let most, least.minorUnits > most.minorUnits {
            throw ServiceError(.valueInvalid, "the largest amount is less than the smallest", parameter: "amountTo")
        }
        self.init(least: least, most: most, currency: currency)
    }

    private static func amount(
        _ text: String, _ currency: Currency, _ name: String
    ) throws(ServiceError) -> Money? {
        guard !text.isEmpty else { return nil }
        let money: Money
        do {
            money = try Money(decimal: text, currency: currency)
        } catch {
            throw ServiceError(.valueInvalid, "an amount \(error.rule)", parameter: name)
        }
        guard !money.isNegative else {
            throw ServiceError(.valueInvalid, "an amount here has no sign", parameter: name)
        }
        return money
    }

    /// What stands for its ends in a condition on minor units.
    var bounds: (first: Int64, last: Int64) { (least?.minorUnits ?? 0, most?.minorUnits ?? .max) }
}
