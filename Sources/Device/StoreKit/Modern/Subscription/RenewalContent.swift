import Foundation

/// What signed renewal information says, read once.
final class RenewalContent: Sendable {
    let signed: SignedText
    let isReadable: Bool
    /// Whether the payload has all that each of them has.
    let isComplete: Bool
    let originalTransactionID: UInt64
    let currentProductID: String
    let willAutoRenew: Bool
    let autoRenewPreference: String?
    let expirationReason: Product.SubscriptionInfo.RenewalInfo.ExpirationReason?
    let priceIncreaseStatus: Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus
    let isInBillingRetry: Bool
    let gracePeriodExpirationDate: Date?
    let offer: Transaction.Offer?
    let environment: AppStore.Environment
    let recentSubscriptionStartDate: Date
    let renewalDate: Date?
    let renewalPrice: Decimal?
    let currencyCode: String?
    let eligibleWinBackOfferIDs: [String]
    let appAccountToken: UUID?
    let appTransactionID: String
    let renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType?
    let commitmentInfo: Product.SubscriptionInfo.RenewalInfo.CommitmentInfo?
    let advancedCommerceInfo: Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo?
    let deviceVerification: Data
    let deviceVerificationNonce: UUID
    let signedDate: Date

    init(_ signed: SignedText) {
        typealias Info = Product.SubscriptionInfo.RenewalInfo
        self.signed = signed
        var claims = SignedClaims(signed.payload)
        originalTransactionID = claims.required(claims.identifier("originalTransactionId"), or: 0)
        currentProductID = claims.required(claims.text("productId"), or: "")
        willAutoRenew = claims.required(claims.number("autoRenewStatus"), or: 0) == 1
        autoRenewPreference = willAutoRenew ? claims.text("autoRenewProductId") : nil
        expirationReason = claims.number("expirationIntent").map { .init(rawValue: Int($0)) }
        priceIncreaseStatus = Info.PriceIncreaseStatus(claims.number("priceIncreaseStatus"))
        isInBillingRetry = claims.flag("isInBillingRetryPeriod") ?? false
        gracePeriodExpirationDate = claims.date("gracePeriodExpiresDate")
        offer = Transaction.Offer(claims)
        environment = .init(rawValue: claims.required(claims.text("environment"), or: ""))
        recentSubscriptionStartDate = claims.date("recentSubscriptionStartDate") ?? .missing
        renewalDate = claims.date("renewalDate")
        renewalPrice = claims.price("renewalPrice")
        currencyCode = claims.text("currency")
        eligibleWinBackOfferIDs = claims.decode([String].self, "eligibleWinBackOfferIds") ?? []
        appAccountToken = claims.uuid("appAccountToken")
        appTransactionID = claims.identifierText("appTransactionId") ?? ""
        renewalBillingPlanType = claims.text("renewalBillingPlanType").map { .init(rawValue: $0) }
        commitmentInfo = claims.decode(Info.CommitmentInfo.Wire.self, "commitmentInfo").flatMap { .init($0) }
        advancedCommerceInfo = claims.decode(AdvancedCommerceWire.self, "advancedCommerceInfo").map { .init($0) }
        deviceVerification = claims.data("deviceVerification") ?? Data()
        deviceVerificationNonce = claims.uuid("deviceVerificationNonce") ?? .missing
        signedDate = claims.required(claims.date("signedDate"), or: .missing)
        isReadable = claims.isReadable
        isComplete = claims.isComplete
    }
}
