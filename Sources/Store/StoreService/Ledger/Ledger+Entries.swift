package import StoreDatabase
package import StoreModel
import StoreRules

extension Ledger {
    /// An entry with its postings.
    package struct Entry: Hashable, Sendable {
        package let id: LedgerEntryID
        package let kind: Kind
        /// The number of the charge or of the refund.
        package let subject: Int64
        package let transaction: TransactionID
        package let at: Instant
        package let postings: [Posting]
    }

    /// The entries about a transaction, in their order.
    package static func entries(
        about id: TransactionID, in transaction: any ReadTransaction
    ) throws -> [Entry] {
        // They may lie far apart, so each is looked for by itself.
        try transaction.query(
            "SELECT id, kind, subject, transaction_id, at FROM ledger_entry WHERE transaction_id = $1 ORDER BY id", id,
            row: Head.init
        ).flatMap { try entries([$0], in: transaction) }
    }

    /// The entries after one, in their order; at most `limit`.
    package static func entries(
        after id: LedgerEntryID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [Entry] {
        try entries(
            transaction.query(
                """
                SELECT id, kind, subject, transaction_id, at FROM ledger_entry WHERE id > $1 ORDER BY id LIMIT $2
                """, id?.number ?? 0, limit, row: Head.init), in: transaction)
    }

    /// The same of an environment.
    package static func entries(after id: LedgerEntryID?, limit: Int, of store: EnvironmentStore) async throws
        -> [Entry]
    {
        try await store.database.read { try entries(after: id, limit: limit, in: $0) }
    }

    private struct Head {
        let id: LedgerEntryID
        let kind: Kind
        let subject: Int64
        let transaction: TransactionID
        let at: Instant

        init(_ row: Row) throws {
            var cells = row.cells
            id = try cells.next()
            kind = Kind(rawValue: try cells.next())
            subject = try cells.next()
            transaction = try cells.next()
            at = try cells.next()
        }
    }

    private static func entries(_ heads: [Head], in transaction: any ReadTransaction) throws -> [Entry] {
        guard let first = heads.first, let last = heads.last else { return [] }
        var postings: [LedgerEntryID: [Posting]] = [:]
        try transaction.forEachRow(
            """
            SELECT entry_id, account, amount, currency FROM ledger_posting
            WHERE entry_id >= $1 AND entry_id <= $2 ORDER BY entry_id, line
            """, binding: [first.id.databaseValue, last.id.databaseValue]
        ) { row in
            var cells = row.cells
            let entry = try cells.next(as: LedgerEntryID.self)
            postings[entry, default: []].append(Posting(Account(name: try cells.next()), try cells.nextMoney()))
        }
        return heads.map {
            Entry(
                id: $0.id, kind: $0.kind, subject: $0.subject, transaction: $0.transaction, at: $0.at,
                postings: postings[$0.id] ?? [])
        }
    }
}

/// An entry beside what it must be about.
struct BookedEntry: Sendable {
    let entry: Ledger.Entry
    /// The charge or the refund; nil if there is none that was carried out.
    let subject: Subject?

    struct Subject: Hashable, Sendable {
        let transaction: TransactionID?
        /// What was paid, or given back.
        let amount: Money
        /// What the transaction says was paid.
        let price: Money?
        /// The attempt of the charge that was captured.
        let attempt: Int?
        /// The life of the database in which the charge or the refund was opened.
        let life: String?
    }

    /// What it is called in problems.
    var name: String { "entry \(entry.id), \(entry.kind.rawValue) \(entry.subject)" }

    /// The key under which the processor moved the money; nil without a subject, and of kinds that move none.
    var processorKey: String? {
        guard let subject else { return nil }
        let keys = ProcessorKeys(subject.life)
        switch entry.kind {
        case .sale:
            return (try? ChargeID(number: entry.subject)).map {
                keys.charge($0, attempt: subject.attempt ?? 1, "capture")
            }
        case .refund: return (try? RefundID(number: entry.subject)).map(keys.refund)
        default: return nil
        }
    }

