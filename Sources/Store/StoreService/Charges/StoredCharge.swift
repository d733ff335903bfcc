import StoreDatabase
package import StoreModel
package import StoreRules

/// A charge as it is kept: the money of the order with the same number.
package struct StoredCharge: Hashable, Sendable {
    package let id: PurchaseID
    package let customer: CustomerID
    package let item: ItemID
    package let isOwnedOnce: Bool
    /// What is paid with.
    package private(set) var paymentMethod: Int64?
    /// What the customer reads on the bank statement.
    package let description: String
    package let amount: Money
    /// What refunds have given back, or are about to.
    package let refunded: Money
    package let openedAt: Instant
    package private(set) var changedAt: Instant
    /// By the wall clock: until when the processor is asked to authorise, or the customer may act at the bank.
    package private(set) var expiresAt: Instant
    package private(set) var historyCount: Int
    package private(set) var rules: Charge

    package var state: Charge.State { rules.state }

    static let columns: SQL = """
        id, customer_id, item_id, is_owned_once, payment_method_id, description, amount, currency, refunded, opened_at,
        changed_at, expires_at, history_count, is_attended, state, failure, attempt, authorisation, capture, action_url
        """

    init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        customer = try cells.next()
        item = try cells.next()
        isOwnedOnce = try cells.next()
        paymentMethod = try cells.next()
        description = try cells.next()
        amount = try cells.nextMoney()
        refunded = Money(minorUnits: try cells.next(), currency: amount.currency)
        openedAt = try cells.next()
        changedAt = try cells.next()
        expiresAt = try cells.next()
        historyCount = try cells.next()
        let isAttended = try cells.next(as: Bool.self)
        guard let state = Charge.State(rawValue: try cells.next()) else {
            throw DatabaseError(.unexpectedValue, "a charge is in a state that this version does not know")
        }
        rules = Charge(
            state: state, failure: try cells.next(as: String?.self).map(PurchaseFailure.init),
            attempt: try cells.next(), authorisation: try cells.next(), capture: try cells.next(),
            actionURL: try cells.next(), isAttended: isAttended)
    }

    /// The charge of an order, about to be opened.
    init(_ order: SaleOrder, paidWith method: PaymentMethod, isAttended: Bool, at times: StoreTimes) {
        id = order.id
        customer = order.scope.customer
        item = order.item.id
        isOwnedOnce = order.item.kind.isOwnedOnce
        paymentMethod = method.id
        description = "\(order.scope.bundle) \(order.item.product)"
        amount = order.total
        refunded = .zero(order.total.currency)
        openedAt = times.commerce
        changedAt = times.commerce
        expiresAt = times.wall + ChargeLimits.asking + ChargeLimits.silence
        historyCount = 0
        rules = Charge(isAttended: isAttended)
    }

    /// Notes what the next attempt is paid with; it is kept with the next change.
    mutating func pay(with method: PaymentMethod) {
        paymentMethod = method.id
    }

    /// The charge after something happened, with one more line in its history.
    func changed(to rules: Charge, at times: StoreTimes) -> StoredCharge {
        var changed = self
        changed.rules = rules
        changed.changedAt = times.commerce
        changed.historyCount += 1
        switch rules.state {
        case .action: changed.expiresAt = times.wall + ChargeLimits.action
        case .authorising: changed.expiresAt = times.wall + ChargeLimits.asking + ChargeLimits.silence
        default: break
        }
        return changed
    }
}

/// How long things may take, by the wall clock.
package enum ChargeLimits {
    /// To act at the bank.
    package static let action = Duration.seconds(24 * 60 * 60)
    /// To get an authorisation after the customer said yes: until then the processor is asked again as often as it knows
    /// nothing of the request.
    package static let asking = Duration.seconds(60 * 60)
    /// After that, until a charge is released of which the processor still knows nothing. It is not asked any more, so
    /// the last request has arrived by then, or almost certainly never will.
    package static let silence = Duration.seconds(15 * 60)
    /// How long a released charge is watched for an authorisation that arrives all the same.
    package static let lateWatch = Duration.seconds(24 * 60 * 60)
    /// Until a request to the processor that got no answer is looked up.
    package static let inquiry = Duration.seconds(20)
    /// Until the processor is asked again whether the customer has acted at the bank.
    package static let actionInquiry = Duration.seconds(5 * 60)
}
