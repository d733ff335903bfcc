import StoreDatabase
package import StoreModel

/// A transaction as receipts and `verifyReceipt` tell of it: less than half of what the books have, and so read in half the
/// time where there are thousands.
package struct ReceiptLine: Sendable {
    package let id: TransactionID
    package let originalID: TransactionID
    package let productID: ProductID
    package let kind: ProductKind
    package let quantity: Int
    package let purchaseDate: Instant
    package let originalPurchaseDate: Instant
    package let expiresDate: Instant?
    package let webOrderLineItemID: WebOrderLineItemID?
    package let groupID: SubscriptionGroupID?
    package let accountToken: AppAccountToken?
    package let revocation: TransactionRevocation?
}

/// Reads lines, one row after the other; what all of them have in common is read once.
struct ReceiptLineReader {
    /// The columns that ``read(_:)`` reads, in its order, from `StoreTransaction.tables`.
    static let columns: SQL = """
        store_transaction.id, store_transaction.original_id, store_transaction.product_id, store_transaction.kind,
        store_transaction.quantity, store_transaction.purchase_date, store_transaction.original_purchase_date,
        store_transaction.expires_date, store_transaction.web_order_line_item_id, store_transaction.group_id,
        store_transaction.account_token, transaction_revocation.revoked_at, transaction_revocation.reason,
        transaction_revocation.refund_id
        """

    private var product = RepeatedValue<ProductID>()
    private var kind = RepeatedValue<ProductKind>()
    private var group = RepeatedValue<SubscriptionGroupID?>()
    private var accountToken = RepeatedValue<AppAccountToken?>()

    mutating func read(_ row: Row) throws -> ReceiptLine {
        var revocation: TransactionRevocation?
        if let revokedAt = try row.value(11, as: Instant?.self) {
            revocation = try TransactionRevocation(reason: row.value(12), revokedAt: revokedAt, refund: row.value(13))
        }
        return try ReceiptLine(
            id: row.value(0), originalID: row.value(1), productID: product.read(row, 2), kind: kind.read(row, 3),
            quantity: row.value(4), purchaseDate: row.value(5), originalPurchaseDate: row.value(6),
            expiresDate: row.value(7), webOrderLineItemID: row.value(8), groupID: group.read(row, 9),
            accountToken: accountToken.read(row, 10), revocation: revocation)
    }
}
