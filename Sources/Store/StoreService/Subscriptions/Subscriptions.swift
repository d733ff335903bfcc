import StoreCatalogue
package import StoreDatabase
package import StoreModel
import StoreRules

/// The subscriptions of an environment, and what becomes of them, in one transaction each.
package enum Subscriptions {
    /// The kind of work that looks after a subscription when its machine says so.
    package static let work = "subscription"

    /// What tells the groups of an app apart; a product without a group is one by itself.
    static func groupKey(of item: SoldItem) -> String { item.group?.description ?? "item \(item.id)" }

    package static func find(_ id: SubscriptionID, in transaction: any ReadTransaction) throws -> StoredSubscription? {
        try transaction.optional(
            "SELECT \(StoredSubscription.table.columns) FROM subscription WHERE original_id = $1", id,
            row: StoredSubscription.init)
    }

    package static func require(_ id: SubscriptionID, in transaction: any ReadTransaction) throws -> StoredSubscription
    {
        guard let found = try find(id, in: transaction) else {
            throw ServiceError(.subscriptionUnknown, "there is no subscription \(id)", parameter: "subscriptionId")
        }
        return found
    }

    /// The subscription of a customer in the group of a product.
    static func find(
        _ item: SoldItem, of scope: CustomerScope, in transaction: any ReadTransaction
    ) throws -> StoredSubscription? {
        try transaction.optional(
            """
            SELECT \(StoredSubscription.table.columns) FROM subscription
            WHERE customer_id = $1 AND app_id = $2 AND group_key = $3
            """, scope.customer, scope.app, groupKey(of: item), row: StoredSubscription.init)
    }

    /// All of a customer in an app.
    package static func all(
        of scope: CustomerScope, in transaction: any ReadTransaction
    ) throws -> [StoredSubscription] {
        try transaction.query(
            "SELECT \(StoredSubscription.table.columns) FROM subscription WHERE customer_id = $1 AND app_id = $2 ORDER BY original_id",
            scope.customer, scope.app, row: StoredSubscription.init)
    }

    /// What it comes to when a customer asks for a subscription while one of its group runs; nil if it is to be bought. In the
    /// grace period it is: that pays for the renewal that is overdue.
    static func terms(
        of item: SoldItem, for scope: CustomerScope, at commerce: Instant, in transaction: any ReadTransaction
    ) throws -> Purchase.Terms? {
        guard let found = try find(item, of: scope, in: transaction) else { return nil }
        if found.rules.charge == .underWay { return .beingPaid }
        guard found.state.isLive, found.rules.countsUntil > commerce, let plan = item.plan,
            plan.price.currency == found.rules.plan.price.currency
        else { return nil }
        return switch found.rules.change(to: plan, at: commerce) {
        case .none: found.state == .grace ? nil : .running
        case .atRenewal: .planned
        case .atOnce: nil
        }
    }

    /// Whether the subscription of a customer goes on otherwise once an item of its group is asked for: it was turned off,
    /// something else would renew, or another product runs.
    static func isChanged(
        byAskingFor item: SoldItem, for scope: CustomerScope, at commerce: Instant,
        in transaction: any ReadTransaction
    ) throws -> Bool {
        // What is being paid is decided first.
        guard let found = try find(item, of: scope, in: transaction), found.rules.charge != .underWay else {
            return false
        }
        return found.state.isLive && found.rules.countsUntil > commerce
            && found.rules.isChanged(byAskingFor: item.id)
    }

    /// Whether a purchase of an item, or of another one of its group, is being paid.
    static func isBeingBought(
        _ item: SoldItem, by scope: CustomerScope, in transaction: any ReadTransaction
    ) throws -> Bool {
        let underWay: SQL = """
            origin <> 'renewal' AND id IN (
                SELECT id FROM charge WHERE customer_id = $1 AND is_owned_once = 1 AND \(Charge.State.underWay))
            """
        guard let group = item.group else {
            return try transaction.value(
                "SELECT count(*) FROM sale_order WHERE item_id = $2 AND \(underWay)", scope.customer, item.id,
                as: Int.self) > 0
        }
        return try transaction.value(
            "SELECT count(*) FROM sale_order WHERE app_id = $2 AND group_id = $3 AND \(underWay)", scope.customer,
            scope.app, group, as: Int.self) > 0
    }

    /// Lets a subscription that runs renew, as what its customer asked for.
    static func keepOn(_ item: SoldItem, for scope: CustomerScope, _ change: Change) throws -> TransactionID? {
        guard let found = try find(item, of: scope, in: change.transaction), let plan = item.plan else { return nil }
        if found.rules.isChanged(byAskingFor: plan.item) {
            let isSame = found.rules.plan.item == plan.item
            try handle(
                .planned(isSame ? nil : plan), of: found, isTold: item.offer == nil, detail: item.product.text, change)
        }
        if let offer = item.offer {
            // What is asked for with an offer is told as one.
            let planned = try require(found.id, in: change.transaction)
            let (changed, _) = try handle(.offered(offer), of: planned, isTold: false, change)
            try tell(.offered(offer), of: changed, since: found, change)
        }
        return found.latest
    }
}

