public import Foundation

/// A purchase of an in-app purchase, or the renewal of a subscription, as the store signed it.
///
/// What it says is in its payload, which ``jsonRepresentation`` is. Two transactions are equal if their payloads are.
public struct Transaction: Identifiable, Sendable {
    /// The number of a transaction.
    public typealias ID = UInt64

    private let content: TransactionContent

    /// Reads what the store signed, whether it is good or not.
    package init(signed jws: String) {
        self.init(SignedText(jws))
    }

    init(_ signed: SignedText) {
        content = TransactionContent(signed)
    }

    var signed: SignedText { content.signed }
    /// Whether its payload has all that every transaction has.
    var isComplete: Bool { content.isComplete }
    var isReadable: Bool { content.isReadable }
    /// The JWS, as the store signed it.
    package var jwsRepresentation: String { content.signed.jws }

    /// The payload as the store signed it.
    public var jsonRepresentation: Data { Data(content.signed.payload) }

    /// The number of the transaction.
    public var id: UInt64 { content.id }

    /// The number of the first transaction of a subscription, or of the one that was restored.
    public var originalID: UInt64 { content.originalID }

    /// The number of the period of a subscription; nil for other products.
    public var webOrderLineItemID: String? { content.webOrderLineItemID }

    /// What names the product to the store.
    public var productID: String { content.productID }

    /// The group of the subscription; nil for other products.
    public var subscriptionGroupID: String? { content.subscriptionGroupID }

    /// The app that it was bought in.
    public var appBundleID: String { content.appBundleID }

    /// When it was charged, or restored.
    public var purchaseDate: Date { content.purchaseDate }

    /// When the original transaction was charged.
    public var originalPurchaseDate: Date { content.originalPurchaseDate }

    /// When the period of the subscription ends; nil unless it renews itself.
    public var expirationDate: Date? { content.expirationDate }

    /// How many were bought.
    public var purchasedQuantity: Int { content.purchasedQuantity }

    /// Whether the customer has upgraded to another subscription since.
    public var isUpgraded: Bool { content.isUpgraded }

    /// When it was refunded, or is not shared any more.
    public var revocationDate: Date? { content.revocationDate }

    /// Why it was refunded.
    public var revocationReason: Transaction.RevocationReason? { content.revocationReason }

    /// How it was taken back.
    public var revocationType: Transaction.RevocationType? {
        content.revocationType.map(RevocationType.init(rawValue:))
    }

    /// How it was taken back, as the store writes it.
    public var revocationTypeStringRepresentation: String? { content.revocationType }

    /// How much of the price was refunded, from 0 to 100.
    public var revocationPercentage: Decimal? { content.revocationPercentage }

    /// The kind of the product.
    public var productType: Product.ProductType { content.productType }

    /// The account of the app's own that the purchase was for.
    public var appAccountToken: UUID? { content.appAccountToken }

    /// The environment of the store that it was made in.
    public var environment: AppStore.Environment { content.environment }

    /// The environment of the store that it was made in, as the store writes it.
    public var environmentStringRepresentation: String { content.environment.rawValue }

    /// Whether the customer bought it, or it renewed itself.
    public var reason: Transaction.Reason { content.reason }

    /// Whether the customer bought it, or it renewed itself, as the store writes it.
    public var reasonStringRepresentation: String { content.reason.rawValue }

    /// The storefront that it was bought in.
    public var storefront: Storefront { content.storefront }

    /// The country of the storefront, in three letters.
    public var storefrontCountryCode: String { content.storefront.countryCode }

    /// The price of all that was bought.
    public var price: Decimal? { content.price }

    /// The currency of the price.
    public var currency: Locale.Currency? { content.currencyCode.map { Locale.Currency($0) } }

    /// The currency of the price, in three letters.
    public var currencyCode: String? { content.currencyCode }

    /// The customer's download of the app.
    public var appTransactionID: String { content.appTransactionID }

    /// How a subscription with a commitment is billed.
    public var billingPlanType: Product.SubscriptionInfo.BillingPlanType? { content.billingPlanType }

    /// The commitment of a subscription that is billed by the month.
    public var commitmentInfo: Transaction.CommitmentInfo? { content.commitmentInfo }

    /// What it says of products that the developer's server describes.
    public var advancedCommerceInfo: Transaction.AdvancedCommerceInfo? { content.advancedCommerceInfo }

    /// Ties the transaction to the device that got it.
    public var deviceVerification: Data { content.deviceVerification }

    /// What ``deviceVerification`` was made with.
    public var deviceVerificationNonce: UUID { content.deviceVerificationNonce }

    /// Whether the customer bought it, or a member of the family did.
    public var ownershipType: Transaction.OwnershipType { content.ownershipType }

    /// When the store signed it.
    public var signedDate: Date { content.signedDate }

    /// The offer that applied.
    public var offer: Transaction.Offer? { content.offer }

    /// The kind of the offer that applied.
    public var offerType: Transaction.OfferType? { content.offer?.type }

    /// What names the offer that applied; nil for an introductory one.
    public var offerID: String? { content.offer?.id }

    /// How the offer that applied is paid, as the store writes it.
    public var offerPaymentModeStringRepresentation: String? { content.offer?.paymentMode?.rawValue }

    /// How long the offer that applied lasts, as the store writes it.
    public var offerPeriodStringRepresentation: String? { content.offer?.period?.isoText }
}

extension Transaction: Equatable, Hashable {
    /// Whether two transactions say the same.
    public static func == (first: Transaction, second: Transaction) -> Bool {
        first.content === second.content || first.signed == second.signed
    }

    /// Hashes what the transaction says.
    public func hash(into hasher: inout Hasher) { hasher.combine(signed) }
}

extension Transaction: CustomDebugStringConvertible {
    /// The payload as text.
    public var debugDescription: String { content.signed.debugText }
}
