import StoreDatabase
package import StoreModel
package import StoreRules

/// A refund as it is kept.
package struct StoredRefund: Hashable, Sendable {
    package let id: Int64
    package let transaction: TransactionID
    package let purchase: PurchaseID
    package let customer: CustomerID
    package let reason: RevocationReason
    package let amount: Money
    /// The processor's name of the money it took.
    package let capture: String
    package let requestedAt: Instant
    package let rules: Refund

    package var state: Refund.State { rules.state }

    static let columns: SQL = """
        id, transaction_id, purchase_id, customer_id, reason, amount, currency, capture, requested_at, state, failure,
        reference
        """

    init(_ row: Row) throws {
        id = try row.value(0)
        transaction = try row.value(1)
        purchase = try row.value(2)
        customer = try row.value(3)
        reason = try row.value(4)
        amount = try row.money(5)
        capture = try row.value(7)
        requestedAt = try row.value(8)
        guard let state = Refund.State(rawValue: try row.value(9)) else {
            throw DatabaseError(.unexpectedValue, "a refund is in a state that this version does not know")
        }
        rules = Refund(state: state, failure: try row.value(10), reference: try row.value(11))
    }
}
