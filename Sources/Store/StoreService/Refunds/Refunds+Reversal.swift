package import StoreDatabase
package import StoreModel

extension Refunds {
    /// Lifts the revocations that came with a refund, and tells the customer's devices.
    ///
    /// What is finished stays finished, and who held a consumable holds it still, so nothing is delivered twice.
    static func reinstate(after refund: StoredRefund, _ change: Change) throws {
        let transaction = change.transaction
        let revoked = try transaction.query(
            StoreTransaction.selection + """
                 WHERE store_transaction.customer_id = $1 AND transaction_revocation.refund_id = $2
                ORDER BY store_transaction.id
                """, refund.customer, refund.id, row: StoreTransaction.init)
        for found in revoked {
            try transaction.execute(
                """
                INSERT INTO transaction_reinstatement (
                    transaction_id, number, refund_id, percentage, reason, revoked_at, reinstated_at)
                SELECT transaction_id, (SELECT count(*) + 1 FROM transaction_reinstatement WHERE transaction_id = $1),
                    refund_id, percentage, reason, revoked_at, $2
                FROM transaction_revocation WHERE transaction_id = $1
                """, found.id, change.commerce)
            try transaction.execute("DELETE FROM transaction_revocation WHERE transaction_id = $1", found.id)
            if found.kind == .autoRenewable, found.restoredID == nil { try Subscriptions.reinstate(found, change) }
            try Holding.tellAll(found, change)
            // The members of a family get it anew.
            try FamilySharing.schedule(Transactions.require(found.id, in: transaction), change)
        }
    }

    /// When the revocations of a transaction were lifted, the oldest first.
    package static func reinstatements(
        of id: TransactionID, in transaction: any ReadTransaction
    ) throws -> [Instant] {
        try transaction.query(
            "SELECT reinstated_at FROM transaction_reinstatement WHERE transaction_id = $1 ORDER BY number", id
        ) { try $0.value(0) }
    }
}
