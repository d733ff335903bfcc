import StoreCatalogue
package import StoreDatabase
package import StoreModel
package import StoreRules

/// What customers ask money back for, and what becomes of it, in one transaction each.
package enum RefundRequests {
    package static func find(_ id: Int64, in transaction: any ReadTransaction) throws -> StoredRefundRequest? {
        try transaction.optional(
            "SELECT \(StoredRefundRequest.columns) FROM refund_request WHERE id = $1", id, row: StoredRefundRequest.init
        )
    }

    package static func require(_ id: Int64, in transaction: any ReadTransaction) throws -> StoredRefundRequest {
        guard let found = try find(id, in: transaction) else {
            throw ServiceError(.nameUnknown, "there is no refund request \(id)", parameter: "id")
        }
        return found
    }

    /// Those after one, the oldest first; at most `limit`.
    ///
    /// - Parameter states: only those in one of these; none for all.
    package static func list(
        in states: Set<RefundRequest.State>, after id: Int64?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [StoredRefundRequest] {
        try transaction.query(
            """
            SELECT \(StoredRefundRequest.columns) FROM refund_request
            WHERE \(RefundRequest.State.condition { states.isEmpty || states.contains($0) }) AND id > $1
            ORDER BY id LIMIT $2
            """, id ?? 0, limit, row: StoredRefundRequest.init)
    }

    /// Those about a transaction, the oldest first.
    package static func about(
        _ id: TransactionID, in transaction: any ReadTransaction
    ) throws -> [StoredRefundRequest] {
        try transaction.query(
            "SELECT \(StoredRefundRequest.columns) FROM refund_request WHERE transaction_id = $1 ORDER BY id", id,
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
        _ sold: StoreTransaction, because reason: RefundRequestReason, note: String?, as id: Int64, _ change: Change
    ) throws -> StoredRefundRequest {
        let transaction = change.transaction
        // Two that ask at once do so one after the other.
        try Customers.claim(sold.customerID, in: transaction)
        let open = try about(sold.id, in: transaction).last { $0.state.isWaiting || $0.state == .approved }
        if let open { return open }
        guard let order = sold.orderID, let charge = try Charges.find(order, in: transaction),
            charge.state == .captured, charge.refunded.minorUnits < charge.amount.minorUnits
        else { throw ServiceError(.notPaid, "nothing that was paid for the transaction \(sold.id) can be given back") }
        guard sold.revocation == nil else {
            throw ServiceError(.alreadyRevoked, "the transaction was revoked already")
        }
        try transaction.execute(
            """
            INSERT INTO refund_request (id, transaction_id, customer_id, reason, note, state, refund_id, asked_at,
                asked_wall, changed_at, history_count)
            VALUES ($1, $2, $3, $4, $5, 'asked', NULL, $6, $7, $6, 0)
            """, id, sold.id, sold.customerID, reason, note, change.commerce, change.wall)
        let asked = try require(id, in: transaction)
        try record("asked", of: asked, as: asked.state, refund: nil, detail: reason.rawValue, change)
        return try require(id, in: transaction)
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
        try record(event.rawValue, of: request, as: rules.state, refund: request.refund, detail: detail, change)
        return actions
    }

    /// Notes the refund that an approval opened.
    static func link(_ request: StoredRefundRequest, to refund: Int64, _ change: Change) throws {
        try change.transaction.execute(
            "UPDATE refund_request SET refund_id = $2 WHERE id = $1", request.id, refund)
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
            "SELECT \(StoredRefundRequest.columns) FROM refund_request WHERE refund_id = $1", refund.id,
            row: StoredRefundRequest.init)
        guard let event else { return }
        for request in asked where request.state == .approved {
            _ = try handle(event, of: request, because: refund.rules.failure, change)
        }
    }

    private static func record(
        _ event: String, of request: StoredRefundRequest, as state: RefundRequest.State, refund: Int64?,
        detail: String?, _ change: Change
    ) throws {
        let count = try change.transaction.execute(
            """
            UPDATE refund_request SET state = $3, changed_at = $4, history_count = history_count + 1
            WHERE id = $1 AND history_count = $2
            """, request.id, request.historyCount, state.rawValue, change.commerce)
        guard count == 1 else {
            throw DatabaseError(.unexpectedValue, "a refund request was changed that is not as it was read")
        }
        try change.transaction.execute(
            """
            INSERT INTO refund_request_history (
                refund_request_id, number, at, event, state, detail, actor, request_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """, request.id, request.historyCount + 1, change.commerce, event, state.rawValue, detail,
            change.actor.text, change.cause.request)
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
    package let id: Int64
    package let transaction: TransactionID
    package let customer: CustomerID
    package let reason: RefundRequestReason
    /// What the customer said of it.
    package let note: String?
    package let state: RefundRequest.State
    /// The refund of the last approval.
    package let refund: Int64?
    package let askedAt: Instant
    /// By the wall clock.
    package let askedWall: Instant
    package let changedAt: Instant
    let historyCount: Int

    /// Until when the developer may say what was consumed, by the wall clock.
    package var answersUntil: Instant { askedWall + Consumption.window }

    static let columns: SQL = """
        id, transaction_id, customer_id, reason, note, state, refund_id, asked_at, asked_wall, changed_at, history_count
        """

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

    /// A line of its history.
    package struct Line: Hashable, Sendable {
        package let at: Instant
        package let event: String
        package let state: String
        package let detail: String?
        package let actor: String
        package let request: String?
    }

    /// The histories of these requests, the oldest line first.
    static func histories(of ids: [Int64], in transaction: any ReadTransaction) throws -> [Int64: [Line]] {
        let found = try transaction.query(
            """
            SELECT refund_request_id, at, event, state, detail, actor, request_id FROM refund_request_history
            WHERE refund_request_id IN \(.numbers) ORDER BY refund_request_id, number
            """, of: ids
        ) { row in
            var cells = row.cells
            let request = try cells.next(as: Int64.self)
            let line = try Line(
                at: cells.next(), event: cells.next(), state: cells.next(), detail: cells.next(),
                actor: cells.next(), request: cells.next())
            return (request: request, line: line)
        }
        return Dictionary(grouping: found, by: \.request).mapValues { $0.map(\.line) }
    }
}
