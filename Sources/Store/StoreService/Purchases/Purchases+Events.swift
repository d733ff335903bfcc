package import StoreCatalogue
import StoreDatabase
package import StoreModel
package import StoreRules

extension Purchases {
    /// Takes in what happened to a purchase: keeps the state, and in the same transaction everything that comes of it.
    ///
    /// - Parameters:
    ///   - order: the order of the purchase, if the caller has read it already.
    ///   - method: what is paid with, for events after which something is.
    ///   - isOnPage: whether the customer says yes on the page of the purchase, where a declined card is not the end.
    ///   - drawn: for events that may sell.
    ///   - delivered: the transaction that exists already, for events that deliver it again.
    @discardableResult
    package static func handle(
        _ event: Purchase.Event, of purchase: StoredPurchase, order: SaleOrder? = nil,
        paidWith method: PaymentMethod? = nil, isOnPage: Bool = false, asking approver: CustomerID? = nil,
        with drawn: Drawn? = nil, delivering delivered: TransactionID? = nil,
        _ change: Change
    ) throws -> StoredPurchase {
        var rules = purchase.rules
        let actions = try rules.handle(event)
        var (order, delivered, asked) = (order, delivered, CustomerID?.none)
        for action in actions {
            switch action {
            case .askApprover: asked = approver
            case .order:
                order = try self.order(of: purchase, drawn, change)
                if let customer = purchase.customer { try Offers.use(purchase.id.sale, by: customer, change) }
            case .openCharge:
                guard let order, let method else {
                    throw DatabaseError(.unexpectedValue, "a charge needs an order and a payment method")
                }
                _ = try Charges.open(
                    order, paidWith: method, by: purchase.approver, isAttended: true, isOnPage: isOnPage, change)
            case .deliver:
                guard let order else { throw DatabaseError(.unexpectedValue, "there is no order to deliver") }
                delivered = try Sales.deliver(order, isPaid: event == .charged(.captured), drawn, change)
            case .keepOn:
                if let customer = purchase.customer { try Offers.use(purchase.id.sale, by: customer, change) }
                delivered = try keepOn(purchase, change)
            case .redeliver: break
            case .tell: break
            }
        }
        if case .charged(let outcome) = event, outcome != .captured { try Offers.release(purchase.id.sale, change) }
        let changed = try keep(rules, of: purchase, delivering: delivered, asking: asked, event, change)
        if actions.contains(.tell) { try tell(changed, delivered, change) }
        return changed
    }

    /// Lets the customer's own subscription renew as what was asked for, or gives what runs because the family shares it.
    private static func keepOn(_ purchase: StoredPurchase, _ change: Change) throws -> TransactionID? {
        guard purchase.customer != nil else { return nil }
        let (item, scope) = (purchase.item, try purchase.requireScope())
        guard try Subscriptions.terms(of: item, for: scope, at: change.commerce, in: change.transaction) == nil else {
            return try Subscriptions.keepOn(item, for: scope, change)
        }
        return try Transactions.owned(item.id, by: scope.customer, at: change.commerce, in: change.transaction)?.id
    }

    private static func order(
        of purchase: StoredPurchase, _ drawn: Drawn?, _ change: Change
    ) throws -> SaleOrder {
        let scope = try purchase.requireScope()
        guard let drawn else { throw DatabaseError(.unexpectedValue, "an order needs numbers that were drawn for it") }
        let owned =
            purchase.item.kind.isOwnedOnce && purchase.item.kind != .autoRenewable
            ? try Transactions.owned(purchase.item.id, by: scope.customer, at: change.commerce, in: change.transaction)
            : nil
        let order = try SaleOrder(
            purchase.id.sale, .purchase, of: purchase.item, quantity: purchase.quantity, to: scope,
            device: purchase.device, commission: drawn.commission, continuing: owned?.originalID,
            orderLine: drawn.orderLine, accountToken: purchase.accountToken, at: change.commerce)
        try order.insert(change)
        return order
    }

