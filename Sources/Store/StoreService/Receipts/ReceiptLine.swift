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
        store_transaction.account_token, \(TransactionRevocation.columns)
        """

    private var product = RepeatedValue<ProductID>()
    private var kind = RepeatedValue<ProductKind>()
    private var group = RepeatedValue<SubscriptionGroupID?>()
    private var accountToken = RepeatedValue<AppAccountToken?>()

    mutating func read(_ row: Row) throws -> ReceiptLine {
        var cells = row.cells
        return try ReceiptLine(
            id: cells.next(), originalID: cells.next(), productID: product.read(&cells), kind: kind.read(&cells),
            quantity: cells.next(), purchaseDate: cells.next(), originalPurchaseDate: cells.next(),
            expiresDate: cells.next(), webOrderLineItemID: cells.next(), groupID: group.read(&cells),
            accountToken: accountToken.read(&cells), revocation: TransactionRevocation.next(in: &cells))
    }
}
