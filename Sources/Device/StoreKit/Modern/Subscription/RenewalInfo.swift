public import Foundation

extension Product.SubscriptionInfo {
    /// What comes after the current period of a subscription, as the store signed it.
    public struct RenewalInfo: Sendable {
        let content: RenewalContent

        /// Reads what the store signed, whether it is good or not.
        package init(signed jws: String) {
            self.init(SignedText(jws))
        }

        init(_ signed: SignedText) {
            content = RenewalContent(signed)
        }

        var signed: SignedText { content.signed }

        /// The payload as the store signed it.
        public var jsonRepresentation: Data { Data(content.signed.payload) }

        /// The number of the first transaction of the subscription.
        public var originalTransactionID: UInt64 { content.originalTransactionID }

        /// The product of the current period.
        public var currentProductID: String { content.currentProductID }

        /// Whether it renews itself.
        public var willAutoRenew: Bool { content.willAutoRenew }

        /// The product of the next period; nil if it does not renew itself.
        public var autoRenewPreference: String? { content.autoRenewPreference }

        /// Why it ended; nil unless it did.
        public var expirationReason: ExpirationReason? { content.expirationReason }

        /// What the customer said to a higher price.
        public var priceIncreaseStatus: PriceIncreaseStatus { content.priceIncreaseStatus }

        /// Whether the store tries to charge the customer again.
        public var isInBillingRetry: Bool { content.isInBillingRetry }

        /// Until when the customer keeps the service though it is not paid.
        public var gracePeriodExpirationDate: Date? { content.gracePeriodExpirationDate }

        /// The offer that applies to the next period.
        public var offer: Transaction.Offer? { content.offer }

        /// What names the offer that applies to the next period; nil for an introductory one.
        public var offerID: String? { content.offer?.id }

        /// The kind of the offer that applies to the next period.
        public var offerType: Transaction.OfferType? { content.offer?.type }

        /// How the offer is paid that applies to the next period, as the store writes it.
        public var offerPaymentModeStringRepresentation: String? { content.offer?.paymentMode?.rawValue }

        /// How long the offer lasts that applies to the next period, as the store writes it.
        public var offerPeriodStringRepresentation: String? { content.offer?.period?.isoText }

        /// The environment of the store that it was made in.
        public var environment: AppStore.Environment { content.environment }

        /// The environment of the store that it was made in, as the store writes it.
        public var environmentStringRepresentation: String { content.environment.rawValue }

        /// When the customer subscribed, interruptions of less than 60 days left out of account.
        public var recentSubscriptionStartDate: Date { content.recentSubscriptionStartDate }

        /// When the next period begins.
        public var renewalDate: Date? { content.renewalDate }

        /// The price of the next period.
        public var renewalPrice: Decimal? { content.renewalPrice }

        /// The currency of the price.
        public var currency: Locale.Currency? { content.currencyCode.map { Locale.Currency($0) } }

        /// The currency of the price, in three letters.
        public var currencyCode: String? { content.currencyCode }

        /// The win-back offers that the customer may have, the best first.
        public var eligibleWinBackOfferIDs: [String] { content.eligibleWinBackOfferIDs }

        /// The account of the app's own that the subscription is for.
        public var appAccountToken: UUID? { content.appAccountToken }

        /// The customer's download of the app.
        public var appTransactionID: String { content.appTransactionID }

        /// How the next commitment is billed.
        public var renewalBillingPlanType: BillingPlanType? { content.renewalBillingPlanType }

        /// What comes after the commitment of a subscription that is billed by the month.
        public var commitmentInfo: CommitmentInfo? { content.commitmentInfo }

        /// What it says of products that the developer's server describes.
        public var advancedCommerceInfo: AdvancedCommerceInfo? { content.advancedCommerceInfo }

        /// Ties it to the device that got it.
        public var deviceVerification: Data { content.deviceVerification }

        /// What ``deviceVerification`` was made with.
        public var deviceVerificationNonce: UUID { content.deviceVerificationNonce }

        /// When the store signed it.
        public var signedDate: Date { content.signedDate }
    }
}

extension Product.SubscriptionInfo.RenewalInfo: Equatable, Hashable {
    /// Whether both say the same.
    public static func == (
        first: Product.SubscriptionInfo.RenewalInfo, second: Product.SubscriptionInfo.RenewalInfo
    ) -> Bool {
        first.content === second.content || first.signed == second.signed
    }

    /// Hashes what it says.
    public func hash(into hasher: inout Hasher) { hasher.combine(signed) }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
    /// The payload as text.
    public var debugDescription: String { signed.debugText }
}
