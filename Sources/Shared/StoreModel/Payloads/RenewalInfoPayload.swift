/// What comes after a subscription's current period, as the store signs it: `JWSRenewalInfoDecodedPayload` of the App
/// Store Server API.
///
/// Fields that every version of the API has are required; all others are nil where they are absent.
public struct RenewalInfoPayload: Codable, Hashable, Sendable {
    /// The id of the first transaction of the subscription.
    public var originalTransactionId: TransactionID
    /// The product of the current period.
    public var productId: ProductID
    /// The product that renews.
    public var autoRenewProductId: ProductID
    /// Whether it renews.
    public var autoRenewStatus: AutoRenewStatus
    /// The environment it was made in.
    public var environment: WireEnvironment
    /// When the payload was signed.
    public var signedDate: Instant
    /// When the subscription began, lapses of less than 60 days left out of account.
    public var recentSubscriptionStartDate: Instant?
    /// When the current period ends.
    public var renewalDate: Instant?
    /// The price of the next period, in thousandths of the main unit.
    public var renewalPrice: Int64?
    /// The currency of the price.
    public var currency: CurrencyCode?
    /// The customer's download of the app.
    public var appTransactionId: AppTransactionID?
    /// The app's own account, if the app named one.
    public var appAccountToken: AppAccountToken?
    /// Why it expired.
    public var expirationIntent: ExpirationIntent?
    /// Whether the store is trying to charge again.
    public var isInBillingRetryPeriod: Bool?
    /// When the grace period ends.
    public var gracePeriodExpiresDate: Instant?
    /// What the customer said to a higher price.
    public var priceIncreaseStatus: PriceIncreaseStatus?
    /// The kind of offer that applies to the next period.
    public var offerType: OfferType?
    /// That offer, unless it is the introductory one.
    public var offerIdentifier: String?
    /// How that offer is paid.
    public var offerDiscountType: OfferDiscountType?
    /// How long that offer lasts.
    public var offerPeriod: BillingPeriod?
    /// The win-back offers the customer may take, best first.
    public var eligibleWinBackOfferIds: [String]?
    /// How the next commitment is billed.
    public var renewalBillingPlanType: BillingPlanType?
    /// The next commitment.
    public var commitmentInfo: RenewalCommitmentInfo?
    /// Base64 that ties the payload to a device; only in payloads that a device received.
    public var deviceVerification: String?
    /// The UUID hashed into the verification.
    public var deviceVerificationNonce: DeviceVerificationNonce?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        originalTransactionId: TransactionID,
        productId: ProductID,
        autoRenewProductId: ProductID,
        autoRenewStatus: AutoRenewStatus,
        environment: WireEnvironment,
        signedDate: Instant,
        recentSubscriptionStartDate: Instant? = nil,
        renewalDate: Instant? = nil,
        renewalPrice: Int64? = nil,
        currency: CurrencyCode? = nil,
        appTransactionId: AppTransactionID? = nil,
        appAccountToken: AppAccountToken? = nil,
        expirationIntent: ExpirationIntent? = nil,
        isInBillingRetryPeriod: Bool? = nil,
        gracePeriodExpiresDate: Instant? = nil,
        priceIncreaseStatus: PriceIncreaseStatus? = nil,
        offerType: OfferType? = nil,
        offerIdentifier: String? = nil,
        offerDiscountType: OfferDiscountType? = nil,
        offerPeriod: BillingPeriod? = nil,
        eligibleWinBackOfferIds: [String]? = nil,
        renewalBillingPlanType: BillingPlanType? = nil,
        commitmentInfo: RenewalCommitmentInfo? = nil,
        deviceVerification: String? = nil,
        deviceVerificationNonce: DeviceVerificationNonce? = nil
    ) {
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.autoRenewProductId = autoRenewProductId
        self.autoRenewStatus = autoRenewStatus
        self.environment = environment
        self.signedDate = signedDate
        self.recentSubscriptionStartDate = recentSubscriptionStartDate
        self.renewalDate = renewalDate
        self.renewalPrice = renewalPrice
        self.currency = currency
        self.appTransactionId = appTransactionId
        self.appAccountToken = appAccountToken
        self.expirationIntent = expirationIntent
        self.isInBillingRetryPeriod = isInBillingRetryPeriod
        self.gracePeriodExpiresDate = gracePeriodExpiresDate
        self.priceIncreaseStatus = priceIncreaseStatus
        self.offerType = offerType
        self.offerIdentifier = offerIdentifier
        self.offerDiscountType = offerDiscountType
        self.offerPeriod = offerPeriod
        self.eligibleWinBackOfferIds = eligibleWinBackOfferIds
        self.renewalBillingPlanType = renewalBillingPlanType
        self.commitmentInfo = commitmentInfo
        self.deviceVerification = deviceVerification
        self.deviceVerificationNonce = deviceVerificationNonce
    }
}

/// What comes after the commitment of a subscription that is billed by the month.
public struct RenewalCommitmentInfo: Codable, Hashable, Sendable {
    /// The product that the next commitment is for.
    public var commitmentAutoRenewProductId: ProductID?
    /// Whether the commitment renews.
    public var commitmentAutoRenewStatus: AutoRenewStatus?
    /// How the next commitment is billed.
    public var commitmentRenewalBillingPlanType: BillingPlanType?
    /// When the next commitment begins.
    public var commitmentRenewalDate: Instant?
    /// The price of the next commitment, in thousandths of the main unit.
    public var commitmentRenewalPrice: Int64?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        commitmentAutoRenewProductId: ProductID? = nil,
        commitmentAutoRenewStatus: AutoRenewStatus? = nil,
        commitmentRenewalBillingPlanType: BillingPlanType? = nil,
        commitmentRenewalDate: Instant? = nil,
        commitmentRenewalPrice: Int64? = nil
    ) {
        self.commitmentAutoRenewProductId = commitmentAutoRenewProductId
        self.commitmentAutoRenewStatus = commitmentAutoRenewStatus
        self.commitmentRenewalBillingPlanType = commitmentRenewalBillingPlanType
        self.commitmentRenewalDate = commitmentRenewalDate
        self.commitmentRenewalPrice = commitmentRenewalPrice
    }
}
