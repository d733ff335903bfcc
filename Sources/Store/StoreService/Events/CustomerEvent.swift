import StoreDatabase
package import StoreModel

/// One thing that the devices of a customer are told, with what it is about as that stands now.
package struct CustomerEvent: Hashable, Sendable {
    package let number: Int64
    package let kind: CustomerEventKind
    /// The device that it concerns; nil for all.
    package let device: DeviceID?
    package let purchase: PurchaseID?
    package let at: Instant
    package let told: StoreTransaction?
    package let isFinished: Bool
    /// The key of the purchase, for the device that asked for it only.
    package let key: PurchaseKey?

    package var transaction: TransactionID? { told?.id }

    /// Events and what they are about, for the device `$4`.
    static let selection: SQL = """
        SELECT customer_event.number, customer_event.kind, customer_event.device_id, customer_event.purchase_id,
            customer_event.at, transaction_finish.transaction_id, purchase.purchase_key, customer_event.transaction_id,
            \(StoreTransaction.columns)
        FROM customer_event
            LEFT JOIN store_transaction ON store_transaction.id = customer_event.transaction_id
            LEFT JOIN transaction_revocation ON transaction_revocation.transaction_id = store_transaction.id
            LEFT JOIN transaction_finish ON transaction_finish.transaction_id = store_transaction.id
            LEFT JOIN purchase ON purchase.id = customer_event.purchase_id AND customer_event.device_id = $4
        """

    init(_ row: Row) throws {
        var cells = row.cells
        number = try cells.next()
        kind = try cells.next()
        device = try cells.next()
        purchase = try cells.next()
        at = try cells.next()
        isFinished = try cells.next(as: TransactionID?.self) != nil
        key = try cells.next()
        told = try cells.next(as: TransactionID?.self) == nil ? nil : StoreTransaction(&cells)
    }
}
