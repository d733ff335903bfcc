package import StoreDatabase
package import StoreModel
import StoreRules

/// Transactions that are taken back, with or without their money.
package enum Refunds {
    /// The kind of work that looks after refunds that nobody drives any more.
    package static let work = "refund"

    package static func find(_ id: Int64, in transaction: any ReadTransaction) throws -> StoredRefund? {
        try transaction.optional(
            "SELECT \(StoredRefund.columns) FROM refund WHERE id = $1", id, row: StoredRefund.init)
    }

    /// The refunds of a transaction, the oldest first. At most one of them did not fail.
    package static func all(
        of id: TransactionID, in transaction: any ReadTransaction
    ) throws -> [StoredRefund] {
        try transaction.query(
            "SELECT \(StoredRefund.columns) FROM refund WHERE transaction_id = $1 ORDER BY id", id,
            row: StoredRefund.init)
    }

    /// Those that the processor has not settled, the oldest first; at most `limit` after one.
    package static func underWay(
        after id: Int64, limit: Int, in transaction: any ReadTransaction
    ) throws -> [Int64] {
        try transaction.query(
            "SELECT id FROM refund WHERE state = 'refunding' AND id > $1 ORDER BY id LIMIT $2", id, limit
        ) { try $0.value(0) }
    }

    /// Keeps the intent to give back what was paid for a transaction. Asking again gives the refund that there is.
    package static func open(
        _ target: TransactionID, as id: Int64, reason: RevocationReason, at times: StoreTimes,
        in transaction: any WriteTransaction
    ) throws -> StoredRefund {
        let sold = try requirePaid(target, in: transaction)
        if let known = try all(of: target, in: transaction).first(where: { $0.state != .failed }) { return known }
        guard sold.transaction.revocation == nil else {
            throw ServiceError(.alreadyRevoked, "the transaction was taken back without a refund")
        }
        try transaction.execute(
            """
            INSERT INTO refund (id, transaction_id, purchase_id, customer_id, state, reason, amount, currency, capture,
                requested_at, changed_at)
            VALUES ($1, $2, $3, $4, 'refunding', $5, $6, $7, $8, $9, $9)
            """, id, target, sold.purchase.id, sold.transaction.customerID, reason, sold.purchase.total.minorUnits,
            sold.purchase.total.currency, sold.capture, times.commerce)
        try WorkTable.schedule(
            Work(work, String(id), dueAt: times.wall + PurchaseLimits.inquiry, clock: .wall), in: transaction)
        guard let opened = try find(id, in: transaction) else {
            throw ServiceError(.transactionUnknown, "there is no refund \(id)")
        }
        return opened
    }

    private static func requirePaid(
        _ id: TransactionID, in transaction: any ReadTransaction
    ) throws -> (transaction: StoreTransaction, purchase: StoredPurchase, capture: String) {
        guard let found = try Transactions.find(id, in: transaction) else {
            throw ServiceError(.transactionUnknown, "there is no transaction \(id)", parameter: "transactionId")
        }
        guard let purchaseID = found.purchaseID, let purchase = try Purchases.find(purchaseID, in: transaction),
            let capture = purchase.rules.capture
        else { throw ServiceError(.notPaid, "nothing was paid for the transaction \(id); it can be revoked") }
        return (found, purchase, capture)
    }

    /// Takes in what the processor said, and with it everything that comes of it.
    static func handle(
        _ event: Refund.Event, of id: Int64, ledgerEntry: Int64, at times: StoreTimes,
        in transaction: any WriteTransaction
    ) throws -> StoredRefund? {
        guard let refund = try find(id, in: transaction) else { return nil }
        var rules = refund.rules
        let actions = rules.handle(event)
        try transaction.execute(
            "UPDATE refund SET state = $2, failure = $3, reference = $4, changed_at = $5 WHERE id = $1", id,
            rules.state.rawValue, rules.failure, rules.reference, times.commerce)
        try WorkTable.cancel(work, String(id), clock: .wall, in: transaction)
        if actions.contains(.revoke) {
            try revoke(
                refund.transaction, refund: id, reason: refund.reason, at: times.commerce, in: transaction)
            try Ledger.book(
                refund: id, of: refund.purchase, transaction: refund.transaction, as: ledgerEntry,
                at: times.commerce, in: transaction)
        }
        return try find(id, in: transaction)
    }

    /// Takes a transaction back, tells the customer's devices, and gives whether it was there to be taken. The money is
    /// another matter.
    @discardableResult
    package static func revoke(
        _ id: TransactionID, refund: Int64? = nil, reason: RevocationReason, at commerce: Instant,
        in transaction: any WriteTransaction
    ) throws -> Bool {
        guard let found = try Transactions.find(id, in: transaction) else {
            throw ServiceError(.transactionUnknown, "there is no transaction \(id)", parameter: "transactionId")
        }
        guard found.revocation == nil else { return false }
        try transaction.execute(
            """
            INSERT INTO transaction_revocation (transaction_id, refund_id, reason, revoked_at) VALUES ($1, $2, $3, $4)
            """, id, refund, reason, commerce)
        try CustomerEvents.append(
            .revocation, to: found.customerID, app: found.appID, device: nil, purchase: found.purchaseID,
            transaction: id, at: commerce, in: transaction)
        try revokeCopies(of: found, refund: refund, reason: reason, at: commerce, in: transaction)
        return true
    }

    /// What came of a transaction without money goes with it: restored copies, and what was bought again for nothing
    /// because it was owned. Otherwise the customer would go on owning what was taken back.
    private static func revokeCopies(
        of original: StoreTransaction, refund: Int64?, reason: RevocationReason, at commerce: Instant,
        in transaction: any WriteTransaction
    ) throws {
        let copies = try transaction.query(
            """
            SELECT id FROM store_transaction WHERE customer_id = $1 AND item_id = $2 AND id <> $3
                AND (restored_id = $3 OR original_id = $3 AND kind = 'Non-Consumable')
                AND NOT EXISTS (SELECT 1 FROM transaction_revocation WHERE transaction_id = store_transaction.id)
            ORDER BY id
            """, original.customerID, original.itemID, original.id
        ) { try $0.value(0, as: TransactionID.self) }
        for copy in copies {
            try revoke(copy, refund: refund, reason: reason, at: commerce, in: transaction)
        }
    }
}
