import StoreDatabase
package import StoreModel
package import StoreRules

/// A refund as it is kept.
package struct StoredRefund: Hashable, Sendable {
    package let id: Int64
    package let charge: PurchaseID
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
    package let requestedAt: Instant
    package let rules: Refund

    package var state: Refund.State { rules.state }

    static let selection: SQL = """
        SELECT refund.id, refund.charge_id, refund.transaction_id, refund.customer_id, refund.kind, refund.reason,
            refund.amount, refund.currency, refund.percentage, refund.refund_key, charge.capture, refund.requested_at,
            refund.revokes, refund.state, refund.failure, refund.reference
        FROM refund JOIN charge ON charge.id = refund.charge_id
        """

    init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        charge = try cells.next()
        transaction = try cells.next()
        customer = try cells.next()
        kind = RefundKind(rawValue: try cells.next())
        reason = try cells.next()
        amount = try cells.nextMoney()
        percentage = try cells.next()
        key = try cells.next()
        capture = try cells.next()
        requestedAt = try cells.next()
        let revokes = try cells.next(as: Bool.self)
        guard let state = Refund.State(rawValue: try cells.next()) else {
            throw DatabaseError(.unexpectedValue, "a refund is in a state that this version does not know")
        }
        rules = Refund(revokes: revokes, state: state, failure: try cells.next(), reference: try cells.next())
    }
}
