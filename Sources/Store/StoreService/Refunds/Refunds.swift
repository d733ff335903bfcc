import StoreCatalogue
package import StoreDatabase
package import StoreModel
package import StoreRules

/// How much is to be given back, and what becomes of the transaction.
package struct RefundIntent: Hashable, Sendable {
    let kind: RefundKind
    /// Nil for all that was not given back yet.
    let amount: Money?
    let revokes: Bool
    let reason: RevocationReason
    /// Names a refund in part, so that a repeated request makes one. A whole refund needs no key: there is one. If it has
    /// one, the key is of no other.
    let key: PurchaseKey?
    /// Whether nobody drives it but its work, which is due at once.
    var isLeftToWork = false

    /// All that was paid and not given back yet; the transaction is revoked.
    package static func full(_ reason: RevocationReason, key: PurchaseKey? = nil) -> RefundIntent {
        RefundIntent(kind: .full, amount: nil, revokes: true, reason: reason, key: key)
    }

    /// The same of a period that was charged ahead and goes with the one before it.
    static func ahead(_ reason: RevocationReason) -> RefundIntent {
        var intent = full(reason)
        intent.isLeftToWork = true
        return intent
    }

    /// A part of what was paid.
    ///
    /// - Parameter revokes: whether the transaction is revoked all the same.
    package static func amount(
        _ amount: Money, revokes: Bool = false, key: PurchaseKey, reason: RevocationReason
    ) -> RefundIntent {
        RefundIntent(kind: .amount, amount: amount, revokes: revokes, reason: reason, key: key)
    }

    /// The unused part of a period that something else replaced. The customer keeps the transaction.
    package static func proration(_ amount: Money, key: PurchaseKey? = nil) -> RefundIntent {
        RefundIntent(kind: .proration, amount: amount, revokes: false, reason: .other, key: key)
    }

    /// The unused part of a period that ends with the refund.
    static func ending(_ amount: Money, key: PurchaseKey, reason: RevocationReason) -> RefundIntent {
        RefundIntent(kind: .proration, amount: amount, revokes: true, reason: reason, key: key)
    }
}

