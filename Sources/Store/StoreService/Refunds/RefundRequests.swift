import StoreCatalogue
package import StoreDatabase
package import StoreModel
package import StoreRules

/// What customers ask money back for, and what becomes of it, in one transaction each.
package enum RefundRequests {
    package static func find(_ id: RefundRequestID, in transaction: any ReadTransaction) throws -> StoredRefundRequest?
    {
        try transaction.optional(
            "SELECT \(StoredRefundRequest.table.columns) FROM refund_request WHERE id = $1", id,
            row: StoredRefundRequest.init
        )
    }

    package static func require(_ id: RefundRequestID, in transaction: any ReadTransaction) throws
        -> StoredRefundRequest
    {
        guard let found = try find(id, in: transaction) else {
            throw ServiceError(.nameUnknown, "there is no refund request \(id)", parameter: "id")
        }
        return found
    }

    /// Those after one, the oldest first; at most `limit`.
    ///
    /// - Parameter states: only those in one of these; none for all.
    package static func list(
        in states: Set<RefundRequest.State>, askedIn period: ReportPeriod = .always, after id: RefundRequestID?,
        limit: Int, in transaction: any ReadTransaction
    ) throws -> [StoredRefundRequest] {
        let (first, end) = period.bounds
        return try transaction.query(
            """
            SELECT \(StoredRefundRequest.table.columns) FROM refund_request
            WHERE \(RefundRequest.State.condition { states.isEmpty || states.contains($0) }) AND id > $1
                AND asked_wall >= $3 AND asked_wall < $4
            ORDER BY id LIMIT $2
            """, id?.number ?? 0, limit, first, end, row: StoredRefundRequest.init)
    }

    /// Those about a transaction, the oldest first.
    package static func about(
        _ id: TransactionID, in transaction: any ReadTransaction
    ) throws -> [StoredRefundRequest] {
        try transaction.query(
            "SELECT \(StoredRefundRequest.table.columns) FROM refund_request WHERE transaction_id = $1 ORDER BY id", id,
            row: StoredRefundRequest.init)
    }

    /// How many somebody has to decide, and since when the oldest waits, by the wall clock.
    package static func waiting(in transaction: any ReadTransaction) throws -> (count: Int, oldest: Instant?) {
        try transaction.one(
            "SELECT count(*), min(asked_wall) FROM refund_request WHERE \(RefundRequest.State.condition(\.isWaiting))"
        ) { row in
            var cells = row.cells
            return (try cells.next(as: Int.self), try cells.next(as: Instant?.self))
        }
    }

    /// Keeps what a customer asks. One who asks again before it is decided gets the request that exists.
    static func open(
        _ sold: StoreTransaction, because reason: RefundRequestReason, note: String?, as id: RefundRequestID,
        _ change: Change
    ) throws -> StoredRefundRequest {
        let transaction = change.transaction
        // Two that ask at once do so one after the other.
        try Customers.claim(sold.customerID, in: transaction)
        let open = try about(sold.id, in: transaction).last { $0.state.isWaiting || $0.state == .approved }
        if let open { return open }
        // What was refunded has nothing left that was paid: the first says why.
        guard sold.revocation == nil else {
            throw ServiceError(.alreadyRevoked, "the transaction was revoked already")
        }
        guard let order = sold.orderID, let charge = try Charges.find(order.charge, in: transaction),
            charge.state == .captured, charge.refunded.minorUnits < charge.amount.minorUnits
        else { throw ServiceError(.notPaid, "nothing that was paid for the transaction \(sold.id) can be given back") }
        let asked = StoredRefundRequest(about: sold, because: reason, note: note, as: id, change)
        try transaction.insert(asked, into: StoredRefundRequest.table)
        try record("asked", of: asked, detail: reason.rawValue, change)
        if sold.kind == .consumable || sold.kind == .autoRenewable {
            try Notifications.tell(SubscriptionNotice(.consumptionRequest), about: sold, because: reason, change)
        }
        return asked
    }

    /// Takes in what happened to a request.
    ///
    /// - Returns: what has to be done in the same transaction.
    static func handle(
        _ event: RefundRequest.Event, of request: StoredRefundRequest, because detail: String?, _ change: Change
    ) throws -> [RefundRequest.Action] {
        var rules = RefundRequest(state: request.state)
        let actions: [RefundRequest.Action]
        do {
            actions = try rules.handle(event)
        } catch {
            throw ServiceError(.stateWrong, "the refund request \(request.id) is \(error.state.rawValue)")
        }
        guard rules.state != request.state else { return actions }
        let changed = request.changed(to: rules.state, at: change.commerce)
        try change.transaction.update(changed, from: request, in: StoredRefundRequest.table)
        try record(event.rawValue, of: changed, detail: detail, change)
        if event == .declined {
            let sold = try Transactions.require(request.transaction, in: change.transaction)
            try Notifications.tell(SubscriptionNotice(.refundDeclined), about: sold, change)
        }
        return actions
    }

    /// Notes the refund that an approval opened.
    static func link(_ request: StoredRefundRequest, to refund: RefundID, _ change: Change) throws {
        try change.transaction.update("refund_request", ["refund_id": refund], where: ["id": request.id])
    }

    /// What became of a refund becomes of the request that it was approved for.
    static func settle(_ refund: StoredRefund, _ change: Change) throws {
        let event: RefundRequest.Event? =
            switch refund.state {
            case .refunding: nil
            case .refunded: .refunded
            case .failed: .refused
            case .reversed: .reversed
            }
        let asked = try change.transaction.query(
            "SELECT \(StoredRefundRequest.table.columns) FROM refund_request WHERE refund_id = $1", refund.id,
            row: StoredRefundRequest.init)
        guard let event else { return }
        for request in asked where request.state == .approved {
            _ = try handle(event, of: request, because: refund.rules.failure, change)
        }
    }

    private static func record(
        _ event: String, of request: StoredRefundRequest, detail: String?, _ change: Change
    ) throws {
        try History.refundRequests.append(
            event, to: request.id, number: request.historyCount, detail: detail, ["state": request.state.rawValue],
            change)
    }

    /// Takes the names of a person out of what was written in requests: by the person, and by those who decided.
    static func remove(
        _ names: PersonalNames, fromRequestsOf customer: CustomerID, in transaction: any WriteTransaction
    ) throws {
        let notes = try transaction.query(
            "SELECT id, note FROM refund_request WHERE customer_id = $1 AND note IS NOT NULL", customer
        ) { row in
            var cells = row.cells
            return try (id: cells.next(as: RefundRequestID.self), text: cells.next(as: String.self))
        }
        for note in notes {
            let text = names.removed(from: note.text)
            if text != note.text { try transaction.update("refund_request", ["note": text], where: ["id": note.id]) }
        }
        let details = try transaction.query(
            """
            SELECT refund_request_id, number, detail FROM refund_request_history WHERE detail IS NOT NULL
                AND refund_request_id IN (SELECT id FROM refund_request WHERE customer_id = $1)
            """, customer
        ) { row in
            var cells = row.cells
            return try (
                id: cells.next(as: RefundRequestID.self), number: cells.next(as: Int64.self),
                text: cells.next(as: String.self)
            )
        }
        for detail in details {
            let text = names.removed(from: detail.text)
            guard text != detail.text else { continue }
            try transaction.update(
                "refund_request_history", ["detail": text],
                where: ["refund_request_id": detail.id, "number": detail.number])
        }
    }

    /// Forgets what was asked about a transaction, which a store for tests forgets.
    static func forget(_ id: TransactionID, in transaction: any WriteTransaction) throws {
        for request in try about(id, in: transaction) {
            try transaction.execute(
                "DELETE FROM refund_request_history WHERE refund_request_id = $1", request.id)
            try transaction.execute("DELETE FROM refund_consumption WHERE refund_request_id = $1", request.id)
            try transaction.execute("DELETE FROM refund_request WHERE id = $1", request.id)
        }
        try transaction.execute("DELETE FROM transaction_reinstatement WHERE transaction_id = $1", id)
    }
}

