package import StoreDatabase
import StoreModel

extension StoreTransaction {
    /// The columns that ``init(_:)`` reads, in its order, from ``tables``.
    package static let columns: SQL = """
        store_transaction.id, store_transaction.original_id, store_transaction.order_id,
        store_transaction.restored_id, store_transaction.customer_id, store_transaction.device_id,
        store_transaction.app_id, store_transaction.bundle_id, store_transaction.item_id,
        store_transaction.product_id, store_transaction.kind, store_transaction.quantity,
        store_transaction.purchase_date, store_transaction.original_purchase_date, store_transaction.expires_date,
        store_transaction.web_order_line_item_id, store_transaction.group_id, store_transaction.storefront,
        store_transaction.price, store_transaction.currency, store_transaction.account_token,
        store_transaction.reason, \(TransactionRevocation.columns)
        """

    /// Transactions, and beside each what took it back.
    package static let tables: SQL = """
        store_transaction LEFT JOIN transaction_revocation
            ON transaction_revocation.transaction_id = store_transaction.id
        """

    /// A query for transactions, to which a condition is added.
    package static let selection: SQL = "SELECT \(columns) FROM \(tables)"

    /// Reads a row of ``columns``.
    package init(_ row: Row) throws {
        var cells = row.cells
        try self.init(&cells)
    }

    /// Reads ``columns``, of a row that has others behind them.
    init(_ cells: inout RowCells) throws {
        try self.init(
            id: cells.next(), originalID: cells.next(), orderID: cells.next(), restoredID: cells.next(),
            customerID: cells.next(), deviceID: cells.next(), appID: cells.next(), bundleID: cells.next(),
            itemID: cells.next(), productID: cells.next(), kind: cells.next(), quantity: cells.next(),
            purchaseDate: cells.next(), originalPurchaseDate: cells.next(), expiresDate: cells.next(),
            webOrderLineItemID: cells.next(), groupID: cells.next(), storefront: cells.next(),
            price: cells.nextMoney(), accountToken: cells.next(), reason: cells.next())
        revocation = try TransactionRevocation.next(in: &cells)
    }

    /// Writes the row, once and for all. What took the transaction back has a row of its own.
    package func insert(in transaction: any WriteTransaction) throws {
        try transaction.execute(
            """
            INSERT INTO store_transaction (
                id, original_id, order_id, restored_id, customer_id, device_id, app_id, bundle_id, item_id,
                product_id, kind, quantity, purchase_date, original_purchase_date, expires_date,
                web_order_line_item_id, group_id, storefront, price, currency, account_token, reason)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
            """,
            id, originalID, orderID, restoredID, customerID, deviceID, appID, bundleID, itemID, productID, kind,
            quantity, purchaseDate, originalPurchaseDate, expiresDate, webOrderLineItemID, groupID, storefront,
            price.minorUnits, price.currency, accountToken, reason)
    }
}

extension TransactionRevocation {
    /// The columns that ``next(in:)`` reads.
    static let columns: SQL = """
        transaction_revocation.revoked_at, transaction_revocation.reason, transaction_revocation.refund_id,
        transaction_revocation.percentage
        """

    /// What revoked a transaction; nil where the columns are NULL.
    static func next(in cells: inout RowCells) throws -> TransactionRevocation? {
        guard let revokedAt = try cells.next(as: Instant?.self) else {
            cells.skip(3)
            return nil
        }
        return try TransactionRevocation(
            reason: cells.next(), revokedAt: revokedAt, refund: cells.next(), percentage: cells.next())
    }
}
