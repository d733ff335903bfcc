package import StoreDatabase
package import StoreModel

/// What a store for tests forgets, as if it had never been bought. The books of a real store keep everything.
extension Transactions {
    /// Forgets a transaction and all that came of it: its renewals, its restored copies, its refund. Gives whether it was
    /// there.
    package static func forget(_ id: TransactionID, in transaction: any WriteTransaction) throws -> Bool {
        guard try find(id, in: transaction) != nil else { return false }
        let all = try transaction.query(
            """
            SELECT id FROM store_transaction
            WHERE id = $1 OR original_id = $1 OR restored_id = $1 OR shared_from = $1
            """, id
        ) { try $0.value(0, as: TransactionID.self) }
        for one in all {
            let sales = try transaction.query(
                """
                SELECT id FROM purchase WHERE transaction_id = $1
                UNION SELECT order_id FROM store_transaction WHERE id = $1 AND order_id IS NOT NULL
                """, one
            ) { try $0.value(0, as: SaleID.self) }
            for sale in sales { try forget(sale, in: transaction) }
            try transaction.execute("DELETE FROM transaction_finish WHERE transaction_id = $1", one)
            try transaction.execute("DELETE FROM transaction_revocation WHERE transaction_id = $1", one)
            try transaction.execute("DELETE FROM transaction_upgrade WHERE transaction_id = $1", one)
            try transaction.execute("DELETE FROM subscription_history WHERE subscription_id = $1", one)
            try transaction.execute("DELETE FROM subscription WHERE original_id = $1", one)
            try transaction.execute("DELETE FROM subscription_extension WHERE subscription_id = $1", one)
            try TransactionAmendments.forget(one, in: transaction)
            try Notifications.forget(one, in: transaction)
            try transaction.execute("UPDATE subscription SET latest_id = original_id WHERE latest_id = $1", one)
            try RefundRequests.forget(one, in: transaction)
            try CustomerEvents.empty("transaction_id", one, in: transaction)
            try transaction.execute("DELETE FROM refund WHERE transaction_id = $1", one)
            try transaction.execute(
                "DELETE FROM ledger_posting WHERE entry_id IN (SELECT id FROM ledger_entry WHERE transaction_id = $1)",
                one)
            try transaction.execute("DELETE FROM ledger_entry WHERE transaction_id = $1", one)
            try TransactionRevisions.forget(one, in: transaction)
            try transaction.execute("DELETE FROM store_transaction WHERE id = $1", one)
        }
        return true
    }

    /// Forgets a purchase or an order, with its charge.
    package static func forget(_ id: SaleID, in transaction: any WriteTransaction) throws {
        try CustomerEvents.empty("purchase_id", id, in: transaction)
        try transaction.execute("DELETE FROM purchase_history WHERE purchase_id = $1", id)
        try transaction.execute("DELETE FROM purchase WHERE id = $1", id)
        try transaction.execute("DELETE FROM charge_history WHERE charge_id = $1", id)
        try transaction.execute("DELETE FROM charge WHERE id = $1", id)
        try transaction.execute("DELETE FROM sale_order WHERE id = $1", id)
        for kind in [Purchases.work, Charges.work] {
            try WorkTable.cancel(kind, id.description, clock: .wall, in: transaction)
        }
    }
}