    private static func tell(_ purchase: StoredPurchase, _ delivered: TransactionID?, _ change: Change) throws {
        if let customer = purchase.customer {
            try CustomerEvents.append(
                delivered == nil ? .purchase : .transaction, to: customer, app: purchase.app, device: purchase.device,
                purchase: purchase.id, transaction: delivered, change)
        }
        try change.transaction.signal(Signal(.purchases, subject: purchase.id.description))
    }

    private static func keep(
        _ rules: Purchase, of purchase: StoredPurchase, delivering delivered: TransactionID?,
        asking approver: CustomerID?, _ event: Purchase.Event, _ change: Change
    ) throws -> StoredPurchase {
        let changed = purchase.changed(to: rules, delivering: delivered, asking: approver, at: change.times)
        try change.transaction.update(changed, from: purchase, in: StoredPurchase.table)
        // What is charged has no end of its own: the charge has.
        let clock = clock(of: purchase, change)
        if purchase.state.waitsForPerson, !rules.state.waitsForPerson || self.clock(of: changed, change) != clock {
            try WorkTable.cancel(work, purchase.id.description, clock: clock, in: change.transaction)
        }
        if rules.state.waitsForPerson { try schedule(changed, change) }
        try record(
            event.word, of: changed, detail: rules.failure?.rawValue ?? delivered?.description, change)
        return changed
    }

    /// Lets a purchase end when it is over.
    static func schedule(_ purchase: StoredPurchase, _ change: Change) throws {
        try WorkTable.schedule(
            Work(work, purchase.id.description, dueAt: purchase.expiresAt, clock: clock(of: purchase, change)),
            in: change.transaction)
    }

    /// By which clock a purchase ends.
    static func clock(of purchase: StoredPurchase, _ change: Change) -> ClockID {
        purchase.state == .approval ? change.clock : .wall
    }

    /// Writes a line of a purchase's history, the one that its count includes already.
    static func record(
        _ event: SaleEvent, of purchase: StoredPurchase, detail: String?, _ change: Change
    ) throws {
        try History.purchases.append(
            event.rawValue, to: purchase.id, number: purchase.historyCount, detail: detail,
            ["state": purchase.state.rawValue], change)
    }

    /// What it comes to when the customer says yes at this moment, what it would be paid with, and who has to approve it.
    static func confirmation(
        of purchase: StoredPurchase, paidWith chosen: PaymentMethod? = nil, _ change: Change
    ) throws -> (event: Purchase.Event, method: PaymentMethod?, approver: CustomerID?) {
        guard purchase.state == .confirmation || purchase.state == .interrupted else {
            // The machine says what is wrong with that.
            return (.confirmed(.toBePaid), nil, nil)
        }
        // What ends purchases that are too late may be late too.
        guard !purchase.isOver(at: change.times) else { return (.expired, nil, nil) }
        guard let id = purchase.customer else { return (.prevented(.accountGone), nil, nil) }
        let transaction = change.transaction
        if let reason = try Customers.obstacle(for: id, in: purchase.app, transaction) {
            return (.prevented(reason), nil, nil)
        }
        let device = try purchase.device.flatMap { try DeviceScope.of($0, in: transaction) }
        guard device?.purchasesAllowed ?? true else { return (.prevented(.notAllowed), nil, nil) }
        try requireNoWhole(of: purchase, in: transaction)
        let (customer, isSettled) = (try Customers.require(id, in: transaction), purchase.state == .interrupted)
        if !isSettled, customer.interruptsPurchases { return (.confirmedButInterrupted, nil, nil) }
        if try isAsked(
            purchase.item, of: customer, for: purchase.requireScope(), purchase.asksToBuy, at: change.commerce,
            in: transaction)
        {
            let event: Purchase.Event =
                isSettled ? .interruptionSettled(.toBeApproved) : .confirmed(.toBeApproved)
            return (event, nil, try Families.approver(of: id, in: transaction))
        }
        switch try Sales.offer(
            of: purchase.item, total: purchase.total, to: purchase.requireScope(), with: chosen, at: change.commerce,
            in: transaction)
        {
        case .prevented(let reason): return (.prevented(reason), nil, nil)
        case .terms(let terms, let method):
            return (isSettled ? .interruptionSettled(terms) : .confirmed(terms), method, nil)
        }
    }

    /// Whether somebody else has to say yes too: to all but what the customer has and that goes on, and is paid, as before.
    ///
    /// - Parameter isWanted: whether the app asks for that, which is a control for tests.
    static func isAsked(
        _ item: SoldItem, of customer: Customer, for scope: CustomerScope, _ isWanted: Bool = false,
        at commerce: Instant, in transaction: any ReadTransaction
    ) throws -> Bool {
        guard isWanted || customer.asksToBuy else { return false }
        guard item.kind.isOwnedOnce else { return true }
        if item.kind == .autoRenewable,
            let terms = try Subscriptions.terms(of: item, for: scope, at: commerce, in: transaction)
        {
            // What is being paid decides first, and nothing is bought meanwhile.
            guard terms != .beingPaid else { return false }
            return try terms != .running || item.hasRequestedOffer
                || Subscriptions.isChanged(byAskingFor: item, for: scope, at: commerce, in: transaction)
        }
        guard let owned = try Transactions.owned(item.id, by: customer.id, at: commerce, in: transaction) else {
            return true
        }
        // A subscription of its own is paid once more, as in the grace period; that of somebody in the family is not.
        return item.kind == .autoRenewable && owned.ownership != .familyShared
    }

    /// Says yes to a purchase; returns it with the charge, if one was opened.
    ///
    /// One whose offer has gone to another device meanwhile costs the full price now: it is not charged but asked again, under
    /// another code.
    ///
    /// - Parameter payment: how the customer pays who says yes on the page of the purchase; nil for a yes elsewhere.
    static func confirm(
        _ purchase: StoredPurchase, on payment: PagePayment? = nil, _ drawn: Drawn, _ change: Change
    ) throws -> StoredPurchase {
        if purchase.item.kind == .autoRenewable { try change.requireArrival() }
        let (event, method, approver) = try confirmation(of: purchase, paidWith: payment?.method, change)
        let isOnPage = payment != nil
        switch event {
        case .confirmed(let terms), .interruptionSettled(let terms):
            guard terms != .beingPaid, purchase.item.offer != nil else { break }
            switch try Offers.confirmed(purchase, change) {
            case .prevented(let failure): return try handle(.prevented(failure), of: purchase, change)
            case .item(let item) where item == purchase.item: break
            case .item where purchase.state == .interrupted:
                return try handle(.prevented(.ineligibleForOffer), of: purchase, change)
            case .item(let item):
                try price(purchase, as: item, drawn.code, change)
                let priced = try require(purchase.id, in: change.transaction)
                // What runs already goes on as it is, and costs nothing now.
                guard terms == .running || terms == .planned else { return priced }
                return try handle(
                    event, of: priced, paidWith: method, isOnPage: isOnPage, asking: approver, with: drawn, change)
            }
        default: break
        }
        return try handle(
            event, of: purchase, paidWith: method, isOnPage: isOnPage, asking: approver, with: drawn, change)
    }

    /// Whether a purchase whose card was declined can still be paid, with another one: the customer may have got it elsewhere
    /// meanwhile, or may not buy any more.
    static func canBePaid(_ purchase: StoredPurchase, with method: PaymentMethod, _ change: Change) throws -> Bool {
        if purchase.item.kind == .autoRenewable { try change.requireArrival() }
        let (transaction, scope) = (change.transaction, try purchase.requireScope())
        guard try Customers.obstacle(for: scope.customer, in: scope.app, transaction) == nil else { return false }
        let device = try purchase.device.flatMap { try DeviceScope.of($0, in: transaction) }
        guard device?.purchasesAllowed ?? true, try !hasWhole(of: purchase, in: transaction) else { return false }
        let offer = try Sales.offer(
            of: purchase.item, total: purchase.total, to: scope, with: method, at: change.commerce, in: transaction)
        guard case .terms(.toBePaid, _) = offer else { return false }
        return true
    }

    /// Says yes as the approver. Whoever decides pays; where nobody in particular does, the customer.
    static func approve(_ purchase: StoredPurchase, _ drawn: Drawn, _ change: Change) throws -> StoredPurchase {
        guard purchase.state == .approval else { throw PurchaseError(.approved(.toBePaid), in: purchase.state) }
        if purchase.item.kind == .autoRenewable { try change.requireArrival() }
        let transaction = change.transaction
        guard !purchase.isOver(at: change.times) else { return try handle(.expired, of: purchase, change) }
        guard let id = purchase.customer else { return try handle(.prevented(.accountGone), of: purchase, change) }
        if let reason = try Customers.obstacle(for: id, in: purchase.app, transaction) {
            return try handle(.prevented(reason), of: purchase, change)
        }
        try requireNoWhole(of: purchase, in: transaction)
        if purchase.item.offer != nil {
            switch try Offers.confirmed(purchase, change) {
            case .prevented(let failure): return try handle(.prevented(failure), of: purchase, change)
            case .item(let item):
                // What was asked for at another price is not approved at this one.
                guard item == purchase.item else {
                    return try handle(.prevented(.ineligibleForOffer), of: purchase, change)
                }
            }
        }
        switch try Sales.offer(
            of: purchase.item, total: purchase.total, to: purchase.requireScope(), paidBy: purchase.approver,
            at: change.commerce,
            in: transaction)
        {
        case .prevented(.noPaymentMethod) where purchase.approver != nil:
            // The approver can see to that and try again.
            throw ServiceError(
                .noPaymentMethod, "the account that would pay has no payment method; nothing was decided")
        case .prevented(let reason): return try handle(.prevented(reason), of: purchase, change)
        case .terms(let terms, let method):
            return try handle(.approved(terms), of: purchase, paidWith: method, with: drawn, change)
        }
    }

    /// Goes on with a purchase once somebody signed in, in the storefront of the account and at its price.
    ///
    /// Where the price or the storefront changes with that, the code and the secrets end that were given out before: whoever
    /// has one has been shown something else.
    ///
    /// - Parameters:
    ///   - item: the product as that storefront sells it; nil if it does not.
    ///   - lower: the offers of it there, of all kinds.
    ///   - confirmation: what has the new code, if one is needed.
    package static func signedIn(
        _ purchase: StoredPurchase, as scope: DeviceScope, item: SoldItem?, lower: [ProductListing.LowerPrice] = [],
        _ confirmation: Confirmation, _ change: Change
    ) throws {
        let (customer, transaction) = (try scope.requireCustomer(), change.transaction)
        let current = try require(purchase.id, in: transaction)
        guard current.state == .signIn else { return }
        try transaction.update("purchase", ["customer_id": customer], where: ["id": purchase.id])
        func prevent(_ failure: PurchaseFailure) throws {
            try handle(.prevented(failure), of: try require(purchase.id, in: transaction), change)
        }
        guard var item else { return try prevent(.productUnavailable) }
        switch try Offers.signedIn(current, item, lower, scope.requireCustomerScope(), change) {
        case .prevented(let failure): return try prevent(failure)
        case .item(let offered): item = offered
        }
        if item != current.item { try price(current, as: item, confirmation.code, change) }
        let confirmable = try handle(.signedIn, of: try require(purchase.id, in: transaction), change)
        _ = try redeliver(for: confirmable, change)
    }

    private static func price(
        _ purchase: StoredPurchase, as item: SoldItem, _ code: String, _ change: Change
    ) throws {
        let priced = try purchase.priced(as: item, code: code, at: change.times)
        try change.transaction.update(priced, from: purchase, in: StoredPurchase.table)
        try record(.pricedAnew, of: priced, detail: "\(priced.total) in \(item.storefront)", change)
    }
}

extension SoldItem {
    /// Whether it has an offer that was asked for. Introductory ones apply by themselves.
    var hasRequestedOffer: Bool { offer.map { $0.kind != .introductory } ?? false }
}

/// How a customer pays who says yes on the page of a purchase. A declined card is not the end there.
package struct PagePayment: Hashable, Sendable {
    /// Nil for what the account pays with.
    package let method: PaymentMethod?

    package init(with method: PaymentMethod?) {
        self.method = method
    }
}
