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
            try TransactionRevisions.advance(found.id, in: transaction)
            if found.kind == .autoRenewable, found.restoredID == nil { try Subscriptions.reinstate(found, change) }
            try DeviceHold.tellAll(found, change)
            if found.isToldOf {
                try Notifications.tell(SubscriptionNotice(.refundReversed), about: found, change)
            }
            // The members of a family get it anew.
            try FamilySharing.schedule(Transactions.require(found.id, in: transaction), change)
        }
    }

    /// Revokes a period that was charged ahead, and opens the refund of all that was paid for it; its work drives that.
    ///
    /// The customer loses it at once and not with the money: its beginning must not come first.
    static func takeBack(_ ahead: StoreTransaction, because reason: RevocationReason, _ change: Change) throws {
        let transaction = change.transaction
        var refund = try all(of: ahead.id, in: transaction).first { $0.kind == .full && $0.state == .refunding }
        if refund == nil, let charge = try ahead.orderID.flatMap({ try Charges.find($0.charge, in: transaction) }),
            charge.state == .captured, charge.refunded.minorUnits < charge.amount.minorUnits
        {
            refund = try open(.ahead(reason), of: ahead, as: drawn(in: transaction), change)
        }
        try revoke(ahead, by: refund, reason: reason, change)
    }

    /// Whether a transaction was revoked by a refund that the processor then refused, so that the money is still owed.
    static func isOwed(_ id: TransactionID, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.value(
            """
            SELECT count(*) FROM transaction_revocation JOIN refund ON refund.id = transaction_revocation.refund_id
            WHERE transaction_revocation.transaction_id = $1 AND refund.state = \(Refund.State.failed.literal)
            """, id, as: Int.self) > 0
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
