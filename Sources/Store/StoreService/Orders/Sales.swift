import StoreDatabase
import StoreModel
import StoreRules

/// What comes of orders: their transactions, their bookings, and what the device or the customer is told.
enum Sales {
    /// What a customer may buy of an item at this moment, and what it would be paid with.
    enum Offer {
        case terms(Purchase.Terms, PaymentMethod?)
        case prevented(PurchaseFailure)
    }

    /// What it comes to when a customer, who exists and may buy, says yes at this moment.
    ///
    /// - Parameters:
    ///   - payer: who pays; nil for the customer.
    ///   - chosen: what it is to be paid with; nil for what the account pays with.
    static func offer(
        of item: SoldItem, total: Money, to scope: CustomerScope, paidBy payer: CustomerID? = nil,
        with chosen: PaymentMethod? = nil, at commerce: Instant, in transaction: any ReadTransaction
    ) throws -> Offer {
        let customer = scope.customer
        if item.kind == .autoRenewable,
            let terms = try Subscriptions.terms(of: item, for: scope, at: commerce, in: transaction)
        {
            return .terms(terms, nil)
        }
        if item.kind.isOwnedOnce {
            if let owned = try Transactions.owned(item.id, by: customer, at: commerce, in: transaction) {
                if item.kind != .autoRenewable { return .terms(.free, nil) }
                // Somebody in the family pays for it.
                if owned.ownership == .familyShared { return .terms(.running, nil) }
            }
            // Of two plans of a group that are wanted at once, one is paid before the other is judged.
            let isBeingPaid =
                try item.kind == .autoRenewable
                ? Subscriptions.isBeingBought(item, by: scope, in: transaction)
                : Charges.isBeingPaid(item.id, by: customer, in: transaction)
            if isBeingPaid { return .terms(.beingPaid, nil) }
        }
        guard !total.isZero else { return .terms(.free, nil) }
        guard let method = try chosen ?? Customers.paymentMethods(of: payer ?? customer, in: transaction).last else {
            return .prevented(.noPaymentMethod)
        }
        return .terms(.toBePaid, method)
    }

    /// Makes the transaction of an order and books what was paid; returns its number.
    static func deliver(
        _ order: SaleOrder, isPaid: Bool, _ drawn: Drawn?, _ change: Change
    ) throws -> TransactionID {
        guard let drawn else {
            throw DatabaseError(.unexpectedValue, "an order cannot be delivered without numbers that were drawn for it")
        }
        let delivered =
            order.item.kind == .autoRenewable
            ? try Subscriptions.deliver(order, as: drawn.transaction, change) : nil
        let sold = try Transactions.record(order, as: drawn.transaction, isPaid: isPaid, delivered, change)
        if delivered != nil { try Offers.followUp(order, change) }
        try Notifications.tell(sale: sold, delivered?.notices, change)
        try ItemSales.finish(sold, change)
        if isPaid {
            try Ledger.book(sale: order, transaction: drawn.transaction, as: drawn.ledgerEntry, change)
        }
        return drawn.transaction
    }

    /// Tells what made the order how its charge came out.
    static func settle(
        _ outcome: Charge.Outcome, of charge: StoredCharge, with drawn: Drawn?, _ change: Change
    ) throws {
        let order = try SaleOrder.require(charge.id.sale, in: change.transaction)
        switch order.origin {
        case .purchase:
            let purchase = try Purchases.require(order.id.purchase, in: change.transaction)
            _ = try Purchases.handle(.charged(outcome), of: purchase, order: order, with: drawn, change)
        case .renewal:
            try Subscriptions.settle(outcome, of: order, drawn, change)
        default:
            if outcome != .captured { try Offers.release(order.id, change) }
            if outcome == .captured { try deliverUnasked(order, isPaid: true, drawn, change) }
            try change.transaction.signal(Signal(.purchases, subject: order.id.description))
        }
    }

    /// Delivers an order that no purchase asked for to all devices of the customer.
    static func deliverUnasked(_ order: SaleOrder, isPaid: Bool, _ drawn: Drawn?, _ change: Change) throws {
        let id = try deliver(order, isPaid: isPaid, drawn, change)
        try CustomerEvents.append(
            .transaction, to: order.scope.customer, app: order.scope.app, device: nil, purchase: nil, transaction: id,
            change)
    }

    /// Reports that the customer has to act at the bank, or would have had to, or may choose another card.
    static func reportAction(of charge: StoredCharge, _ change: Change) throws {
        let order = try SaleOrder.require(charge.id.sale, in: change.transaction)
        try CustomerEvents.append(
            .purchase, to: charge.customer, app: order.scope.app, device: order.device,
            purchase: order.origin == .purchase ? order.id.purchase : nil, transaction: nil, change)
        try change.transaction.signal(Signal(.purchases, subject: charge.id.description))
    }
}
