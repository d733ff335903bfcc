import StoreDatabase
package import StoreModel
import StoreRules

/// What becomes of a subscription: one of `pending_renewal_info`.
package struct PendingRenewal: Hashable, Sendable {
    package let original: TransactionID
    /// The product that the customer has, and that of the next period.
    package let product: ProductID
    package let nextProduct: ProductID
    package let status: AutoRenewStatus
    /// Why its period ended without another one; nil while it runs.
    package let intent: ExpirationIntent?
    /// Whether it is tried to be paid; nil while its period runs.
    package let isRetried: Bool?
    package let graceEndsAt: Instant?
    /// The customer's answer to a higher price that needs one.
    package let consent: PriceIncreaseStatus?
    /// The same of any higher price; one that needs no consent counts as agreed to.
    package let increase: PriceIncreaseStatus?
    /// The offer of the next period.
    package let offer: ReceiptOffer?
    /// Whether it was somebody else's in the family, and is shared no more.
    package let isLost: Bool

    init(_ stored: StoredSubscription, at now: Instant) {
        let rules = stored.rules
        original = stored.original
        product = rules.plan(at: now).product
        // What was paid ahead comes before what renews after it.
        nextProduct = product == rules.plan.product ? rules.renewal.plan.product : rules.plan.product
        status = rules.renews ? .on : .off
        switch rules.state {
        case .active: (intent, isRetried) = (nil, nil)
        case .grace, .retry: (intent, isRetried) = (.billingError, true)
        case .expired: (intent, isRetried) = (rules.intent ?? .other, false)
        // What was taken back does not renew, as if the customer had cancelled it.
        case .revoked: (intent, isRetried) = (.cancelled, false)
        }
        graceEndsAt = rules.state == .grace ? rules.graceEndsAt : nil
        // It is the price of the plan that runs.
        let raised = rules.state.isLive && rules.next == nil ? rules.increase : nil
        increase = raised.map { $0.holds ? .consented : .pending }
        consent = raised?.needsConsent == true ? increase : nil
        offer = rules.renews ? rules.renewal.offer.map(ReceiptOffer.init) : nil
        isLost = false
    }

    /// That of a subscription which somebody in the family pays for: it renews and ends as theirs does, under the number of the
    /// member's own first transaction. What only who pays is asked or offered is not told.
    ///
    /// - Parameter isLost: whether it is shared no more, which is as if it had been cancelled.
    private init(
        _ stored: StoredSubscription, as original: TransactionID, _ product: ProductID, isLost: Bool, at now: Instant
    ) {
        let own = PendingRenewal(stored, at: now)
        (self.original, self.product, self.isLost) = (original, product, isLost)
        nextProduct = isLost ? product : own.nextProduct
        status = isLost ? .off : own.status
        intent = isLost ? .cancelled : own.intent
        isRetried = isLost ? false : own.isRetried
        graceEndsAt = isLost ? nil : own.graceEndsAt
        (consent, increase, offer) = (nil, nil, nil)
    }

    /// Those of the subscriptions that a customer has from others, of which receipts tell periods: the oldest first.
    static func shared(
        in transactions: [ReceiptLine], at now: Instant, _ transaction: any ReadTransaction
    ) throws -> [PendingRenewal] {
        var newest: [TransactionID: ReceiptLine] = [:]
        for line in transactions where line.standing.ownership == .familyShared && line.kind == .autoRenewable {
            newest[line.originalID] = line
        }
        return try newest.values.sorted { $0.originalID < $1.originalID }.compactMap { line in
            // An upgrade to something that is not shared takes it away as well.
            let isLost = line.standing.revocation != nil || line.isUpgraded
            return try source(of: line.id, transaction).map { stored in
                let isLeft = isLeft(line.productID, endingAt: line.expiresDate, stored, at: now)
                return PendingRenewal(stored, as: line.originalID, line.productID, isLost: isLost || isLeft, at: now)
            }
        }
    }

    /// Whether the last period of a product that was shared is over, and another product runs in its place that is not shared.
    private static func isLeft(
        _ product: ProductID, endingAt end: Instant?, _ stored: StoredSubscription, at now: Instant
    ) -> Bool {
        guard let end, end <= now else { return false }
        return stored.rules.plan.product != product && stored.rules.startsAt >= end
    }

    /// Of the newest period of a subscription: a customer's own, or one of the family.
    init?(of newest: StoreTransaction, _ subscription: StoredSubscription?, at now: Instant) {
        guard let subscription else { return nil }
        guard newest.sharedFrom != nil else {
            self.init(subscription, at: now)
            return
        }
        let isLost = newest.revocation != nil || newest.upgradedAt != nil
        let isLeft = Self.isLeft(newest.productID, endingAt: newest.expiresDate, subscription, at: now)
        self.init(subscription, as: newest.originalID, newest.productID, isLost: isLost || isLeft, at: now)
    }

    /// The subscription of which somebody in the family has shared a period; nil if there is none any more.
    static func source(of id: TransactionID, _ transaction: any ReadTransaction) throws -> StoredSubscription? {
        try transaction.optional(
            """
            SELECT \(StoredSubscription.table.columns) FROM subscription WHERE original_id = (
                SELECT source.original_id FROM store_transaction AS mine
                    JOIN store_transaction AS source ON source.id = mine.shared_from
                WHERE mine.id = $1)
            """, id, row: StoredSubscription.init)
    }

    static let selection: SQL = """
        SELECT \(StoredSubscription.table.columns) FROM subscription WHERE customer_id = $1 AND app_id = $2
        """

    /// Those of all subscriptions of a customer in an app, also of those that are over: the oldest first.
    static func all(
        of customer: CustomerID, in app: AppID, at now: Instant, _ transaction: any ReadTransaction
    ) throws -> [PendingRenewal] {
        try transaction.query(selection, customer, app, row: StoredSubscription.init)
            .map { PendingRenewal($0, at: now) }.sorted { $0.original < $1.original }
    }
}
