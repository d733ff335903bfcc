package import StoreDatabase
import StoreModel

extension StoreTransaction {
    /// The columns that ``init(_:)`` reads, in its order, from ``tables``.
    package static let columns: SQL = """
        store_transaction.id, store_transaction.original_id, store_transaction.purchase_id,
        store_transaction.restored_id, store_transaction.customer_id, store_transaction.device_id,
        store_transaction.app_id, store_transaction.bundle_id, store_transaction.item_id,
        store_transaction.product_id, store_transaction.kind, store_transaction.quantity,
        store_transaction.purchase_date, store_transaction.original_purchase_date, store_transaction.expires_date,
        store_transaction.web_order_line_item_id, store_transaction.group_id, store_transaction.storefront,
        store_transaction.price, store_transaction.currency, store_transaction.account_token,
        store_transaction.reason, transaction_revocation.reason, transaction_revocation.revoked_at,
        transaction_revocation.refund_id
        """

    /// How many columns that are: what a query asks for besides begins here.
    package static let columnCount = 25

    /// Transactions, and beside each what took it back.
    package static let tables: SQL = """
        store_transaction LEFT JOIN transaction_revocation
            ON transaction_revocation.transaction_id = store_transaction.id
        """

    /// A query for transactions, to which a condition is added.
    package static let selection: SQL = "SELECT \(columns) FROM \(tables)"

    /// Reads a row of ``columns``.
    package init(_ row: Row) throws {
        try self.init(
            id: row.value(0), originalID: row.value(1), purchaseID: row.value(2), restoredID: row.value(3),
            customerID: row.value(4), deviceID: row.value(5), appID: row.value(6), bundleID: row.value(7),
            itemID: row.value(8), productID: row.value(9), kind: row.value(10), quantity: row.value(11),
            purchaseDate: row.value(12), originalPurchaseDate: row.value(13), expiresDate: row.value(14),
            webOrderLineItemID: row.value(15), groupID: row.value(16), storefront: row.value(17),
            price: row.money(18), accountToken: row.value(20), reason: row.value(21))
        if let revokedAt = try row.value(23, as: Instant?.self) {
            revocation = try TransactionRevocation(reason: row.value(22), revokedAt: revokedAt, refund: row.value(24))
        }
    }

    /// Writes the row, once and for all. What took the transaction back has a row of its own.
    package func insert(in transaction: any WriteTransaction) throws {
        try transaction.execute(
            """
            INSERT INTO store_transaction (
                id, original_id, purchase_id, restored_id, customer_id, device_id, app_id, bundle_id, item_id,
                product_id, kind, quantity, purchase_date, original_purchase_date, expires_date,
                web_order_line_item_id, group_id, storefront, price, currency, account_token, reason)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
            """,
            id, originalID, purchaseID, restoredID, customerID, deviceID, appID, bundleID, itemID, productID, kind,
            quantity, purchaseDate, originalPurchaseDate, expiresDate, webOrderLineItemID, groupID, storefront,
            price.minorUnits, price.currency, accountToken, reason)
    }
}
