package import StoreDatabase
package import StoreModel
package import StoreRules

/// The purchases of an environment, and what becomes of them, in one transaction each.
package enum Purchases {
    /// What was drawn before a transaction that may sell something, and the terms of a sale.
    package struct Drawn: Sendable {
        package let transaction: TransactionID
        package let orderLine: WebOrderLineItemID
        package let ledgerEntry: Int64
        /// What the store keeps of a price.
        package let commission: Proportion

        package init(
            transaction: TransactionID, orderLine: WebOrderLineItemID, ledgerEntry: Int64, commission: Proportion
        ) {
            self.transaction = transaction
            self.orderLine = orderLine
            self.ledgerEntry = ledgerEntry
            self.commission = commission
        }
    }

    /// The kind of work that looks after purchases that nobody drives any more.
    package static let work = "purchase"
    /// The kind of work that listens for an answer after a purchase has ended without one.
    package static let echo = "purchase-echo"

    package static func find(_ id: PurchaseID, in transaction: any ReadTransaction) throws -> StoredPurchase? {
        try transaction.optional(
            "SELECT \(StoredPurchase.columns) FROM purchase WHERE id = $1", id, row: StoredPurchase.init)
    }

    package static func require(_ id: PurchaseID, in transaction: any ReadTransaction) throws -> StoredPurchase {
        guard let found = try find(id, in: transaction) else {
            throw ServiceError(.purchaseUnknown, "there is no purchase \(id)")
        }
        return found
    }

    /// A purchase as it stands, for somebody who read it before: every change adds a line to its history.
    static func current(_ known: StoredPurchase, in transaction: any ReadTransaction) throws -> StoredPurchase {
        let lines = try transaction.optional("SELECT history_count FROM purchase WHERE id = $1", known.id) {
            try $0.value(0, as: Int.self)
        }
        return lines == known.historyCount ? known : try require(known.id, in: transaction)
    }

    /// The purchase of a device with a key. One that belongs to an account is there only while that is signed in.
    package static func find(
        _ key: PurchaseKey, of scope: DeviceScope, in transaction: any ReadTransaction
    ) throws -> StoredPurchase? {
        let found = try named(key, on: scope, in: transaction)
        return found?.customer == nil || found?.customer == scope.customer ? found : nil
    }

    private static func named(
        _ key: PurchaseKey, on scope: DeviceScope, in transaction: any ReadTransaction
    ) throws -> StoredPurchase? {
        try transaction.optional(
            "SELECT \(StoredPurchase.columns) FROM purchase WHERE device_id = $1 AND purchase_key = $2", scope.device,
            key, row: StoredPurchase.init)
    }

    /// The purchase that waits for a yes under a code.
    package static func find(code: String, in transaction: any ReadTransaction) throws -> StoredPurchase? {
        try transaction.optional(
            "SELECT \(StoredPurchase.columns) FROM purchase WHERE code = $1", code, row: StoredPurchase.init)
    }

    /// Everything that was under way when somebody stopped, the oldest first; at most `limit` after one.
    package static func underWay(
        after id: PurchaseID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [PurchaseID] {
        try transaction.query(underWay, id?.number ?? 0, limit) { try $0.value(0) }
    }

    /// SQLite takes an index of some rows only if a query names all their states, so this names one more and takes it back.
    package static let underWay: SQL = """
        SELECT id FROM purchase WHERE state IN ('authorising', 'action', 'capturing', 'voiding')
            AND state <> 'action' AND id > $1
        ORDER BY id LIMIT $2
        """

    /// Opens a purchase, or gives the one that the device opened before with the same key.
    ///
    /// While that one waits for a yes, the secret of the order confirms it as well: the device may never have got the answer
    /// that told it the former one, or may have got it and been overtaken by its own former request.
    package static func open(
        _ order: CheckoutRequest, as id: PurchaseID, in scope: DeviceScope, at times: StoreTimes,
        request: String?, in transaction: any WriteTransaction
    ) throws -> StoredPurchase {
        let fingerprint = try order.fingerprint(in: scope)
        if let known = try named(order.key, on: scope, in: transaction) {
            let isOwn = known.customer == nil || known.customer == scope.customer
            guard isOwn, known.fingerprint == fingerprint else {
                throw ServiceError(
                    .keyReused, "this key opened a purchase of something else; every purchase has a key of its own",
                    parameter: "Idempotency-Key")
            }
            return try addSecret(to: known, order.confirmation, transaction)
        }
        try requireRoom(scope, transaction)
        let total = try total(of: order)
        var purchase = StoredPurchase(order, fingerprint: fingerprint, total: total, as: id, in: scope, at: times)
        try insert(purchase, order.confirmation, transaction)
        try record("opened", of: purchase, detail: nil, at: times.commerce, request: request, in: transaction)
        if let reason = try obstacle(scope, transaction) {
            purchase = try handle(
                .prevented(reason), of: purchase, at: times, request: request, in: transaction
            ).purchase
        } else if let customer = scope.customer, order.item.kind.isOwnedOnce,
            let waiting = try Transactions.unfinishedID(
                of: order.item.id, by: customer, at: times.commerce, in: transaction)
        {
            purchase = try redeliver(waiting, for: purchase, at: times, request: request, in: transaction)
        }
        return purchase
    }

    private static func addSecret(
        to purchase: StoredPurchase, _ confirmation: Confirmation, _ transaction: any WriteTransaction
    ) throws -> StoredPurchase {
        if purchase.state.waitsForYes {
            let former = try secrets(of: purchase, in: transaction).prefix(PurchaseLimits.secrets - 1)
            try transaction.execute(
                "UPDATE purchase SET confirmation_hash = $2 WHERE id = $1", purchase.id,
                confirmation.tokenHash + former.joined())
        }
        return purchase
    }

    private static func total(of order: CheckoutRequest) throws -> Money {
        // Commission is judged when the money is taken; here only the sum counts.
        try Sale(unitPrice: order.item.unitPrice, quantity: order.quantity, commission: Proportion(0, outOf: 1)).total
    }

    private static func requireRoom(_ scope: DeviceScope, _ transaction: any ReadTransaction) throws {
        let open = try transaction.value(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM purchase WHERE device_id = $1 AND state IN ('sign-in', 'confirmation', 'interrupted', 'action')
                LIMIT $2) AS open_purchase
            """, scope.device, PurchaseLimits.openPurchases, as: Int.self)
        // The operator's purchases have no device that could be flooded.
        guard open < PurchaseLimits.openPurchases || scope.isOperator else {
            throw ServiceError(
                .tooMany, "\(PurchaseLimits.openPurchases) purchases of this device wait for something already")
        }
    }

    /// What keeps whoever asks from buying at all.
    private static func obstacle(
        _ scope: DeviceScope, _ transaction: any ReadTransaction
    ) throws -> PurchaseFailure? {
        guard scope.purchasesAllowed else { return .notAllowed }
        guard let customer = scope.customer else { return nil }
        let account = try Customers.require(customer, in: transaction)
        guard account.deletedAt == nil else { return .accountGone }
        return account.purchasesAllowed ? nil : .notAllowed
    }

    private static func insert(
        _ purchase: StoredPurchase, _ confirmation: Confirmation, _ transaction: any WriteTransaction
    ) throws {
        try WorkTable.schedule(
            Work(work, purchase.id.description, dueAt: purchase.expiresAt, clock: .wall), in: transaction)
        try transaction.execute(
            """
            INSERT INTO purchase (id, device_id, purchase_key, fingerprint, customer_id, app_id, bundle_id, item_id,
                product_id, kind, period, group_id, quantity, storefront, unit_price, total, currency, account_token,
                state, code, confirmation_hash, opened_at, changed_at, expires_at, history_count)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
                $22, $23, $24, $25)
            """, purchase.id, purchase.device, purchase.key, purchase.fingerprint, purchase.customer, purchase.app,
            purchase.bundle, purchase.item, purchase.product, purchase.kind, purchase.period?.description,
            purchase.group, purchase.quantity, purchase.storefront, purchase.unitPrice.minorUnits,
            purchase.total.minorUnits, purchase.total.currency, purchase.accountToken, purchase.state.rawValue,
            purchase.code, confirmation.tokenHash, purchase.openedAt, purchase.changedAt, purchase.expiresAt,
            purchase.historyCount)
    }
}

extension Purchase.State {
    /// Whether the device may say yes with the secret of the purchase, at once or after somebody has signed in.
    package var waitsForYes: Bool { self == .signIn || self == .confirmation }
}

extension ClockID {
    /// The clock on the wall, for work that has nothing to do with the time of the environment.
    package static let wall = ClockID(number: -1)
}