    /// What the processor must have done.
    var expectedMovement: ProcessorMovement? {
        guard let key = processorKey, let subject else { return nil }
        return ProcessorMovement(key: key, kind: entry.kind == .sale ? .captured : .refunded, amount: subject.amount)
    }

    /// The entries after one, in their order; at most `limit`.
    static func page(after id: LedgerEntryID?, limit: Int, in transaction: any ReadTransaction) throws -> [BookedEntry]
    {
        let entries = try Ledger.entries(after: id, limit: limit, in: transaction)
        guard let end = entries.last?.id else { return [] }
        var subjects: [LedgerEntryID: Subject] = [:]
        let bounds: [DatabaseValue] = [.integer(id?.number ?? 0), end.databaseValue]
        func note(_ row: Row) throws {
            var cells = row.cells
            let entry = try cells.next(as: LedgerEntryID.self)
            subjects[entry] = Subject(
                transaction: try cells.next(), amount: try cells.nextMoney(), price: try cells.nextMoneyIfAny(),
                attempt: try cells.next(), life: try cells.next())
        }
        try transaction.forEachRow(
            """
            SELECT ledger_entry.id, store_transaction.id, charge.amount, charge.currency,
                store_transaction.price, store_transaction.currency, charge.attempt, charge.life
            FROM ledger_entry JOIN charge ON charge.id = ledger_entry.subject
                LEFT JOIN store_transaction ON store_transaction.order_id = charge.id
            WHERE ledger_entry.id > $1 AND ledger_entry.id <= $2 AND ledger_entry.kind = 'sale'
                AND charge.state = \(Charge.State.captured.literal)
            """, binding: bounds, note)
        try transaction.forEachRow(
            """
            SELECT ledger_entry.id, refund.transaction_id, refund.amount, refund.currency,
                store_transaction.price, store_transaction.currency, NULL, refund.life
            FROM ledger_entry JOIN refund ON refund.id = ledger_entry.subject
                LEFT JOIN store_transaction ON store_transaction.id = refund.transaction_id
            WHERE ledger_entry.id > $1 AND ledger_entry.id <= $2 AND (ledger_entry.kind = 'refund'
                AND refund.state IN \(Refund.State.given) OR ledger_entry.kind = 'reversal' AND refund.state = \(Refund.State.reversed.literal))
            """, binding: bounds, note)
        return entries.map { BookedEntry(entry: $0, subject: subjects[$0.id]) }
    }

    func examine(_ report: inout LedgerReport) {
        let sums = entry.postings.reduce(into: [Currency: Int128]()) {
            $0[$1.amount.currency, default: 0] += Int128($1.amount.minorUnits)
        }
        if sums.isEmpty || sums.values.contains(where: { $0 != 0 }) {
            report.note(.entryUnbalanced, "The postings of \(name), do not sum to nothing.")
        }
        guard [.sale, .refund, .reversal].contains(entry.kind) else { return }
        guard let subject else {
            report.note(.entryWithoutSubject, "What \(name), is about was not carried out or is not there.")
            return
        }
        if subject.transaction != entry.transaction || subject.price == nil {
            report.note(.entryTransactionWrong, "The \(name), names another transaction than what it is about.")
        }
        let booked = entry.postings.filter { $0.account == .processor }.map(\.amount)
        let sign: Int64 = entry.kind == .refund ? -1 : 1
        let expected = Money(minorUnits: subject.amount.minorUnits * sign, currency: subject.amount.currency)
        // A refund may be of a part of the price, a sale is of all of it.
        let isOfPrice = subject.price.map {
            $0.currency == subject.amount.currency
                && (entry.kind == .sale
                    ? $0 == subject.amount : (1...max($0.minorUnits, 1)).contains(subject.amount.minorUnits))
        }
        if booked != [expected] || !(isOfPrice ?? true) {
            report.note(.entryAmountWrong, "The \(name), is not of \(subject.amount), which was moved.")
        }
    }
}
