import StoreCatalogue
package import StoreDatabase
package import StoreModel
import StoreRules

/// The purchases of an environment, and what becomes of them, in one transaction each.
package enum Purchases {
    /// The kind of work that ends purchases which nobody confirms in time.
    package static let work = "purchase"

    package static func find(_ id: PurchaseID, in transaction: any ReadTransaction) throws -> StoredPurchase? {
        try transaction.optional(
            "SELECT \(StoredPurchase.table.columns) FROM purchase WHERE id = $1", id, row: StoredPurchase.init)
    }

    /// The purchases with these numbers.
    static func find(
        all ids: [PurchaseID], in transaction: any ReadTransaction
    ) throws -> [PurchaseID: StoredPurchase] {
        let found = try transaction.query(
            "SELECT \(StoredPurchase.table.columns) FROM purchase WHERE id IN \(.numbers)", of: ids,
            row: StoredPurchase.init)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
    }

    package static func require(_ id: PurchaseID, in transaction: any ReadTransaction) throws -> StoredPurchase {
        guard let found = try find(id, in: transaction) else {
            throw ServiceError(.purchaseUnknown, "there is no purchase \(id)")
        }
        return found
    }

    /// The purchase of a device with a key. One that belongs to an account exists only while that is signed in.
    package static func find(
        _ key: PurchaseKey, of scope: DeviceScope, in transaction: any ReadTransaction
    ) throws -> StoredPurchase? {
        let found = try named(key, on: scope, in: transaction)
        return found?.customer == nil || found?.customer == scope.customer ? found : nil
    }

    package static func require(
        _ key: PurchaseKey, of scope: DeviceScope, in transaction: any ReadTransaction
    ) throws -> StoredPurchase {
        guard let found = try find(key, of: scope, in: transaction) else {
            try requireNotForgotten(key, on: scope, in: transaction)
            throw ServiceError(.purchaseUnknown, "this device has no purchase with this key", parameter: "key")
        }
        return found
    }

    private static func named(
        _ key: PurchaseKey, on scope: DeviceScope, in transaction: any ReadTransaction
    ) throws -> StoredPurchase? {
        try transaction.optional(
            "SELECT \(StoredPurchase.table.columns) FROM purchase WHERE device_id = $1 AND purchase_key = $2",
            scope.device,
            key, row: StoredPurchase.init)
    }

    /// Refuses the key of a purchase that was removed, which names no other one.
    static func requireNotForgotten(
        _ key: PurchaseKey, on scope: DeviceScope, in transaction: any ReadTransaction
    ) throws {
        guard scope.hasForgotten else { return }
        try requireNotForgotten(key, of: scope.device, in: transaction)
    }

    /// - Parameter device: nil for what the operator wanted to sell.
    static func requireNotForgotten(
        _ key: PurchaseKey, of device: DeviceID?, in transaction: any ReadTransaction
    ) throws {
        let count = try transaction.value(
            "SELECT count(*) FROM forgotten_purchase WHERE device_id = $1 AND purchase_key = $2",
            device?.number ?? noDevice, key, as: Int.self)
        guard count == 0 else {
            throw ServiceError(
                .purchaseForgotten,
                "nobody confirmed the purchase of this key in time, and it was removed; nothing was charged for it",
                parameter: "key")
        }
    }

    /// Stands for no device among the keys that are kept.
    private static let noDevice: Int64 = 0

    /// Removes purchases that ended before an instant without a yes, and keeps their keys. Returns how many there were.
    ///
    /// What was ordered stays, whatever became of it.
    static func removeUnconfirmed(
        endedBefore instant: Instant, limit: Int, in transaction: any WriteTransaction
    ) throws -> Int {
        let ended = try transaction.query(
            """
            SELECT id, device_id, purchase_key FROM purchase
            WHERE \(Purchase.State.cameToNothing) AND expires_at < $1
                AND NOT EXISTS (SELECT 1 FROM sale_order WHERE sale_order.id = purchase.id)
            ORDER BY id LIMIT $2
            """, instant, limit
        ) { row in
            var cells = row.cells
            return (
                id: try cells.next(as: PurchaseID.self), device: try cells.next(as: DeviceID?.self),
                key: try cells.next(as: PurchaseKey.self)
            )
        }
        for purchase in ended {
            _ = try transaction.insertIfNew(
                into: "forgotten_purchase",
                ["device_id": purchase.device?.number ?? noDevice, "purchase_key": purchase.key])
            if let device = purchase.device {
                try transaction.execute("UPDATE device SET has_forgotten = 1 WHERE id = $1", device)
            }
            try transaction.execute("DELETE FROM purchase_history WHERE purchase_id = $1", purchase.id)
            try transaction.execute(
                "DELETE FROM purchase_offer WHERE purchase_id = $1 AND state IN ('asked', 'allowed', 'denied')",
                purchase.id)
            try transaction.execute("DELETE FROM purchase WHERE id = $1", purchase.id)
        }
        return ended.count
    }

    /// The purchase that waits for a yes under a code.
    package static func find(code: String, in transaction: any ReadTransaction) throws -> StoredPurchase? {
        try transaction.optional(
            "SELECT \(StoredPurchase.table.columns) FROM purchase WHERE code = $1", code, row: StoredPurchase.init)
    }

    /// The purchases of a device that wait for somebody to sign in.
    package static func waitingForSignIn(
        on scope: DeviceScope, in transaction: any ReadTransaction
    ) throws -> [StoredPurchase] {
        try transaction.query(
            """
            SELECT \(StoredPurchase.table.columns) FROM purchase
            WHERE device_id = $1 AND \(Purchase.State.notFinal) AND state = \(Purchase.State.signIn.literal)
            ORDER BY id
            """, scope.device, row: StoredPurchase.init)
    }

    /// Opens a purchase, or returns the one that the device opened before with the same key.
    ///
    /// While that one waits for a yes, the secret of the request confirms it as well: the device may never have got the
    /// answer with the former one, or may have got it and been overtaken by its own former request.
    package static func open(
        _ request: CheckoutRequest, as id: PurchaseID, in scope: DeviceScope, _ change: Change
    ) throws -> StoredPurchase {
        let transaction = change.transaction
        let fingerprint = try request.fingerprint()
        if let known = try named(request.key, on: scope, in: transaction) {
            let isOwn = known.customer == nil || known.customer == scope.customer
            guard isOwn, known.fingerprint == fingerprint else { throw ServiceError.keyReused }
            return try addSecret(to: known, request.confirmation, transaction)
        }
        try requireRoom(scope, transaction)
        if scope.customer == nil { try Devices.claim(scope.device, in: transaction) }
        var request = request
        request.item = try Offers.apply(
            request.offers, to: request.item, for: scope.customer == nil ? nil : scope.requireCustomerScope(), change)
        try Offers.keep(request.offers, of: id.sale, app: scope.app, customer: scope.customer, change)
        let purchase = StoredPurchase(
            request, fingerprint: fingerprint, total: try request.total(), as: id, device: scope.device,
            customer: scope.customer, app: scope.app, bundle: scope.bundle, at: change.times)
        try insert(purchase, change)
        if let reason = try obstacle(scope, transaction) { return try handle(.prevented(reason), of: purchase, change) }
        return try redeliver(for: purchase, change)
    }

    /// Opens a purchase without a device, of what the operator wanted to sell, and takes in what is in the way.
    static func open(
        _ request: CheckoutRequest, fingerprint: [UInt8], as id: PurchaseID, for scope: CustomerScope,
        then event: Purchase.Event, asking approver: CustomerID? = nil, _ change: Change
    ) throws -> PurchaseID {
        let purchase = StoredPurchase(
            request, fingerprint: fingerprint, total: try request.total(), as: id, device: nil,
            customer: scope.customer, app: scope.app, bundle: scope.bundle, at: change.times)
        try insert(purchase, change)
        return try handle(event, of: purchase, asking: approver, change).id
    }

    /// Opens a purchase without a device, which its customer has asked for on a page and has to confirm there.
    static func open(
        _ request: CheckoutRequest, as id: PurchaseID, for scope: CustomerScope, _ change: Change
    ) throws -> StoredPurchase {
        let transaction = change.transaction
        try Customers.claim(scope.customer, in: transaction)
        let open = try transaction.value(
            """
            SELECT count(*) FROM purchase WHERE customer_id = $1 AND device_id IS NULL AND \(Purchase.State.notFinal)
            """, scope.customer, as: Int.self)
        guard open < PurchaseLimits.openPurchases else {
            throw ServiceError(
                .tooMany, "\(PurchaseLimits.openPurchases) purchases of this customer wait for something already")
        }
        var request = request
        request.item = try Offers.apply(request.offers, to: request.item, for: scope, change)
        try Offers.keep(request.offers, of: id.sale, app: scope.app, customer: scope.customer, change)
        let purchase = StoredPurchase(
            request, fingerprint: try request.fingerprint(), total: try request.total(), as: id, device: nil,
            customer: scope.customer, app: scope.app, bundle: scope.bundle, at: change.times)
        try insert(purchase, change)
        guard let reason = try Customers.obstacle(for: scope.customer, in: scope.app, transaction) else {
            return purchase
        }
        return try handle(.prevented(reason), of: purchase, change)
    }

    /// The purchase without a device that a key names, if the request is the same.
    static func find(_ key: SaleOrder.Key, in transaction: any ReadTransaction) throws -> StoredPurchase? {
        let found = try transaction.optional(
            "SELECT \(StoredPurchase.table.columns) FROM purchase WHERE device_id IS NULL AND purchase_key = $1",
            key.key,
            row: StoredPurchase.init)
        guard found == nil || found?.fingerprint == key.fingerprint else { throw ServiceError.keyReused }
        return found
    }

    /// Those that wait for an approval, the oldest first, after one; of a customer, if one is named.
    package static func waitingForApproval(
        of customer: CustomerID? = nil, after id: PurchaseID? = nil, limit: Int, in transaction: any ReadTransaction
    ) throws -> [StoredPurchase] {
        let (columns, after) = (StoredPurchase.table.columns, id?.number ?? 0)
        guard let customer else {
            return try transaction.query(
                "SELECT \(columns) FROM purchase WHERE state = \(Purchase.State.approval.literal) AND id > $1 ORDER BY id LIMIT $2",
                after,
                limit,
                row: StoredPurchase.init)
        }
        return try transaction.query(
            """
            SELECT \(columns) FROM purchase WHERE customer_id = $3 AND state = \(Purchase.State.approval.literal) AND id > $1
            ORDER BY id LIMIT $2
            """, after, limit, customer, row: StoredPurchase.init)
    }

    /// How many of each of these customers wait for an approval.
    static func countWaitingForApproval(
        of customers: [CustomerID], in transaction: any ReadTransaction
    ) throws -> [CustomerID: Int] {
        let found = try transaction.query(
            """
            SELECT customer_id, count(*) FROM purchase
            WHERE customer_id IN \(.numbers) AND state = \(Purchase.State.approval.literal) GROUP BY customer_id
            """, of: customers
        ) { (try $0.value(0, as: CustomerID.self), try $0.value(1, as: Int.self)) }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// Delivers the transaction of an item again that waits to be finished, in the place of a purchase that would be
    /// confirmed next. Nobody is asked then, so nothing may be charged for it later that is not charged now.
    static func redeliver(for purchase: StoredPurchase, _ change: Change) throws -> StoredPurchase {
        // What was asked for with an offer is for the next renewal then.
        guard purchase.customer != nil, !purchase.item.hasRequestedOffer,
            let waiting = try Transactions.waiting(
                of: purchase.item, for: purchase.requireScope(), at: change.commerce, in: change.transaction)
        else { return purchase }
        return try handle(.foundUnfinished, of: purchase, delivering: waiting, change)
    }

    private static func addSecret(
        to purchase: StoredPurchase, _ confirmation: Confirmation, _ transaction: any WriteTransaction
    ) throws -> StoredPurchase {
        guard purchase.state.isOpen else { return purchase }
        let changed = purchase.confirmed(by: confirmation)
        try transaction.update(changed, from: purchase, in: StoredPurchase.table)
        return changed
    }

    private static func requireRoom(_ scope: DeviceScope, _ transaction: any ReadTransaction) throws {
        let open = try transaction.value(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM purchase WHERE device_id = $1 AND \(Purchase.State.notFinal) LIMIT $2) AS open_purchase
            """, scope.device, PurchaseLimits.openPurchases, as: Int.self)
        guard open < PurchaseLimits.openPurchases else {
            throw ServiceError(
                .tooMany, "\(PurchaseLimits.openPurchases) purchases of this device wait for something already")
        }
    }

    /// What keeps a device, or the customer there, from buying at all.
    private static func obstacle(
        _ scope: DeviceScope, _ transaction: any ReadTransaction
    ) throws -> PurchaseFailure? {
        guard scope.purchasesAllowed else { return .notAllowed }
        return try scope.customer.flatMap { try Customers.obstacle(for: $0, in: scope.app, transaction) }
    }

    private static func insert(_ purchase: StoredPurchase, _ change: Change) throws {
        try schedule(purchase, change)
        try change.transaction.insert(purchase, into: StoredPurchase.table)
        try record(.opened, of: purchase, detail: nil, change)
    }
}