/// Money that is given back, and transactions that are revoked, with money or without.
package enum Refunds {
    /// The kind of work that looks after refunds that nothing drives any more.
    package static let work = "refund"

    package static func find(_ id: RefundID, in transaction: any ReadTransaction) throws -> StoredRefund? {
        try transaction.optional("\(StoredRefund.selection) WHERE refund.id = $1", id, row: StoredRefund.init)
    }

    /// The refunds with these numbers.
    static func find(
        all ids: [RefundID], in transaction: any ReadTransaction
    ) throws -> [RefundID: StoredRefund] {
        let found = try transaction.query(
            "\(StoredRefund.selection) WHERE refund.id IN \(.numbers)", of: ids, row: StoredRefund.init)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
    }

    /// What the customers of these requests had back for other purchases, by the request, the newest first; of each at most
    /// `limit`.
    static func earlier(
        than requests: [RefundRequestID], limit: Int, in transaction: any ReadTransaction
    ) throws -> [RefundRequestID: [StoredRefund]] {
        let found = try transaction.query(
            """
            SELECT \(StoredRefund.columns), newest.request_id FROM (
                    SELECT refund_request.id AS request_id, refund.id AS refund_id,
                        row_number() OVER (PARTITION BY refund_request.id ORDER BY refund.id DESC) AS place
                    FROM refund_request JOIN refund ON refund.customer_id = refund_request.customer_id
                        AND refund.state = \(Refund.State.refunded.literal) AND refund.transaction_id <> refund_request.transaction_id
                    WHERE refund_request.id IN \(.numbers)
                ) AS newest JOIN refund ON refund.id = newest.refund_id JOIN charge ON charge.id = refund.charge_id
            WHERE newest.place <= $2 ORDER BY newest.request_id, refund.id DESC
            """, of: requests, limit
        ) { row in
            var cells = row.cells
            let refund = try StoredRefund(&cells)
            return (request: try cells.next(as: RefundRequestID.self), refund: refund)
        }
        return Dictionary(grouping: found, by: \.request).mapValues { $0.map(\.refund) }
    }

    /// The number of a refund that comes of something else within a transaction.
    static func drawn(in transaction: any WriteTransaction) throws -> RefundID {
        try RefundID(number: Numbers.draw(.refunds, in: transaction))
    }

    static func require(_ id: RefundID, in transaction: any ReadTransaction) throws -> StoredRefund {
        guard let found = try find(id, in: transaction) else {
            throw DatabaseError(.unexpectedValue, "there is no refund \(id)")
        }
        return found
    }

    /// The refunds of a transaction, the oldest first.
    package static func all(
        of id: TransactionID, in transaction: any ReadTransaction
    ) throws -> [StoredRefund] {
        try transaction.query(
            "\(StoredRefund.selection) WHERE refund.transaction_id = $1 ORDER BY refund.id", id, row: StoredRefund.init)
    }

    /// Those that the processor has not settled, the oldest first; at most `limit` after one.
    package static func underWay(
        after id: RefundID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [RefundID] {
        try transaction.query(
            "SELECT id FROM refund WHERE state = \(Refund.State.refunding.literal) AND id > $1 ORDER BY id LIMIT $2",
            id?.number ?? 0, limit
        ) { try $0.value(0) }
    }

    /// Keeps the intent to give money back for a transaction, and reserves the amount of its charge, so that all refunds
    /// together never give back more than was captured. A repeated request returns the refund that exists.
    package static func open(
        _ wanted: RefundIntent, of sold: StoreTransaction, as id: RefundID, _ change: Change
    ) throws -> StoredRefund {
        let transaction = change.transaction
        guard let order = sold.orderID, let charge = try Charges.find(order.charge, in: transaction),
            charge.state == .captured
        else { throw ServiceError(.notPaid, "nothing was paid for the transaction \(sold.id); it can be revoked") }
        if let known = try known(wanted, of: sold.id, in: transaction) { return known }
        guard try sold.revocation == nil || isOwed(sold.id, in: transaction) else {
            throw ServiceError(.alreadyRevoked, "the transaction was revoked already")
        }
        let rest = try charge.amount - charge.refunded
        let amount = wanted.amount ?? rest
        guard amount.minorUnits > 0, amount.currency == charge.amount.currency,
            try Charges.reserve(amount, of: charge.id, in: transaction)
        else {
            throw ServiceError(
                .refundTooLarge, "of the \(charge.amount) that were paid, \(rest) can be given back",
                parameter: "amount")
        }
        let refund = StoredRefund(
            wanted, of: sold, amount: amount, charge: charge, as: id,
            life: try ProcessorKeys.life(in: change.transaction), at: change.commerce, by: change.actor)
        try transaction.insert(refund, into: StoredRefund.table)
        try WorkTable.schedule(
            Work(
                work, id.description,
                dueAt: wanted.kind == .proration || wanted.isLeftToWork
                    ? change.wall : change.wall + ChargeLimits.inquiry, clock: .wall),
            in: transaction)
        if sold.revocation != nil, wanted.revokes {
            try transaction.update(
                "transaction_revocation", ["refund_id": id], where: ["transaction_id": sold.id])
            try TransactionRevisions.advance(sold.id, in: transaction)
        }
        return refund
    }

    /// The refund that a repeated request asks for.
    private static func known(
        _ wanted: RefundIntent, of id: TransactionID, in transaction: any ReadTransaction
    ) throws -> StoredRefund? {
        let refunds = try all(of: id, in: transaction)
        guard let key = wanted.key, let found = refunds.first(where: { $0.key == key }) else {
            guard wanted.key == nil || wanted.kind == .full else { return nil }
            return refunds.first { $0.kind == wanted.kind && ![.failed, .reversed].contains($0.state) }
        }
        guard found.kind == wanted.kind, wanted.amount == nil || wanted.amount == found.amount,
            found.rules.revokes == wanted.revokes
        else { throw ServiceError(.keyReused, "this key opened another refund", parameter: "Idempotency-Key") }
        return found
    }

    /// Takes in what the processor said, and with it everything that comes of it.
    static func handle(
        _ event: Refund.Event, of refund: StoredRefund, ledgerEntry: LedgerEntryID, _ change: Change
    ) throws -> StoredRefund {
        var rules = refund.rules
        let (actions, transaction) = (rules.handle(event), change.transaction)
        // What it said before changes nothing.
        guard !actions.isEmpty else { return refund }
        let settled = refund.changed(to: rules, at: change.commerce)
        try transaction.update(settled, from: refund, in: StoredRefund.table)
        try WorkTable.cancel(work, refund.id.description, clock: .wall, in: transaction)
        var isTold = false
        for action in actions {
            switch action {
            case .book:
                // The line makes refunds of one charge follow one another: each is booked beside the earlier ones.
                try Charges.add(.refunded, to: refund.charge, detail: refund.amount.description, change)
                try Ledger.book(refund: refund, as: ledgerEntry, change)
            case .revoke:
                isTold = try revoke(
                    Transactions.require(refund.transaction, in: transaction), by: refund, reason: refund.reason, change
                )
            case .release:
                try Charges.release(refund.amount, of: refund.charge, in: transaction)
            case .bookReversal:
                try Charges.add(.refundReversed, to: refund.charge, detail: refund.amount.description, change)
                try Ledger.book(reversalOf: refund, as: ledgerEntry, change)
            case .reinstate:
                try reinstate(after: refund, change)
            }
        }
        if actions.contains(.book), !isTold {
            try transaction.signal(Signal(.refunds, subject: refund.id.description))
        }
        try RefundRequests.settle(settled, change)
        return settled
    }

    /// Revokes a transaction for which nothing is being refunded.
    package static func revoke(
        _ id: TransactionID, reason: RevocationReason, _ change: Change
    ) throws {
        guard try all(of: id, in: change.transaction).allSatisfy({ $0.state != .refunding }) else {
            throw ServiceError(.tooLate, "the transaction is being refunded, which revokes it too")
        }
        try revoke(Transactions.require(id, in: change.transaction), reason: reason, change)
    }

    /// Who revoked a transaction; nil if nobody did, or before that was noted.
    static func revoker(of id: TransactionID, in transaction: any ReadTransaction) throws -> String? {
        try transaction.optional("SELECT actor FROM transaction_revocation WHERE transaction_id = $1", id) {
            try $0.value(0, as: String?.self)
        }.flatMap { $0 }
    }

    /// Revokes a transaction and tells the customer's devices; returns whether it was not revoked before. The money is
    /// another matter.
    @discardableResult
    package static func revoke(
        _ found: StoreTransaction, by refund: StoredRefund? = nil, reason: RevocationReason, _ change: Change
    ) throws -> Bool {
        guard found.revocation == nil else { return false }
        // What was restored or got again of something shared goes with it, and with its source.
        let isNew = try change.transaction.insertIfNew(
            into: "transaction_revocation",
            [
                "transaction_id": found.id, "refund_id": refund?.id, "percentage": refund?.percentage,
                "reason": reason, "revoked_at": change.commerce, "actor": change.actor.text,
            ])
        guard isNew else { return false }
        try TransactionRevisions.advance(found.id, in: change.transaction)
        try CustomerEvents.append(
            .revocation, to: found.customerID, app: found.appID, device: nil, purchase: found.orderID?.purchase,
            transaction: found.id, change)
        if found.kind == .autoRenewable { try Subscriptions.revoke(found, because: reason, change) }
        if found.isToldOf {
            let type: NotificationType = found.ownership == .familyShared ? .revoke : .refund
            try Notifications.tell(SubscriptionNotice(type), about: found, change)
        }
        for copy in try copies(of: found, in: change.transaction) {
            try revoke(copy, by: refund, reason: reason, change)
        }
        // Nothing was paid for what was shared, so nothing of it is refunded.
        for share in try FamilySharing.shares(of: found.id, in: change.transaction) {
            try revoke(share, reason: reason, change.cause.change(of: share.customerID, in: change.transaction))
        }
        return true
    }

    /// What came of a transaction without money goes with it: restored copies, and what was bought again for nothing
    /// because it was owned. Otherwise the customer would go on owning what was revoked.
    private static func copies(
        of original: StoreTransaction, in transaction: any ReadTransaction
    ) throws -> [StoreTransaction] {
        try transaction.query(
            StoreTransaction.selection + """
                 WHERE store_transaction.customer_id = $1 AND store_transaction.item_id = $2
                    AND store_transaction.id <> $3
                    AND (store_transaction.restored_id = $3
                        OR store_transaction.original_id = $3 AND store_transaction.kind = 'Non-Consumable')
                    AND transaction_revocation.transaction_id IS NULL
                ORDER BY store_transaction.id
                """, original.customerID, original.itemID, original.id, row: StoreTransaction.init)
    }
}

/// A refund as it is kept.
package struct StoredRefund: Hashable, Sendable {
    package let id: RefundID
    package let charge: ChargeID
    package let transaction: TransactionID
    package let customer: CustomerID
    package let kind: RefundKind
    package let reason: RevocationReason
    package let amount: Money
    /// What it is of the price, in thousandths of a percent.
    package let percentage: Int
    package let key: PurchaseKey?
    /// The processor's name for the money it took.
    package let capture: String
    /// The life of the database in which it was opened: see ``ProcessorKeys``.
    package let life: String?
    package let requestedAt: Instant
    /// Who gave it; nil for refunds from before that was noted.
    package let actor: String?
    package private(set) var changedAt: Instant
    package private(set) var rules: Refund

    package var state: Refund.State { rules.state }

    static let table = RowTable<StoredRefund>("refund") {
        Column("id", .key) { $0.id }
        Column("charge_id") { $0.charge }
        Column("transaction_id") { $0.transaction }
        Column("customer_id") { $0.customer }
        Column("kind") { $0.kind.rawValue }
        Column("reason") { $0.reason }
        Column("amount") { $0.amount.minorUnits }
        Column("currency") { $0.amount.currency }
        Column("percentage") { $0.percentage }
        Column("refund_key") { $0.key }
        Column("requested_at") { $0.requestedAt }
        Column("changed_at", .changing) { $0.changedAt }
        Column("revokes") { $0.rules.revokes }
        Column("state", .version) { $0.rules.state.rawValue }
        Column("failure", .changing) { $0.rules.failure }
        Column("reference", .changing) { $0.rules.reference }
        Column("actor") { $0.actor }
        Column("life") { $0.life }
    }

    static let columns: SQL = "\(table.qualifiedColumns), charge.capture"

    static let selection: SQL = "SELECT \(columns) FROM refund JOIN charge ON charge.id = refund.charge_id"

    init(_ row: Row) throws {
        var cells = row.cells
        try self.init(&cells)
    }

    /// Reads ``columns``, of a row that has others behind them.
    init(_ cells: inout RowCells) throws {
        id = try cells.next()
        charge = try cells.next()
        transaction = try cells.next()
        customer = try cells.next()
        kind = RefundKind(rawValue: try cells.next())
        reason = try cells.next()
        amount = try cells.nextMoney()
        percentage = try cells.next()
        key = try cells.next()
        requestedAt = try cells.next()
        changedAt = try cells.next()
        let revokes = try cells.next(as: Bool.self)
        guard let state = Refund.State(rawValue: try cells.next()) else {
            throw DatabaseError(.unexpectedValue, "a refund is in a state that this version does not know")
        }
        rules = Refund(revokes: revokes, state: state, failure: try cells.next(), reference: try cells.next())
        actor = try cells.next()
        life = try cells.next()
        capture = try cells.next()
    }

    /// A refund that is being opened.
    init(
        _ wanted: RefundIntent, of sold: StoreTransaction, amount: Money, charge: StoredCharge, as id: RefundID,
        life: String?, at commerce: Instant, by actor: Actor
    ) {
        self.actor = actor.text
        self.life = life
        self.id = id
        self.charge = charge.id
        transaction = sold.id
        customer = sold.customerID
        kind = wanted.kind
        reason = wanted.reason
        self.amount = amount
        percentage = Int(
            Int128(amount.minorUnits) * Int128(TransactionRevocation.wholePercentage)
                / Int128(max(charge.amount.minorUnits, 1)))
        key = wanted.key
        capture = charge.rules.capture ?? ""
        requestedAt = commerce
        changedAt = commerce
        rules = Refund(revokes: wanted.revokes)
    }

    /// The refund after something happened.
    func changed(to rules: Refund, at commerce: Instant) -> StoredRefund {
        var changed = self
        (changed.rules, changed.changedAt) = (rules, commerce)
        return changed
    }
}
