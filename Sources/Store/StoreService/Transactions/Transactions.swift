import StoreCatalogue
package import StoreDatabase
package import StoreModel
import StoreRules

/// What customers got. Rows are written once; that one was finished or taken back is a row of its own.
package enum Transactions {
    /// Writes the transaction of an order.
    ///
    /// - Parameter subscription: of a subscription that renews: the period that the order was for.
    static func record(
        _ order: SaleOrder, as id: TransactionID, isPaid: Bool, _ subscription: Subscriptions.Delivered?,
        _ change: Change
    ) throws -> StoreTransaction {
        let (item, scope) = (order.item, order.scope)
        let originalID = subscription?.original ?? order.original ?? id
        let original = originalID == id ? nil : try find(originalID, in: change.transaction)
        let startsAt = subscription?.period.startsAt ?? change.commerce
        var recorded = StoreTransaction(
            id: id, originalID: originalID, orderID: order.id, customerID: scope.customer,
            deviceID: order.device, appID: scope.app, bundleID: scope.bundle, itemID: item.id,
            productID: item.product, kind: item.kind, quantity: order.quantity, purchaseDate: startsAt,
            originalPurchaseDate: original?.originalPurchaseDate ?? startsAt,
            expiresDate: subscription?.period.endsAt, webOrderLineItemID: order.orderLine,
            groupID: item.group, storefront: item.storefront,
            price: isPaid ? order.total : .zero(order.total.currency),
            accountToken: subscription.map(\.accountToken) ?? order.accountToken,
            reason: order.origin == .renewal ? .renewal : .purchase)
        recorded.offer = item.offer.map(TransactionOffer.init)
        if !isPaid, item.kind != .autoRenewable, let original, original.ownership == .familyShared {
            // What was got again for nothing is worth as much as what it was got for.
            (recorded.ownership, recorded.sharedFrom) = (original.ownership, original.sharedFrom)
        }
        try recorded.insert(in: change.transaction)
        if order.origin == .operator { try AppDownload.note(recorded, in: change.transaction) }
        try FamilySharing.schedule(
            recorded, recovers: subscription?.notices.contains { $0.subtype == .billingRecovery } ?? false, change)
        return recorded
    }

    package static func find(_ id: TransactionID, in transaction: any ReadTransaction) throws -> StoreTransaction? {
        try transaction.optional(
            StoreTransaction.selection + " WHERE store_transaction.id = $1", id, row: StoreTransaction.init)
    }

    /// The transactions with these numbers.
    static func find(
        all ids: some Sequence<TransactionID>, in transaction: any ReadTransaction
    ) throws -> [TransactionID: StoreTransaction] {
        let found = try transaction.query(
            StoreTransaction.selection + " WHERE store_transaction.id IN \(.numbers)", of: ids,
            row: StoreTransaction.init)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
    }

    /// The transactions that were made for these orders.
    static func find(
        orders ids: [SaleID], in transaction: any ReadTransaction
    ) throws -> [SaleID: StoreTransaction] {
        let found = try transaction.query(
            StoreTransaction.selection + " WHERE store_transaction.order_id IN \(.numbers)", of: ids,
            row: StoreTransaction.init)
        return Dictionary(found.compactMap { made in made.orderID.map { ($0, made) } }) { first, _ in first }
    }

    /// The transaction that was made for an order.
    static func find(order id: SaleID, in transaction: any ReadTransaction) throws -> StoreTransaction? {
        try transaction.optional(
            StoreTransaction.selection + " WHERE store_transaction.order_id = $1", id, row: StoreTransaction.init)
    }

    /// A transaction of the customer and the app of a scope; that of anybody else is unknown.
    package static func require(
        _ id: TransactionID, of scope: CustomerScope, in transaction: any ReadTransaction
    ) throws -> StoreTransaction {
        guard let found = try find(id, of: scope, in: transaction) else {
            throw ServiceError(.transactionUnknown, "there is no transaction \(id)")
        }
        return found
    }

    /// The same; nil if there is none.
    package static func find(
        _ id: TransactionID, of scope: CustomerScope, in transaction: any ReadTransaction
    ) throws -> StoreTransaction? {
        try transaction.optional(
            StoreTransaction.selection
                + " WHERE store_transaction.id = $1 AND store_transaction.customer_id = $2 AND store_transaction.app_id = $3",
            id, scope.customer, scope.app, row: StoreTransaction.init)
    }

    /// What a customer owns of an item: the newest transaction of it that counts. Consumables are not owned, and a
    /// subscription only until it ends.
    ///
    /// The newest is told by its date: several processes give out numbers, each from a range of its own.
    package static func owned(
        _ item: ItemID, by customer: CustomerID, at commerce: Instant, in transaction: any ReadTransaction
    ) throws -> StoreTransaction? {
        try transaction.query(
            StoreTransaction.selection + """
                 WHERE store_transaction.customer_id = $1 AND store_transaction.item_id = $2
                    AND store_transaction.kind NOT IN ('Consumable', 'Non-Renewing Subscription')
                    AND store_transaction.restored_id IS NULL AND transaction_revocation.transaction_id IS NULL
                    AND \(counts(at: "$3"))
                ORDER BY store_transaction.purchase_date DESC, store_transaction.id DESC LIMIT 1
                """, customer, item, commerce, row: StoreTransaction.init
        ).first
    }

    /// Whether a customer gets an item again for nothing because it is owned. In its grace period a subscription is owned, and a
    /// purchase pays for its renewal all the same, unless somebody else in the family does.
    static func isFree(
        _ item: ItemID, for customer: CustomerID, at commerce: Instant, in transaction: any ReadTransaction
    ) throws -> Bool {
        guard let owned = try owned(item, by: customer, at: commerce, in: transaction) else { return false }
        return owned.ownership == .familyShared || owned.expiresDate.map { $0 > commerce } ?? true
    }

    /// The condition that what a transaction stands for is had at an instant. A subscription is had in its period, unless
    /// something else took its place, and in the grace period after the newest one.
    private static func counts(at instant: SQL) -> SQL {
        """
        (store_transaction.expires_date IS NULL
            OR store_transaction.purchase_date <= \(instant) AND transaction_upgrade.upgraded_at IS NULL
            AND (store_transaction.expires_date > \(instant) OR EXISTS (
                SELECT 1 FROM subscription WHERE subscription.latest_id = store_transaction.id
                    AND subscription.original_id = store_transaction.original_id
                    AND subscription.counts_until > \(instant))
                OR EXISTS (
                    SELECT 1 FROM store_transaction AS source
                        JOIN subscription ON subscription.original_id = source.original_id
                    WHERE source.id = store_transaction.shared_from AND subscription.latest_id = source.id
                        AND subscription.counts_until > \(instant))))
        """
    }

    /// The transaction that a customer gets who asks for an item that is owned once: the one that waits to be finished. Nil if
    /// there is none, or if asking changes how the subscription goes on, which is more than to deliver it again.
    static func waiting(
        of item: SoldItem, for scope: CustomerScope, at commerce: Instant, in transaction: any ReadTransaction
    ) throws -> TransactionID? {
        guard item.kind.isOwnedOnce else { return nil }
        if item.kind == .autoRenewable,
            try Subscriptions.isChanged(byAskingFor: item, for: scope, at: commerce, in: transaction)
        {
            return nil
        }
        return try unfinishedID(of: item.id, by: scope.customer, at: commerce, in: transaction)
    }

    /// The oldest transaction of an item that counts and that the customer has not finished.
    private static func unfinishedID(
        of item: ItemID, by customer: CustomerID, at commerce: Instant, in transaction: any ReadTransaction
    ) throws -> TransactionID? {
        try transaction.query(
            """
            SELECT store_transaction.id FROM store_transaction
            WHERE customer_id = $1 AND item_id = $2 AND restored_id IS NULL
                AND (expires_date IS NULL OR expires_date > $3)
                AND NOT EXISTS (SELECT 1 FROM transaction_finish WHERE transaction_id = store_transaction.id)
                AND NOT EXISTS (SELECT 1 FROM transaction_revocation WHERE transaction_id = store_transaction.id)
                AND NOT EXISTS (SELECT 1 FROM transaction_upgrade WHERE transaction_id = store_transaction.id)
            ORDER BY purchase_date, store_transaction.id LIMIT 1
            """, customer, item, commerce
        ) { try $0.value(0, as: TransactionID.self) }.first
    }

    /// Notes that a customer got what a transaction stands for. A repetition changes nothing.
    ///
    /// - Parameter scope: whose transaction it must be; nil for the operator, who may finish any.
    package static func finish(
        _ id: TransactionID, of scope: CustomerScope?, on device: DeviceID?, _ change: Change
    ) throws {
        let found =
            try scope.map { try require(id, of: $0, in: change.transaction) }
            ?? require(id, in: change.transaction)
        let isNew = try change.transaction.insertIfNew(
            into: "transaction_finish",
            ["transaction_id": found.id, "device_id": device, "finished_at": change.commerce])
        // Whoever else has it in its queue takes it out.
        if isNew, found.deviceID != device { try DeviceHold.tellAll(found, change) }
    }

    /// Any transaction, for those who look after the store.
    package static func require(
        _ id: TransactionID, in transaction: any ReadTransaction
    ) throws -> StoreTransaction {
        guard let found = try find(id, in: transaction) else {
            throw ServiceError(.transactionUnknown, "there is no transaction \(id)", parameter: "transactionId")
        }
        return found
    }

    /// Whether somebody has said that the customer got it.
    package static func isFinished(_ id: TransactionID, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.value(
            "SELECT count(*) FROM transaction_finish WHERE transaction_id = $1", id, as: Int.self) == 1
    }

    /// Whether another device has said that the customer got it, or somebody who looks after the store.
    static func isFinished(
        _ id: TransactionID, elsewhereThan device: DeviceID, in transaction: any ReadTransaction
    ) throws -> Bool {
        try transaction.value(
            """
            SELECT count(*) FROM transaction_finish
            WHERE transaction_id = $1 AND (device_id IS NULL OR device_id <> $2)
            """, id, device, as: Int.self) == 1
    }

    /// What of a customer's transactions in an app a device wants to see; more may be added.
    package struct Selection: Hashable, Sendable {
        package let name: String

        /// All of them, but of the restored ones only those that the device itself has not finished.
        package static let all = Selection(name: "all")
        /// Those that were not finished.
        package static let unfinished = Selection(name: "unfinished")
    }

    /// A transaction as a device is told of it.
    package struct Listed: Hashable, Sendable {
        package let transaction: StoreTransaction
        package let isFinished: Bool
        /// The key of the purchase it came of, for the device that asked for it only.
        package let key: PurchaseKey?
        /// Whether the device has it for itself.
        fileprivate let isHeld: Bool

        /// Whether it has to be noted that the device takes it.
        package var isFree: Bool {
            !isFinished && !isHeld && !transaction.kind.isRestored && transaction.revocation == nil
        }
    }

    /// A customer's transactions in an app after one, the oldest first; at most `limit`.
    ///
    /// What another device has for itself is not among them.
    ///
    /// - Parameter silentSince: what a device has that was not heard of since, it does not have for itself.
    package static func list(
        _ selection: Selection, of scope: CustomerScope, on device: DeviceID, silentSince: Instant,
        after id: TransactionID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [Listed] {
        let tables: SQL = """
            SELECT \(StoreTransaction.columns), transaction_finish.transaction_id, purchase.purchase_key, holder.id
            FROM \(StoreTransaction.tables)
                LEFT JOIN transaction_finish ON transaction_finish.transaction_id = store_transaction.id
                \(DeviceHold.join)
                LEFT JOIN purchase ON purchase.id = store_transaction.order_id AND purchase.device_id = $4
            """
        let mine: SQL = """
             WHERE store_transaction.customer_id = $1 AND store_transaction.app_id = $2 AND store_transaction.id > $3
                AND (store_transaction.restored_id IS NULL
                    OR store_transaction.device_id = $4 AND transaction_finish.transaction_id IS NULL)
                AND \(DeviceHold.isOpen(to: "$4", silentSince: "$6"))
            """
        let condition: SQL =
            selection == .unfinished
            ? " AND transaction_revocation.transaction_id IS NULL AND transaction_finish.transaction_id IS NULL" : ""
        return try transaction.query(
            tables + mine + condition + " ORDER BY store_transaction.id LIMIT $5",
            scope.customer, scope.app, id?.number ?? 0, device, limit, silentSince
        ) { row in
            var cells = row.cells
            return Listed(
                transaction: try StoreTransaction(&cells), isFinished: try cells.next(as: TransactionID?.self) != nil,
                key: try cells.next(), isHeld: try cells.next(as: DeviceID?.self) == device)
        }
    }

    /// What a customer is entitled to in an app: what is owned once and counts now, the newest of each item.
    package static func entitlements(
        of scope: CustomerScope, at commerce: Instant, in transaction: any ReadTransaction
    ) throws -> [StoreTransaction] {
        try transaction.query(
            StoreTransaction.selection + """
                 WHERE store_transaction.customer_id = $1 AND store_transaction.app_id = $2
                    AND store_transaction.kind <> 'Consumable' AND store_transaction.restored_id IS NULL
                    AND transaction_revocation.transaction_id IS NULL
                    AND \(counts(at: "$3"))
                    AND NOT EXISTS (
                        SELECT 1 FROM store_transaction AS later
                        WHERE later.customer_id = $1 AND later.item_id = store_transaction.item_id
                            AND later.restored_id IS NULL
                            AND (later.purchase_date > store_transaction.purchase_date
                                OR later.purchase_date = store_transaction.purchase_date
                                    AND later.id > store_transaction.id)
                            AND (later.expires_date IS NULL OR later.expires_date > $3 AND later.purchase_date <= $3)
                            AND NOT EXISTS (SELECT 1 FROM transaction_revocation WHERE transaction_id = later.id))
                ORDER BY store_transaction.id
                """, scope.customer, scope.app, commerce, row: StoreTransaction.init)
    }
}

extension Transactions {
    /// Transactions after one, in their order, for those who look after the store; of a customer, if one is named.
    package static func list(
        of customer: CustomerID?, boughtIn period: ReportPeriod = .always, for amount: AmountRange = .any,
        after id: TransactionID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [StoreTransaction] {
        let ofCustomer: SQL = customer == nil ? "$1 = 0" : "store_transaction.customer_id = $1"
        let condition: SQL = """
             WHERE \(ofCustomer) AND store_transaction.id > $2
                AND store_transaction.purchase_date >= $4 AND store_transaction.purchase_date < $5
                AND ($6 = '' OR store_transaction.currency = $6 AND store_transaction.price >= $7
                    AND store_transaction.price <= $8)
            ORDER BY store_transaction.id LIMIT $3
            """
        return try transaction.query(
            StoreTransaction.selection + condition, customer?.number ?? 0, id?.number ?? 0, limit,
            period.bounds.first, period.bounds.end, amount.currency?.code ?? "", amount.bounds.first,
            amount.bounds.last, row: StoreTransaction.init)
    }

    /// The newest transaction; nil if there is none.
    package static func newest(in transaction: any ReadTransaction) throws -> StoreTransaction? {
        try transaction.query(
            StoreTransaction.selection + " ORDER BY store_transaction.id DESC LIMIT 1", row: StoreTransaction.init
        ).first
    }

    /// When a transaction was finished; nil if it was not.
    package static func finishedAt(
        _ id: TransactionID, in transaction: any ReadTransaction
    ) throws -> Instant? {
        try transaction.optional(
            "SELECT finished_at FROM transaction_finish WHERE transaction_id = $1", id
        ) { try $0.value(0) }
    }

    /// When these transactions were finished; those that were not are left out.
    package static func finishedAt(
        all ids: some Sequence<TransactionID>, in transaction: any ReadTransaction
    ) throws -> [TransactionID: Instant] {
        let found = try transaction.query(
            "SELECT transaction_id, finished_at FROM transaction_finish WHERE transaction_id IN \(.numbers)", of: ids
        ) { row in
            var cells = row.cells
            return (try cells.next(as: TransactionID.self), try cells.next(as: Instant.self))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// Delivers a transaction once more: it counts as unfinished again, and all devices of the customer are told.
    package static func redeliver(_ found: StoreTransaction, _ change: Change) throws {
        guard found.revocation == nil else {
            throw ServiceError(.alreadyRevoked, "the transaction was revoked; there is nothing to deliver")
        }
        try change.transaction.execute("DELETE FROM transaction_finish WHERE transaction_id = $1", found.id)
        try DeviceHold.tellAll(found, change)
        try change.transaction.signal(Signal(.redeliveries, subject: found.id.description))
    }
}
