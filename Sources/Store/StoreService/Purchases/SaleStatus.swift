package import StoreDatabase
package import StoreModel
package import StoreRules

/// How something stands that was wanted or sold: the purchase on a device or the order that needed none, its charge, and what
/// came of it. All of them have one number.
package struct SaleStatus: Sendable {
    package let id: SaleID
    /// The question on a device; nil for an order that no device asked for.
    package let purchase: StoredPurchase?
    /// Nil while a purchase has not come to one.
    package let order: SaleOrder?
    /// Nil for what costs nothing.
    package let charge: StoredCharge?
    /// What came of it.
    package let bought: StoreTransaction?
    /// When the processor is asked again that has given no answer yet; only where all of it was read.
    package private(set) var nextInquiry: Instant?

    /// Of a purchase; what was not read before is read now.
    init(_ purchase: StoredPurchase, charge: StoredCharge? = nil, in transaction: any ReadTransaction) throws {
        id = purchase.id.sale
        self.purchase = purchase
        order = nil
        self.charge =
            try charge
            ?? (purchase.state == .charging ? Charges.find(id.charge, in: transaction) : nil)
        bought = try purchase.transaction.flatMap { try Transactions.find($0, in: transaction) }
    }

    /// Of a purchase that nobody has asked for, to look at its page.
    init(imagined purchase: StoredPurchase) {
        id = purchase.id.sale
        self.purchase = purchase
        (order, charge, bought) = (nil, nil, nil)
    }

    /// Of whatever has this number, with all of it.
    package init?(_ id: SaleID, in transaction: any ReadTransaction) throws {
        try self.init(
            id, Purchases.find(id.purchase, in: transaction), SaleOrder.find(id, in: transaction),
            charge: { try Charges.find($0, in: transaction) },
            delivered: { try Transactions.find($0, in: transaction) },
            made: { try Transactions.find(order: $0, in: transaction) },
            nextInquiry: { try Charges.inquiry(about: $0, in: transaction) })
    }

    private init?(
        _ id: SaleID, _ purchase: StoredPurchase?, _ order: SaleOrder?,
        charge findCharge: (ChargeID) throws -> StoredCharge?,
        delivered findDelivered: (TransactionID) throws -> StoreTransaction?,
        made findMade: (SaleID) throws -> StoreTransaction?, nextInquiry: (ChargeID) throws -> Instant?
    ) rethrows {
        guard purchase != nil || order != nil else { return nil }
        self.id = id
        self.purchase = purchase
        self.order = order
        charge = order == nil ? nil : try findCharge(id.charge)
        bought = try purchase?.transaction.flatMap { try findDelivered($0) } ?? findMade(id)
        if charge?.state.awaitsProcessor == true { self.nextInquiry = try nextInquiry(id.charge) }
    }

    /// The same of several, in the order of their numbers here; as many statements, however many there are.
    package static func all(_ ids: [SaleID], in transaction: any ReadTransaction) throws -> [SaleStatus] {
        let purchases = try Purchases.find(all: ids.map(\.purchase), in: transaction)
        let orders = try SaleOrder.find(all: ids, in: transaction)
        let charges = try Charges.find(all: ids.map(\.charge), in: transaction)
        let delivered = try Transactions.find(all: purchases.values.compactMap(\.transaction), in: transaction)
        let made = try Transactions.find(orders: ids, in: transaction)
        let inquiries = try Charges.inquiries(about: ids.map(\.charge), in: transaction)
        return ids.compactMap { id in
            SaleStatus(
                id, purchases[id.purchase], orders[id], charge: { charges[$0] }, delivered: { delivered[$0] },
                made: { made[$0] }, nextInquiry: { inquiries[$0] })
        }
    }

    /// The state as operators see it: that of the purchase, and while it is paid that of the charge.
    package var state: SaleState {
        if let purchase, purchase.state != .charging { return SaleState(purchase.state) }
        // An order without a charge costs nothing.
        return charge.map { $0.rules.awaitsChoice ? .choosing : SaleState($0.state, failure: $0.rules.failure) }
            ?? .purchased
    }

    /// What the processor calls that for which the customer has to act at the bank; nil where nobody waits for that.
    package var waitingAtBank: String? { state == .action ? charge?.rules.authorisation : nil }

    /// Why there is no transaction, once that is final.
    package var failure: PurchaseFailure? { purchase?.rules.failure ?? charge?.rules.failure }

    /// Whether the account owned it already and got it again, so that nothing was charged for it.
    package var isFree: Bool {
        guard let bought else { return false }
        return bought.orderID != id || bought.price.isZero && (try? !terms.total.isZero) ?? false
    }

    /// When it last changed, by the clock of the customer.
    package var changedAt: Instant {
        let instants = [purchase?.changedAt, charge?.changedAt, order?.orderedAt].compactMap(\.self)
        return instants.max() ?? Instant(millisecondsSinceEpoch: 0)
    }

    package var openedAt: Instant { purchase?.openedAt ?? order?.orderedAt ?? changedAt }

    /// When it ends by itself if nothing happens: by the wall clock, and by that of the customer while it waits for an approval.
    package var expiresAt: Instant { charge?.expiresAt ?? purchase?.expiresAt ?? changedAt }

    /// What is wanted or sold, by the purchase and by the order alike.
    package struct Terms: Sendable {
        package let customer: CustomerID?
        package let device: DeviceID?
        package let bundle: BundleID
        package let item: SoldItem
        package let quantity: Int
        package let total: Money
    }

    package var terms: Terms {
        get throws {
            if let purchase {
                return Terms(
                    customer: purchase.customer, device: purchase.device, bundle: purchase.bundle, item: purchase.item,
                    quantity: purchase.quantity, total: purchase.total)
            }
            guard let order else { throw DatabaseError(.unexpectedValue, "a sale has neither a purchase nor an order") }
            return Terms(
                customer: order.scope.customer, device: order.device, bundle: order.scope.bundle, item: order.item,
                quantity: order.quantity, total: order.total)
        }
    }
}
