/// Whether a subscription will renew.
public struct AutoRenewStatus: WireValue {
    /// The value on the wire.
    public let rawValue: Int

    /// Any value, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The subscription ends with its period.
    public static let off = AutoRenewStatus(rawValue: 0)
    /// The subscription renews at the end of its period.
    public static let on = AutoRenewStatus(rawValue: 1)

    /// The values that this version knows.
    public static let known: Set<AutoRenewStatus> = [.off, .on]
}

/// How a subscription stands: `status` of the App Store Server API and of notifications.
public struct WireSubscriptionStatus: WireValue {
    /// The value on the wire.
    public let rawValue: Int

    /// Any value, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The period runs.
    public static let active = WireSubscriptionStatus(rawValue: 1)
    /// The period is over.
    public static let expired = WireSubscriptionStatus(rawValue: 2)
    /// The next period could not be paid, and the store tries again.
    public static let billingRetry = WireSubscriptionStatus(rawValue: 3)
    /// The next period could not be paid, and the customer keeps the service for a while.
    public static let gracePeriod = WireSubscriptionStatus(rawValue: 4)
    /// The period was refunded, or is not shared any more.
    public static let revoked = WireSubscriptionStatus(rawValue: 5)

    /// The values that this version knows.
    public static let known: Set<WireSubscriptionStatus> = [.active, .expired, .billingRetry, .gracePeriod, .revoked]
}

/// Why a subscription expired.
public struct ExpirationIntent: WireValue {
    /// The value on the wire.
    public let rawValue: Int

    /// Any value, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The customer cancelled it.
    public static let cancelled = ExpirationIntent(rawValue: 1)
    /// The renewal could not be paid.
    public static let billingError = ExpirationIntent(rawValue: 2)
    /// The customer did not consent to a higher price.
    public static let priceIncreaseNotConsented = ExpirationIntent(rawValue: 3)
    /// The product was no longer sold when it was to renew.
    public static let productUnavailable = ExpirationIntent(rawValue: 4)
    /// Any other reason.
    public static let other = ExpirationIntent(rawValue: 5)

    /// The values that this version knows.
    public static let known: Set<ExpirationIntent> = [
        .cancelled, .billingError, .priceIncreaseNotConsented, .productUnavailable, .other,
    ]
}

/// The customer's answer to a price increase of a subscription.
public struct PriceIncreaseStatus: WireValue {
    /// The value on the wire.
    public let rawValue: Int

    /// Any value, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// None yet.
    public static let pending = PriceIncreaseStatus(rawValue: 0)
    /// Consent; or the customer was notified, if consent is not needed.
    public static let consented = PriceIncreaseStatus(rawValue: 1)

    /// The values that this version knows.
    public static let known: Set<PriceIncreaseStatus> = [.pending, .consented]
}

/// How a subscription with a commitment is billed.
public struct BillingPlanType: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// All periods at once.
    public static let billedUpfront = BillingPlanType(rawValue: "BILLED_UPFRONT")
    /// Each month, for the whole commitment.
    public static let monthly = BillingPlanType(rawValue: "MONTHLY")

    /// The values that this version knows.
    public static let known: Set<BillingPlanType> = [.billedUpfront, .monthly]
}