// MARK: What happens

extension Subscriptions {
    /// What was drawn before a transaction in which a subscription may renew.
    struct Numbers: Sendable {
        let order: SaleID
        let drawn: Drawn
    }

    /// Takes in what happened to a subscription: keeps the state, and in the same transaction everything that comes of it.
    ///
    /// - Parameters:
    ///   - numbers: for events that may renew it.
    ///   - grace: the grace period of its app, for the event that time went by.
    ///   - isTold: whether the developer's server is told at once; what comes with a transaction is told with it.
    /// - Returns: the subscription, and the charge that has to be driven.
    @discardableResult
    static func handle(
        _ event: Subscription.Event, of stored: StoredSubscription, with numbers: Numbers? = nil,
        grace: GracePeriod? = nil, isTold: Bool = true, detail: String? = nil, _ change: Change
    ) throws -> (subscription: StoredSubscription, charge: StoredCharge?) {
        let terms = try change.terms(of: stored.scope.customer, grace: grace)
        var changed = stored
        let actions = try changed.rules.handle(event, by: terms, at: change.commerce)
        if changed.rules.charge == .none { changed.charge = nil }
        if case .raised = event { changed.raisedAt = change.commerce }
        if case .renew = actions.last { changed.orders += 1 }
        try keep(&changed, from: stored, after: event, detail: detail, change)
        if isTold, !event.hasTransaction { try tell(event, of: changed, since: stored, change) }
        // What has a transaction is told with it.
        if !event.hasTransaction, changed.rules != stored.rules {
            try CustomerEvents.append(
                .subscription, to: stored.scope.customer, app: stored.scope.app, device: nil, purchase: nil,
                transaction: nil, change)
            try FamilySharing.tell(of: stored, change)
        }
        var charge: StoredCharge?
        for action in actions {
            switch action {
            case .giveUp: try giveUp(stored, change)
            case .renew(let plan, let offer):
                charge = try renew(changed, plan, offer, numbers, change)
            case .tryAgain: charge = try tryAgain(changed, change)
            case .askConsent:
                try CustomerEvents.append(
                    .priceConsent, to: stored.scope.customer, app: stored.scope.app, device: nil, purchase: nil,
                    transaction: stored.latest, change)
            }
        }
        return (actions.isEmpty ? changed : try require(stored.id, in: change.transaction), charge)
    }

    /// Tells the developer's server what an event has made of a subscription.
    static func tell(
        _ event: Subscription.Event, of changed: StoredSubscription, since stored: StoredSubscription, _ change: Change
    ) throws {
        let notices = event.notices(from: stored.rules, to: changed.rules, at: change.commerce)
        if !notices.isEmpty { try Notifications.tell(notices, of: changed, change) }
    }

    /// Writes the row, a line of its history, and when it is to be looked at again.
    private static func keep(
        _ changed: inout StoredSubscription, from stored: StoredSubscription, after event: Subscription.Event,
        detail: String?, _ change: Change
    ) throws {
        changed.historyCount += 1
        try change.transaction.update(changed, from: stored, in: StoredSubscription.table)
        try note(event.word, of: changed, detail: detail ?? event.detail, change)
        try schedule(changed, change)
    }

    private static func schedule(_ subscription: StoredSubscription, _ change: Change) throws {
        let subject = subscription.id.description
        guard let due = subscription.rules.nextDue else {
            return try WorkTable.cancel(work, subject, clock: change.clock, in: change.transaction)
        }
        try WorkTable.schedule(Work(work, subject, dueAt: due, clock: change.clock), in: change.transaction)
        try WorkLoop.signal(dueAt: due, by: change.commerce, in: change.transaction)
    }

    private static func note(
        _ event: SubscriptionEvent, of subscription: StoredSubscription, detail: String?, _ change: Change
    ) throws {
        try History.subscriptions.append(
            event.rawValue, to: subscription.id, number: subscription.historyCount, detail: detail,
            ["state": subscription.state.rawValue], change)
    }

