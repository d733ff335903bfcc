package import StoreDatabase
package import StoreModel
import StoreRules

/// How a subscription stands at an instant, as developers' servers are told: its status, and what comes after its newest
/// period. Notifications and the App Store Server API say the same.
package struct SubscriptionStanding: Hashable, Sendable {
    package let status: WireSubscriptionStatus
    private let pending: PendingRenewal
    private let rules: Subscription
    /// The product of the newest period, and that of the one after it.
    private let product: ProductID
    private let nextProduct: ProductID
    /// Nil for what somebody else in the family pays for.
    private let own: StoredSubscription?

    private init(
        _ status: WireSubscriptionStatus, _ pending: PendingRenewal, _ rules: Subscription, _ product: ProductID,
        then nextProduct: ProductID, own: StoredSubscription?
    ) {
        (self.status, self.pending, self.rules) = (status, pending, rules)
        (self.product, self.nextProduct, self.own) = (product, nextProduct, own)
    }

    /// That of a customer's own subscription.
    package init(_ stored: StoredSubscription, at now: Instant) {
        // A period that was paid ahead is the newest, though another product may run until it begins.
        self.init(
            Self.status(of: stored.state), PendingRenewal(stored, at: now), stored.rules, stored.rules.plan.product,
            then: stored.rules.renewal.plan.product, own: stored)
    }

    /// That of the newest period of a customer: of their own, or one that somebody in the family shares.
    ///
    /// - Parameter subscription: the customer's own, or that of who pays; nil if there is none any more.
    package init?(of newest: StoreTransaction, _ subscription: StoredSubscription?, at now: Instant) {
        guard let subscription else { return nil }
        guard newest.sharedFrom != nil else {
            self.init(subscription, at: now)
            return
        }
        guard let pending = PendingRenewal(of: newest, subscription, at: now) else { return nil }
        let status: WireSubscriptionStatus =
            newest.revocation != nil ? .revoked : pending.isLost ? .expired : Self.status(of: subscription.state)
        self.init(status, pending, subscription.rules, pending.product, then: pending.nextProduct, own: nil)
    }

    /// That of the subscription which a transaction is a period of; nil for what does not renew, and where there is none any
    /// more.
    package init?(
        of transaction: StoreTransaction, at now: Instant, in database: any ReadTransaction
    ) throws {
        guard transaction.kind == .autoRenewable else { return nil }
        guard transaction.sharedFrom != nil else {
            let id = SubscriptionID(beganWith: transaction.originalID)
            guard let stored = try Subscriptions.find(id, in: database) else { return nil }
            self.init(stored, at: now)
            return
        }
        let newest = try Subscriptions.newest(of: transaction.originalID, in: database) ?? transaction
        self.init(of: newest, try PendingRenewal.source(of: newest.id, database), at: now)
    }

    private static func status(of state: Subscription.State) -> WireSubscriptionStatus {
        switch state {
        case .active: .active
        case .grace: .gracePeriod
        case .retry: .billingRetry
        case .expired: .expired
        case .revoked: .revoked
        }
    }

    /// What comes after the newest period, as the store signs it.
    ///
    /// Which win-back offers the customer may have is in the catalogue: whoever has read that adds them.
    ///
    /// - Parameters:
    ///   - appTransaction: the customer's download of the app.
    ///   - instant: when it is signed.
    package func renewalInfo(
        in environment: StoreEnvironment, appTransaction: AppTransactionID?, signedAt instant: Instant
    ) -> RenewalInfoPayload {
        var payload = RenewalInfoPayload(
            originalTransactionId: pending.original, productId: product, autoRenewProductId: nextProduct,
            autoRenewStatus: pending.status, environment: WireEnvironment(environment), signedDate: instant,
            recentSubscriptionStartDate: rules.beganAt, renewalDate: rules.endsAt, appTransactionId: appTransaction,
            expirationIntent: pending.intent, isInBillingRetryPeriod: pending.isRetried,
            gracePeriodExpiresDate: pending.graceEndsAt)
        guard let own else { return payload }
        payload.appAccountToken = own.accountToken
        payload.priceIncreaseStatus = pending.increase
        guard rules.renews else { return payload }
        let price = rules.renewalPrice()
        // Left out rather than rounded, as the price of a transaction is.
        (payload.renewalPrice, payload.currency) = (try? price.milliunits(), CurrencyCode(price.currency))
        if let offer = rules.renewal.offer.map(TransactionOffer.init) {
            (payload.offerType, payload.offerIdentifier) = (offer.type, offer.id)
            (payload.offerDiscountType, payload.offerPeriod) = (offer.mode, offer.period)
        }
        return payload
    }
}

extension Subscriptions {
    /// The newest period of a series: the one that ends last.
    package static func newest(
        of original: TransactionID, in transaction: any ReadTransaction
    ) throws -> StoreTransaction? {
        try transaction.query(
            StoreTransaction.selection + """
                 WHERE store_transaction.original_id = $1 AND store_transaction.restored_id IS NULL
                ORDER BY store_transaction.purchase_date DESC, store_transaction.id DESC LIMIT 1
                """, original, row: StoreTransaction.init
        ).first
    }
}
