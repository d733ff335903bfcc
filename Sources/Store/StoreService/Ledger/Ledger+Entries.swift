package import StoreDatabase
package import StoreModel

extension Ledger {
    /// An entry with its postings.
    package struct Entry: Hashable, Sendable {
        package let id: Int64
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
        after id: Int64, limit: Int, in transaction: any ReadTransaction
    ) throws -> [Entry] {
        try entries(
            transaction.query(
                """
                SELECT id, kind, subject, transaction_id, at FROM ledger_entry WHERE id > $1 ORDER BY id LIMIT $2
                """, id, limit, row: Head.init), in: transaction)
    }

    private struct Head {
        let id: Int64
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
        var postings: [Int64: [Posting]] = [:]
        try transaction.forEachRow(
            """
            SELECT entry_id, account, amount, currency FROM ledger_posting
            WHERE entry_id >= $1 AND entry_id <= $2 ORDER BY entry_id, line
            """, binding: [.integer(first.id), .integer(last.id)]
        ) { row in
            var cells = row.cells
            let entry = try cells.next(as: Int64.self)
            postings[entry, default: []].append(Posting(Account(name: try cells.next()), try cells.nextMoney()))
        }
        return heads.map {
            Entry(
                id: $0.id, kind: $0.kind, subject: $0.subject, transaction: $0.transaction, at: $0.at,
                postings: postings[$0.id] ?? [])
        }
    }
}
