import Foundation

/// What a signed transaction says, read once.
final class TransactionContent: Sendable {
    let signed: SignedText
    let isReadable: Bool
    /// Whether the payload has all that every transaction has.
    let isComplete: Bool
    let id: UInt64
    let originalID: UInt64
    let webOrderLineItemID: String?
    let productID: String
    let subscriptionGroupID: String?
    let appBundleID: String
    let purchaseDate: Date
    let originalPurchaseDate: Date
    let expirationDate: Date?
    let purchasedQuantity: Int
    let isUpgraded: Bool
    let revocationDate: Date?
    let revocationReason: Transaction.RevocationReason?
    let revocationType: String?
    let revocationPercentage: Decimal?
    let productType: Product.ProductType
    let appAccountToken: UUID?
    let environment: AppStore.Environment
    let reason: Transaction.Reason
    let storefront: Storefront
    let price: Decimal?
    let currencyCode: String?
    let appTransactionID: String
    let billingPlanType: Product.SubscriptionInfo.BillingPlanType?
    let commitmentInfo: Transaction.CommitmentInfo?
    let advancedCommerceInfo: Transaction.AdvancedCommerceInfo?
    let deviceVerification: Data
    let deviceVerificationNonce: UUID
    let ownershipType: Transaction.OwnershipType
    let signedDate: Date
    let offer: Transaction.Offer?

    init(_ signed: SignedText) {
        self.signed = signed
        var claims = SignedClaims(signed.payload)
        id = claims.required(claims.identifier("transactionId"), or: 0)
        originalID = claims.required(claims.identifier("originalTransactionId"), or: 0)
        webOrderLineItemID = claims.identifierText("webOrderLineItemId")
        productID = claims.required(claims.text("productId"), or: "")
        subscriptionGroupID = claims.identifierText("subscriptionGroupIdentifier")
        appBundleID = claims.required(claims.text("bundleId"), or: "")
        purchaseDate = claims.required(claims.date("purchaseDate"), or: .missing)
        originalPurchaseDate = claims.required(claims.date("originalPurchaseDate"), or: .missing)
        expirationDate = claims.date("expiresDate")
        purchasedQuantity = Int(claims.required(claims.number("quantity"), or: 1))
        isUpgraded = claims.flag("isUpgraded") ?? false
        revocationDate = claims.date("revocationDate")
        revocationReason = claims.number("revocationReason").map { .init(rawValue: Int($0)) }
        revocationType = claims.text("revocationType")
        // It is written in thousandths of a percent.
        revocationPercentage = claims.price("revocationPercentage")
        productType = .init(rawValue: claims.required(claims.text("type"), or: ""))
        appAccountToken = claims.uuid("appAccountToken")
        environment = .init(rawValue: claims.required(claims.text("environment"), or: ""))
        reason = claims.text("transactionReason").map { .init(rawValue: $0) } ?? .purchase
        storefront = Storefront(
            countryCode: claims.text("storefront") ?? "", id: claims.identifierText("storefrontId") ?? "")
        price = claims.price("price")
        currencyCode = claims.text("currency")
        appTransactionID = claims.identifierText("appTransactionId") ?? ""
        billingPlanType = claims.text("billingPlanType").map { .init(rawValue: $0) }
        commitmentInfo = claims.decode(Transaction.CommitmentInfo.Wire.self, "commitmentInfo").flatMap { .init($0) }
        advancedCommerceInfo = claims.decode(AdvancedCommerceWire.self, "advancedCommerceInfo").map { .init($0) }
        deviceVerification = claims.data("deviceVerification") ?? Data()
        deviceVerificationNonce = claims.uuid("deviceVerificationNonce") ?? .missing
        ownershipType = .init(rawValue: claims.required(claims.text("inAppOwnershipType"), or: ""))
        signedDate = claims.required(claims.date("signedDate"), or: .missing)
        offer = Transaction.Offer(claims)
        isReadable = claims.isReadable
        isComplete = claims.isComplete
    }
}