    /// Lets go of the charge that a subscription had. Its end changes nothing any more: the row does not name it.
    private static func giveUp(_ stored: StoredSubscription, _ change: Change) throws {
        guard let id = stored.charge, let charge = try Charges.find(id, in: change.transaction),
            charge.state == .declined
        else { return }
        _ = try Charges.handle(.givenUp, of: charge, change)
    }

    /// Orders the next period, and opens its charge; one that costs nothing begins at once.
    private static func renew(
        _ stored: StoredSubscription, _ plan: SubscriptionPlan, _ offer: OfferTerms?, _ numbers: Numbers?,
        _ change: Change
    ) throws -> StoredCharge? {
        guard let numbers else {
            throw DatabaseError(.unexpectedValue, "a renewal needs numbers that were drawn for it")
        }
        let item = SoldItem(plan, offer, group: stored.group, storefront: stored.scope.storefront)
        let order = try SaleOrder(
            numbers.order, .renewal, of: item, quantity: 1, to: stored.scope, commission: numbers.drawn.commission,
            continuing: stored.original, orderLine: numbers.drawn.orderLine, accountToken: stored.accountToken,
            renewing: SaleOrder.Renewal(subscription: stored.id, number: stored.orders), at: change.commerce)
        guard !order.total.isZero else {
            try order.insert(change)
            try Sales.deliverUnasked(order, isPaid: false, numbers.drawn, change)
            return nil
        }
        guard try Customers.obstacle(for: stored.scope.customer, in: nil, change.transaction) == nil,
            let (payer, method) = try payment(of: stored, in: change.transaction)
        else {
            try handle(.released, of: stored, detail: RefusalCode.noPaymentMethod.rawValue, change)
            return nil
        }
        try order.insert(change)
        let charge = try Charges.open(order, paidWith: method, by: payer, isAttended: false, change)
        var charged = stored
        charged.charge = charge.id
        try change.transaction.update(charged, from: stored, in: StoredSubscription.table)
        return charge
    }

    private static func tryAgain(_ stored: StoredSubscription, _ change: Change) throws -> StoredCharge? {
        guard let id = stored.charge, let charge = try Charges.find(id, in: change.transaction),
            charge.state == .declined, let (payer, method) = try payment(of: stored, in: change.transaction)
        else {
            try handle(.declined, of: stored, detail: RefusalCode.noPaymentMethod.rawValue, change)
            return nil
        }
        return try Charges.tryAgain(charge, paidWith: method, by: payer, change)
    }

    /// Who pays for the next period, and with what; nil if there is nothing to pay with.
    static func payment(
        of stored: StoredSubscription, in transaction: any ReadTransaction
    ) throws -> (payer: CustomerID, method: PaymentMethod)? {
        let customer = stored.scope.customer
        let payer = try Families.payer(for: customer, in: transaction) ?? customer
        return try Customers.paymentMethods(of: payer, in: transaction).last.map { (payer, $0) }
    }

    /// Takes in how the charge of a renewal came out. What a subscription has given up changes nothing any more, but for
    /// what was paid.
    static func settle(_ outcome: Charge.Outcome, of order: SaleOrder, _ drawn: Drawn?, _ change: Change) throws {
        if outcome == .captured { return try Sales.deliverUnasked(order, isPaid: true, drawn, change) }
        guard let id = order.renewal?.subscription, let stored = try find(id, in: change.transaction),
            stored.charge == order.id.charge
        else { return }
        switch outcome {
        case .declined(let failure): try handle(.declined, of: stored, detail: failure.rawValue, change)
        case .released(let failure): try handle(.released, of: stored, detail: failure.rawValue, change)
        case .captured: break
        }
    }
}

// MARK: What was bought

extension Subscriptions {
    /// What the transaction of an order has to say of the subscription.
    struct Delivered {
        let original: TransactionID
        let period: SubscriptionPeriod
        /// The token of the account: of a purchase what it named, of a renewal what the subscription has by now.
        let accountToken: AppAccountToken?
        /// What the developer's server is told with it.
        let notices: [SubscriptionNotice]
    }