extension RefundRequest.State: StoredState {
    var literal: SQL {
        switch self {
        case .asked: "'asked'"
        case .approved: "'approved'"
        case .refunded: "'refunded'"
        case .failed: "'failed'"
        case .declined: "'declined'"
        case .withdrawn: "'withdrawn'"
        case .reversed: "'reversed'"
        }
    }
}

/// A request as it is kept.
package struct StoredRefundRequest: Hashable, Sendable {
    package let id: RefundRequestID
    package let transaction: TransactionID
    package let customer: CustomerID
    package let reason: RefundRequestReason
    /// What the customer said of it.
    package let note: String?
    package private(set) var state: RefundRequest.State
    /// The refund of the last approval.
    package let refund: RefundID?
    package let askedAt: Instant
    /// By the wall clock.
    package let askedWall: Instant
    package private(set) var changedAt: Instant
    private(set) var historyCount: Int

    /// Until when the developer may say what was consumed, by the clock of the customer.
    package var answersUntil: Instant { askedAt + Consumption.window }

    /// The refund is written by ``RefundRequests/link(_:to:_:)`` alone.
    static let table = RowTable<StoredRefundRequest>("refund_request") {
        Column("id", .key) { $0.id }
        Column("transaction_id") { $0.transaction }
        Column("customer_id") { $0.customer }
        Column("reason") { $0.reason }
        Column("note") { $0.note }
        Column("state", .changing) { $0.state.rawValue }
        Column("refund_id") { $0.refund }
        Column("asked_at") { $0.askedAt }
        Column("asked_wall") { $0.askedWall }
        Column("changed_at", .changing) { $0.changedAt }
        Column("history_count", .version) { $0.historyCount }
    }

    init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        transaction = try cells.next()
        customer = try cells.next()
        reason = try cells.next()
        note = try cells.next()
        guard let state = RefundRequest.State(rawValue: try cells.next()) else {
            throw DatabaseError(.unexpectedValue, "a refund request is in a state that this version does not know")
        }
        self.state = state
        refund = try cells.next()
        askedAt = try cells.next()
        askedWall = try cells.next()
        changedAt = try cells.next()
        historyCount = try cells.next()
    }

    /// A request that is being opened, with the first line of its history.
    fileprivate init(
        about sold: StoreTransaction, because reason: RefundRequestReason, note: String?, as id: RefundRequestID,
        _ change: Change
    ) {
        self.id = id
        transaction = sold.id
        customer = sold.customerID
        self.reason = reason
        self.note = note
        state = .asked
        refund = nil
        askedAt = change.commerce
        askedWall = change.wall
        changedAt = change.commerce
        historyCount = 1
    }

    /// The request after something happened, with one more line in its history.
    fileprivate func changed(to state: RefundRequest.State, at commerce: Instant) -> StoredRefundRequest {
        var changed = self
        (changed.state, changed.changedAt) = (state, commerce)
        changed.historyCount += 1
        return changed
    }

    /// A line of its history.
    package struct Line: Hashable, Sendable {
        package let at: Instant
        /// Nil of the first line, when it was asked for.
        package let event: RefundRequest.Event?
        package let state: RefundRequest.State
        package let detail: String?
        package let actor: String
        package let request: String?
    }

    /// The histories of these requests, the oldest line first.
    static func histories(of ids: [RefundRequestID], in transaction: any ReadTransaction) throws -> [RefundRequestID:
        [Line]]
    {
        let found = try transaction.query(
            """
            SELECT refund_request_id, at, event, state, detail, actor, request_id FROM refund_request_history
            WHERE refund_request_id IN \(.numbers) ORDER BY refund_request_id, number
            """, of: ids
        ) { row in
            var cells = row.cells
            let request = try cells.next(as: RefundRequestID.self)
            let line = try Line(
                at: cells.next(), event: RefundRequest.Event(rawValue: cells.next()), state: cells.nextWord(),
                detail: cells.next(),
                actor: cells.next(), request: cells.next())
            return (request: request, line: line)
        }
        return Dictionary(grouping: found, by: \.request).mapValues { $0.map(\.line) }
    }
}
