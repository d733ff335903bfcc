public import StoreModel

/// A subscription of a user, as it stands at an instant.
public struct BackendSubscription: Hashable, Sendable {
    /// The states of subscriptions. More may come.
    public struct State: WireValue {
        /// The word that answers over HTTP have.
        public let rawValue: String

        /// Any state, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The period runs. Serve it.
        public static let active = State(rawValue: "active")
        /// The next period could not be paid, and the customer keeps the service for a while. Serve it.
        public static let gracePeriod = State(rawValue: "grace_period")
        /// The next period could not be paid, and the store tries again. Do not serve it.
        public static let billingRetry = State(rawValue: "billing_retry")
        /// It is over. Do not serve it.
        public static let expired = State(rawValue: "expired")
        /// The period was refunded, or is not shared any more. Do not serve it.
        public static let revoked = State(rawValue: "revoked")

        /// The states that this version knows.
        public static let known: Set<State> = [.active, .gracePeriod, .billingRetry, .expired, .revoked]

        /// Whether it is served in this state.
        public var isServed: Bool { self == .active || self == .gracePeriod }
    }

    /// The environment it runs in.
    public let environment: StoreEnvironment
    /// The id of its first transaction, which is that of the subscription.
    public let originalTransactionID: TransactionID
    /// The app.
    public let bundleID: BundleID
    /// The state.
    public internal(set) var state: State
    /// The product of the period that counts.
    public let productID: ProductID
    /// The transaction of that period.
    public let periodID: TransactionID
    /// When the service ends, or ended, if nothing changes: the end of the period or of the grace period, or when it
    /// was taken back.
    public internal(set) var until: Instant
    /// Whether another period follows by itself; nil if the store has not said it.
    public internal(set) var renews: Bool?
    /// The product that follows.
    public internal(set) var nextProductID: ProductID?
    /// Why it ended, if it did and the store says it.
    public internal(set) var expirationIntent: ExpirationIntent?
    /// What the customer says to a higher price.
    public internal(set) var priceIncrease: PriceIncreaseStatus?

    /// Whether it is served.
    public var isServed: Bool { state.isServed }
}

extension SubscriptionRecord {
    /// How it stands at an instant; nil as long as no period is known.
    ///
    /// That a period was taken back counts before its end. A period that an upgrade replaced counts only if there is no
    /// other.
    func standing(at now: Instant) -> BackendSubscription? {
        let instant = moment(at: now)
        let deciding = deciding(at: instant)
        let isRunning = deciding?.isInForce(at: instant) ?? false
        let shown = deciding.flatMap { $0.isUpgraded ? nil : $0 }
        guard let period = shown ?? newest({ !$0.isUpgraded }) ?? newest({ _ in true }) else { return nil }
        var standing = BackendSubscription(
            environment: period.environment, originalTransactionID: period.originalTransactionID,
            bundleID: period.bundleID, state: .expired, productID: period.productID, periodID: period.transactionID,
            until: period.revocationDate ?? period.end)
        if isRunning {
            standing.state = .active
            // What was charged ahead follows.
            standing.until = periods.filter { $0.isInForce(at: instant) && $0.purchaseDate > instant }
                .reduce(period.end) { max($0, $1.end) }
        } else if period.revocationDate != nil {
            standing.state = .revoked
        }
        guard let terms = renewal, (terms.renewalDate ?? period.end) >= period.end else { return standing }
        standing.renews = terms.renews
        standing.nextProductID = terms.nextProductID
        standing.priceIncrease = terms.priceIncrease
        guard standing.state == .expired else { return standing }
        standing.expirationIntent = terms.expirationIntent
        if let ends = terms.gracePeriodEnds, instant < ends {
            (standing.state, standing.until) = (.gracePeriod, ends)
        } else if terms.isInBillingRetry {
            standing.state = .billingRetry
        }
        return standing
    }

    private func newest(_ counts: (VerifiedTransaction) -> Bool) -> VerifiedTransaction? {
        periods.filter(counts).max { ($0.end, $0.transactionID) < ($1.end, $1.transactionID) }
    }
}