    /// Enters the period that an order was for.
    ///
    /// - Parameter id: the transaction that is about to be made for it.
    static func deliver(_ order: SaleOrder, as id: TransactionID, _ change: Change) throws -> Delivered {
        guard let plan = order.item.plan else {
            throw DatabaseError(.unexpectedValue, "a subscription that renews has a period")
        }
        let (scope, offer) = (order.scope, order.item.offer)
        guard let stored = try find(order.item, of: scope, in: change.transaction) else {
            let rules = Subscription(plan, offer, try change.terms(of: scope.customer), at: change.commerce)
            let begun = StoredSubscription(rules, order, original: id)
            try change.transaction.insert(begun, into: StoredSubscription.table)
            try note(.bought, of: begun, detail: plan.product.text, change)
            try schedule(begun, change)
            return Delivered(
                original: id, period: rules.period, accountToken: order.accountToken,
                notices: Subscription.Event.bought(plan, offer).notices(from: nil, to: rules, at: change.commerce))
        }
        let event: Subscription.Event =
            order.origin == .renewal
            ? .paid(plan, offer)
            : stored.state == .grace && stored.rules.plan.item == plan.item
                ? .settled(plan, offer) : .bought(plan, offer)
        // What was judged when it was asked for may be otherwise by now.
        if case .bought = event, !stored.rules.postpones(plan, at: change.commerce) {
            try endPeriods(of: stored, replacedBy: id, change)
        }
        var entered = stored
        entered.latest = id
        let isRenewal = order.origin == .renewal
        // The developer may have set another one since the renewal was ordered.
        if let token = order.accountToken, !isRenewal { entered.accountToken = token }
        let (changed, _) = try handle(event, of: entered, detail: plan.product.text, change)
        return Delivered(
            original: changed.original, period: changed.rules.period,
            accountToken: isRenewal ? changed.accountToken : order.accountToken,
            notices: event.notices(from: stored.rules, to: changed.rules, at: change.commerce))
    }

    /// Marks the periods that an upgrade takes the place of, and gives back what is left of them.
    private static func endPeriods(
        of stored: StoredSubscription, replacedBy id: TransactionID, _ change: Change
    ) throws {
        guard stored.rules.countsUntil > change.commerce else { return }
        let running = try transactions(of: stored.original, endingAfter: change.commerce, in: change.transaction)
        for period in running where period.revocation == nil && period.upgradedAt == nil {
            try change.transaction.insert(
                into: "transaction_upgrade",
                ["transaction_id": period.id, "upgraded_to": id, "upgraded_at": change.commerce])
            try TransactionRevisions.advance(period.id, in: change.transaction)
            // Devices are told, so that what they have of it says that it was upgraded.
            try CustomerEvents.append(
                .transaction, to: period.customerID, app: period.appID, device: nil, purchase: nil,
                transaction: period.id, change)
            try Proration.open(of: period, change)
        }
    }

    /// The transactions of a subscription, the oldest first.
    package static func transactions(
        of original: TransactionID, endingAfter instant: Instant? = nil, in transaction: any ReadTransaction
    ) throws -> [StoreTransaction] {
        try transaction.query(
            StoreTransaction.selection + """
                 WHERE store_transaction.original_id = $1 AND store_transaction.restored_id IS NULL
                    AND store_transaction.expires_date > $2 ORDER BY store_transaction.id
                """, original, instant ?? .earliest, row: StoreTransaction.init)
    }
}

extension Subscription.Event {
    /// What the history says besides the name.
    var detail: String? {
        switch self {
        case .raised(let increase): "\(increase.price)\(increase.needsConsent ? ", needs consent" : "")"
        case .offered(let offer): offer.id
        case .due(isSold: false, price: _): "not sold at the moment"
        default: nil
        }
    }
}

/// What of a subscription's period is given back when something else takes its place.
enum Proration {
    /// What a period that was paid is worth at an instant: the share of its time that is left, cut to whole units.
    static func amount(_ paid: Money, of period: SubscriptionPeriod, at now: Instant) -> Money {
        let whole = period.endsAt.millisecondsSinceEpoch - period.startsAt.millisecondsSinceEpoch
        let left = period.endsAt.millisecondsSinceEpoch - max(now, period.startsAt).millisecondsSinceEpoch
        guard whole > 0, left > 0 else { return .zero(paid.currency) }
        return Money(
            minorUnits: Int64(Int128(paid.minorUnits) * Int128(left) / Int128(whole)), currency: paid.currency)
    }

    /// Opens the refund of what is left of a period; its work drives it.
    static func open(of sold: StoreTransaction, _ change: Change) throws {
        guard let order = sold.orderID, let charge = try Charges.find(order.charge, in: change.transaction),
            charge.state == .captured, let ends = sold.expiresDate
        else { return }
        let period = SubscriptionPeriod(startsAt: sold.purchaseDate, endsAt: ends)
        let amount = amount(charge.amount, of: period, at: change.commerce)
        let rest = charge.amount.minorUnits - charge.refunded.minorUnits
        guard amount.minorUnits > 0, rest > 0 else { return }
        let given = Money(minorUnits: min(amount.minorUnits, rest), currency: amount.currency)
        _ = try Refunds.open(.proration(given), of: sold, as: Refunds.drawn(in: change.transaction), change)
    }
}
