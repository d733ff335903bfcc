/// A transaction as the store signs it: `JWSTransactionDecodedPayload` of the App Store Server API.
///
/// Fields that every version of the API has are required; all others are nil where they are absent. They are never
/// written as null, and keys that are not known are ignored.
public struct TransactionPayload: Codable, Hashable, Sendable {
    /// The id of this transaction.
    public var transactionId: TransactionID
    /// The id of the first transaction of the subscription, or of the one that was restored.
    public var originalTransactionId: TransactionID
    /// The app it was bought in.
    public var bundleId: BundleID
    /// The product.
    public var productId: ProductID
    /// The kind of the product.
    public var type: ProductKind
    /// When the customer was charged, or the purchase was restored.
    public var purchaseDate: Instant
    /// When the original transaction was made.
    public var originalPurchaseDate: Instant
    /// How many were bought.
    public var quantity: Int
    /// Whether the customer bought it or shares it.
    public var inAppOwnershipType: OwnershipType
    /// The environment it was made in.
    public var environment: WireEnvironment
    /// When the payload was signed.
    public var signedDate: Instant
    /// The storefront it was bought in, by code.
    public var storefront: StorefrontCode?
    /// The storefront it was bought in, by number.
    public var storefrontId: StorefrontID?
    /// Whether it is a purchase or a renewal.
    public var transactionReason: TransactionReason?
    /// The price in thousandths of the currency's main unit, for the whole quantity.
    public var price: Int64?
    /// The currency of the price.
    public var currency: CurrencyCode?
    /// The customer's download of the app.
    public var appTransactionId: AppTransactionID?
    /// The period of the subscription.
    public var webOrderLineItemId: WebOrderLineItemID?
    /// The group of the subscription.
    public var subscriptionGroupIdentifier: SubscriptionGroupID?
    /// When the subscription expires or renews.
    public var expiresDate: Instant?
    /// True if an upgrade replaced this transaction; absent otherwise.
    public var isUpgraded: Bool?
    /// The kind of offer applied.
    public var offerType: OfferType?
    /// The offer applied, unless it is the introductory one.
    public var offerIdentifier: String?
    /// How the offer is paid.
    public var offerDiscountType: OfferDiscountType?
    /// How long the offer lasts.
    public var offerPeriod: BillingPeriod?
    /// The app's own account, if the app named one.
    public var appAccountToken: AppAccountToken?
    /// When it was refunded or withdrawn.
    public var revocationDate: Instant?
    /// Why it was refunded.
    public var revocationReason: RevocationReason?
    /// How it was taken back.
    public var revocationType: RevocationType?
    /// The part refunded, in thousandths of a percent.
    public var revocationPercentage: Int?
    /// How a subscription with a commitment is billed.
    public var billingPlanType: BillingPlanType?
    /// The commitment.
    public var commitmentInfo: TransactionCommitmentInfo?
    /// Base64 that ties the payload to a device; only in payloads that a device received.
    public var deviceVerification: String?
    /// The UUID hashed into the verification.
    public var deviceVerificationNonce: DeviceVerificationNonce?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        transactionId: TransactionID,
        originalTransactionId: TransactionID,
        bundleId: BundleID,
        productId: ProductID,
        type: ProductKind,
        purchaseDate: Instant,
        originalPurchaseDate: Instant,
        quantity: Int,
        inAppOwnershipType: OwnershipType,
        environment: WireEnvironment,
        signedDate: Instant,
        storefront: StorefrontCode? = nil,
        storefrontId: StorefrontID? = nil,
        transactionReason: TransactionReason? = nil,
        price: Int64? = nil,
        currency: CurrencyCode? = nil,
        appTransactionId: AppTransactionID? = nil,
        webOrderLineItemId: WebOrderLineItemID? = nil,
        subscriptionGroupIdentifier: SubscriptionGroupID? = nil,
        expiresDate: Instant? = nil,
        isUpgraded: Bool? = nil,
        offerType: OfferType? = nil,
        offerIdentifier: String? = nil,
        offerDiscountType: OfferDiscountType? = nil,
        offerPeriod: BillingPeriod? = nil,
        appAccountToken: AppAccountToken? = nil,
        revocationDate: Instant? = nil,
        revocationReason: RevocationReason? = nil,
        revocationType: RevocationType? = nil,
        revocationPercentage: Int? = nil,
        billingPlanType: BillingPlanType? = nil,
        commitmentInfo: TransactionCommitmentInfo? = nil,
        deviceVerification: String? = nil,
        deviceVerificationNonce: DeviceVerificationNonce? = nil
    ) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.bundleId = bundleId
        self.productId = productId
        self.type = type
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.quantity = quantity
        self.inAppOwnershipType = inAppOwnershipType
        self.environment = environment
        self.signedDate = signedDate
        self.storefront = storefront
        self.storefrontId = storefrontId
        self.transactionReason = transactionReason
        self.price = price
        self.currency = currency
        self.appTransactionId = appTransactionId
        self.webOrderLineItemId = webOrderLineItemId
        self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
        self.expiresDate = expiresDate
        self.isUpgraded = isUpgraded
        self.offerType = offerType
        self.offerIdentifier = offerIdentifier
        self.offerDiscountType = offerDiscountType
        self.offerPeriod = offerPeriod
        self.appAccountToken = appAccountToken
        self.revocationDate = revocationDate
        self.revocationReason = revocationReason
        self.revocationType = revocationType
        self.revocationPercentage = revocationPercentage
        self.billingPlanType = billingPlanType
        self.commitmentInfo = commitmentInfo
        self.deviceVerification = deviceVerification
        self.deviceVerificationNonce = deviceVerificationNonce
    }

    /// The price as money; nil where it is absent, in a currency that is not known, or no whole number of its minor
    /// units.
    public var amount: Money? {
        guard let price, let currency = currency?.currency else { return nil }
        return try? Money(milliunits: price, currency: currency)
    }
}

/// The commitment behind a transaction that is billed by the month.
public struct TransactionCommitmentInfo: Codable, Hashable, Sendable {
    /// Which of the billing periods this is, from 1.
    public var billingPeriodNumber: Int?
    /// How many there are.
    public var totalBillingPeriods: Int?
    /// The price of the whole commitment, in thousandths of the main unit.
    public var commitmentPrice: Int64?
    /// When the commitment ends.
    public var commitmentExpiresDate: Instant?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        billingPeriodNumber: Int? = nil,
        totalBillingPeriods: Int? = nil,
        commitmentPrice: Int64? = nil,
        commitmentExpiresDate: Instant? = nil
    ) {
        self.billingPeriodNumber = billingPeriodNumber
        self.totalBillingPeriods = totalBillingPeriods
        self.commitmentPrice = commitmentPrice
        self.commitmentExpiresDate = commitmentExpiresDate
    }
}
