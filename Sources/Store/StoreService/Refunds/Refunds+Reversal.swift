package import StoreDatabase
package import StoreModel
import StoreRules

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
            if let subscription = try subscription(in: found, change), subscription.rules.state == .revoked {
                try Subscriptions.handle(.reinstated, of: subscription, change)
            }
            try Holding.tellAll(found, change)
        }
    }

    /// The subscription whose newest period a transaction is; nil for all others.
    static func subscription(in found: StoreTransaction, _ change: Change) throws -> StoredSubscription? {
        guard found.kind == .autoRenewable, found.restoredID == nil else { return nil }
        let subscription = try Subscriptions.find(found.originalID, in: change.transaction)
        return subscription?.latest == found.id ? subscription : nil
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
