import StoreDatabase

/// Looks for what must be in the books and is not.
struct SubjectExamination: Sendable {
    let code: LedgerReport.Problem.Code
    private let words: @Sendable (Int64) -> String
    private let statement: SQL

    func message(_ id: Int64) -> String { words(id) }

    /// The numbers of what is wrong after one, in their order; at most `limit`.
    func missing(after id: Int64, limit: Int, in transaction: any ReadTransaction) throws -> [Int64] {
        try transaction.query(statement, id, limit) { try $0.value(0) }
    }

    static let all = [
        SubjectExamination(
            code: .saleMissing, words: { "The transaction \($0) was paid, and no entry says so." },
            statement: """
                SELECT store_transaction.id FROM store_transaction WHERE store_transaction.id > $1 AND price <> 0
                    AND NOT EXISTS (SELECT 1 FROM ledger_entry WHERE kind = 'sale' AND subject = order_id
                        AND transaction_id = store_transaction.id)
                ORDER BY store_transaction.id LIMIT $2
                """),
        SubjectExamination(
            code: .transactionMissing,
            words: { "The money of the purchase \($0) was taken, and it has no transaction with an entry." },
            statement: """
                SELECT charge.id FROM charge WHERE charge.id > $1 AND capture IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM store_transaction
                        WHERE store_transaction.order_id = charge.id AND price = amount
                            AND store_transaction.currency = charge.currency
                            AND EXISTS (SELECT 1 FROM ledger_entry WHERE kind = 'sale' AND subject = charge.id))
                ORDER BY charge.id LIMIT $2
                """),
        SubjectExamination(
            code: .refundMissing, words: { "The refund \($0) was given, and no entry says so." },
            statement: """
                SELECT refund.id FROM refund WHERE refund.id > $1 AND state = 'refunded'
                    AND NOT EXISTS (SELECT 1 FROM ledger_entry WHERE kind = 'refund' AND subject = refund.id)
                ORDER BY refund.id LIMIT $2
                """),
        SubjectExamination(
            code: .purchaseWrong,
            words: { "The charge of the purchase \($0) was captured, and the purchase does not say so." },
            statement: """
                SELECT charge.id FROM charge JOIN purchase ON purchase.id = charge.id
                WHERE charge.id > $1 AND charge.capture IS NOT NULL AND purchase.state <> 'purchased'
                ORDER BY charge.id LIMIT $2
                """),
        SubjectExamination(
            code: .refundedWrong,
            words: { "The refunds of the charge \($0) do not sum to what it says has been given back." },
            statement: """
                SELECT charge.id FROM charge WHERE charge.id > $1 AND refunded <> coalesce((SELECT sum(refund.amount)
                        FROM refund WHERE refund.charge_id = charge.id AND refund.state <> 'failed'), 0)
                ORDER BY charge.id LIMIT $2
                """),
        SubjectExamination(
            code: .postingWithoutEntry, words: { "There are postings of an entry \($0), which is not there." },
            statement: """
                SELECT DISTINCT entry_id FROM ledger_posting WHERE entry_id > $1
                    AND NOT EXISTS (SELECT 1 FROM ledger_entry WHERE ledger_entry.id = entry_id)
                ORDER BY entry_id LIMIT $2
                """),
    ]
}
