extension Product.SubscriptionInfo {
    /// How a subscription of the customer stands.
    public struct Status: Equatable, Hashable, Sendable {
        /// Whether the customer has it.
        public let state: RenewalState
        /// The newest transaction.
        public let transaction: VerificationResult<Transaction>
        /// What comes after the current period.
        public let renewalInfo: VerificationResult<RenewalInfo>

        package init(
            state: RenewalState, transaction: VerificationResult<Transaction>,
            renewalInfo: VerificationResult<RenewalInfo>
        ) {
            self.state = state
            self.transaction = transaction
            self.renewalInfo = renewalInfo
        }
    }

    /// How a subscription stands.
    public struct RenewalState: RawRepresentable, Equatable, Hashable, Sendable {
        /// As the store writes it.
        public let rawValue: Int

        /// Any state, known or not.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The period runs.
        public static let subscribed = RenewalState(rawValue: 1)
        /// The period is over.
        public static let expired = RenewalState(rawValue: 2)
        /// The next period could not be paid, and the store tries again.
        public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
        /// The next period could not be paid, and the customer keeps the service for a while.
        public static let inGracePeriod = RenewalState(rawValue: 4)
        /// The period was refunded, or is not shared any more.
        public static let revoked = RenewalState(rawValue: 5)
    }
}

/// The terms of a subscription.
public typealias SubscriptionInfo = Product.SubscriptionInfo
/// How a subscription of the customer stands.
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status
/// What comes after the current period of a subscription.
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo
/// How a subscription stands.
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState
