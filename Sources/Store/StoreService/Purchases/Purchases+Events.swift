package import StoreDatabase
import StoreModel
package import StoreRules

extension Purchases {
    /// Takes in what happened to a purchase: keeps the state, and in the same transaction everything that comes of it.
    ///
    /// `drawn` is for events that may sell: see ``Purchase/Event/maySell``.
    ///
    /// What is left to do with others, such as the processor, is told by the state that comes back.
    package static func handle(
        _ event: Purchase.Event, of purchase: StoredPurchase, _ drawn: Drawn? = nil, at times: StoreTimes,
        request: String?, in transaction: any WriteTransaction
    ) throws -> (purchase: StoredPurchase, actions: [Purchase.Action]) {
        var rules = purchase.rules
        let actions = try rules.handle(event)
        var delivered: TransactionID?
        for case .deliver(let isPaid) in actions {
            delivered = try deliver(purchase, isPaid: isPaid, drawn, at: times, in: transaction)
        }
        let changed = try keep(
            rules, of: purchase, delivering: delivered, event, at: times, request: request, in: transaction)
        if actions.contains(.tell), let customer = changed.customer {
            try CustomerEvents.append(
                delivered == nil ? .purchase : .transaction, to: customer, app: changed.app, device: changed.device,
                purchase: changed.id, transaction: delivered, at: times.commerce, in: transaction)
        }
        if actions.contains(.tell) {
            try transaction.signal(Signal(.purchases, subject: changed.id.description))
        }
        return (changed, actions)
    }

    /// Gives a transaction that waits to be finished once more, in the place of another purchase.
    static func redeliver(
        _ waiting: TransactionID, for purchase: StoredPurchase, at times: StoreTimes, request: String?,
        in transaction: any WriteTransaction
    ) throws -> StoredPurchase {
        var rules = purchase.rules
        _ = try rules.handle(.confirmed(.owned))
        let changed = try keep(
            rules, of: purchase, delivering: waiting, .confirmed(.owned), at: times, request: request,
            in: transaction)
        if let customer = changed.customer {
            try CustomerEvents.append(
                .transaction, to: customer, app: changed.app, device: changed.device, purchase: changed.id,
                transaction: waiting, at: times.commerce, in: transaction)
        }
        return changed
    }

    /// Makes the transaction of a purchase, books what was paid, and gives its number. A subscription that runs is not
    /// sold again: its transaction comes again.
    private static func deliver(
        _ purchase: StoredPurchase, isPaid: Bool, _ drawn: Drawn?, at times: StoreTimes,
        in transaction: any WriteTransaction
    ) throws -> TransactionID {
        guard let customer = purchase.customer, let drawn else {
            throw ServiceError(.notSignedIn, "a purchase without a customer, or without numbers, cannot be delivered")
        }
        let owned =
            isPaid
            ? nil
            : try Transactions.owned(purchase.item, by: customer, at: times.commerce, in: transaction)
        if let owned, purchase.kind == .autoRenewable { return owned.id }
        try Transactions.record(
            purchase, by: customer, as: drawn.transaction, original: owned,
            orderLine: purchase.kind == .autoRenewable ? drawn.orderLine : nil, price: isPaid ? purchase.total : nil,
            at: times.commerce, in: transaction)
        if isPaid {
            try Ledger.book(
                sale: purchase, transaction: drawn.transaction, as: drawn.ledgerEntry, commission: drawn.commission,
                at: times.commerce, in: transaction)
        }
        return drawn.transaction
    }

    private static func keep(
        _ rules: Purchase, of purchase: StoredPurchase, delivering delivered: TransactionID?,
        _ event: Purchase.Event, at times: StoreTimes, request: String?, in transaction: any WriteTransaction
    ) throws -> StoredPurchase {
        let expiry = expiry(rules.state, purchase, at: times.wall)
        let changed = purchase.changed(
            to: rules, delivering: delivered, at: times.commerce, expiringAt: expiry)
        let count = try transaction.execute(
            """
            UPDATE purchase SET state = $3, failure = $4, authorisation = $5, capture = $6, action_url = $7,
                transaction_id = $8, changed_at = $9, expires_at = $10, payment_method_id = $11, code = $12,
                confirmation_hash = CASE WHEN $13 = 1 THEN confirmation_hash ELSE NULL END, history_count = $14
            WHERE id = $1 AND history_count = $2
            """, purchase.id, purchase.historyCount, rules.state.rawValue, rules.failure?.rawValue,
            rules.authorisation, rules.capture, rules.actionURL, changed.transaction, changed.changedAt,
            changed.expiresAt, changed.paymentMethod, changed.code, rules.state.canBeConfirmed, changed.historyCount)
        guard count == 1 else {
            throw DatabaseError(.unexpectedValue, "a purchase was changed that does not stand as it was read")
        }
        if rules.state.isFinal {
            try WorkTable.cancel(work, purchase.id.description, clock: .wall, in: transaction)
        } else {
            let isAsking = rules.state.awaitsProcessor || rules.state == .action
            let due = isAsking ? times.wall + PurchaseLimits.inquiry : expiry
            try WorkTable.schedule(Work(work, purchase.id.description, dueAt: due, clock: .wall), in: transaction)
        }
        try record(
            event.name, of: changed, detail: rules.failure?.rawValue ?? delivered?.description, at: times.commerce,
            request: request, in: transaction)
        return changed
    }

    /// When a purchase in this state is over if nothing happens.
    private static func expiry(_ state: Purchase.State, _ purchase: StoredPurchase, at wall: Instant) -> Instant {
        switch state {
        case .signIn, .confirmation: purchase.state == state ? purchase.expiresAt : wall + PurchaseLimits.confirmation
        case .interrupted, .action: wall + PurchaseLimits.action
        case .authorising: wall + PurchaseLimits.asking + PurchaseLimits.silence
        case .capturing, .voiding, .purchased, .declined, .cancelled, .failed: purchase.expiresAt
        }
    }

    /// Adds a line to the history of a purchase that stays as it is.
    static func add(
        _ event: String, to id: PurchaseID, detail: String?, at commerce: Instant, request: String?,
        in transaction: any WriteTransaction
    ) throws {
        let purchase = try transaction.one(
            "UPDATE purchase SET history_count = history_count + 1 WHERE id = $1 RETURNING \(StoredPurchase.columns)",
            id,
            row: StoredPurchase.init)
        try record(event, of: purchase, detail: detail, at: commerce, request: request, in: transaction)
    }

    /// Writes a line of a purchase's history, the one that its count includes already.
    static func record(
        _ event: String, of purchase: StoredPurchase, detail: String?, at commerce: Instant, request: String?,
        in transaction: any WriteTransaction
    ) throws {
        try transaction.execute(
            """
            INSERT INTO purchase_history (purchase_id, number, at, event, state, detail, request_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """, purchase.id, purchase.historyCount, commerce, event, purchase.state.rawValue, detail, request)
    }
}
