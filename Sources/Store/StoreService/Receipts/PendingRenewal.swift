import StoreDatabase
package import StoreModel
import StoreRules

/// What becomes of a subscription: one of `pending_renewal_info`.
package struct PendingRenewal: Hashable, Sendable {
    package let original: TransactionID
    /// The product of its newest period, and that of the next one.
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

    init(_ stored: StoredSubscription) {
        let rules = stored.rules
        original = stored.original
        product = rules.plan.product
        nextProduct = rules.renewal.plan.product
        status = rules.renews ? .on : .off
        switch rules.state {
        case .active: (intent, isRetried) = (nil, nil)
        case .grace, .retry: (intent, isRetried) = (.billingError, true)
        case .expired: (intent, isRetried) = (rules.intent ?? .other, false)
        // What was taken back does not renew, as if the customer had cancelled it.
        case .revoked: (intent, isRetried) = (.cancelled, false)
        }
        graceEndsAt = rules.state == .grace ? rules.graceEndsAt : nil
        let raised = rules.state.isLive ? rules.increase : nil
        increase = raised.map { $0.holds ? .consented : .pending }
        consent = raised?.needsConsent == true ? increase : nil
        offer = rules.renews ? rules.renewal.offer.map(ReceiptOffer.init) : nil
    }

    static let selection: SQL = """
        SELECT \(StoredSubscription.columns) FROM subscription WHERE customer_id = $1 AND app_id = $2
        """

    /// Those of all subscriptions of a customer in an app, also of those that are over: the oldest first.
    static func all(
        of customer: CustomerID, in app: AppID, _ transaction: any ReadTransaction
    ) throws -> [PendingRenewal] {
        try transaction.query(selection, customer, app, row: StoredSubscription.init)
            .map(PendingRenewal.init).sorted { $0.original < $1.original }
    }
}
