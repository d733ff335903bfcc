public import Foundation
import StoreModel

extension Product.SubscriptionInfo.RenewalInfo {
    /// Why a subscription ended.
    public struct ExpirationReason: RawRepresentable, Equatable, Hashable, Sendable {
        /// As the store writes it.
        public let rawValue: Int

        /// Any reason, known or not.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The customer cancelled it.
        public static let autoRenewDisabled = ExpirationReason(rawValue: 1)
        /// The next period could not be paid.
        public static let billingError = ExpirationReason(rawValue: 2)
        /// The customer did not consent to a higher price.
        public static let didNotConsentToPriceIncrease = ExpirationReason(rawValue: 3)
        /// The product was not sold any more.
        public static let productUnavailable = ExpirationReason(rawValue: 4)
        /// Another reason.
        public static let unknown = ExpirationReason(rawValue: 5)
    }

    /// What the customer said to a higher price.
    @frozen public enum PriceIncreaseStatus: Equatable, Hashable, Sendable {
        /// There is no higher price.
        case noIncreasePending
        /// The customer has not said anything yet.
        case pending
        /// The customer has consented, or was told where no consent is needed.
        case agreed

        init(_ wire: Int64?) {
            switch wire {
            case nil: self = .noIncreasePending
            case 0: self = .pending
            default: self = .agreed
            }
        }
    }

    /// What comes after a commitment.
    public struct CommitmentInfo: Equatable, Hashable, Sendable {
        /// The product of the next commitment; nil if there is none.
        public let autoRenewPreference: String?
        /// Whether the commitment renews itself.
        public let willAutoRenew: Bool
        /// How the next commitment is billed.
        public let renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType?
        /// When the next commitment begins.
        public let renewalDate: Date?
        /// The price of the whole next commitment.
        public let renewalPrice: Decimal?

        /// As the payload has it.
        typealias Wire = RenewalCommitmentInfo

        init(_ wire: Wire) {
            willAutoRenew = wire.commitmentAutoRenewStatus == .on
            autoRenewPreference = willAutoRenew ? wire.commitmentAutoRenewProductId?.text : nil
            renewalBillingPlanType = wire.commitmentRenewalBillingPlanType.map { .init(rawValue: $0.rawValue) }
            renewalDate = wire.commitmentRenewalDate?.date
            renewalPrice = wire.commitmentRenewalPrice.map { Decimal($0) / 1000 }
        }
    }

    /// What renewal information says of products that the developer's server describes. Till sells none, so that it is nil;
    /// what another store wrote is read.
    public struct AdvancedCommerceInfo: Equatable, Hashable, Sendable {
        /// What the customer reads of the products.
        public let description: String?
        /// The name that the customer reads.
        public let displayName: String?
        /// What renews itself.
        public let items: [Transaction.AdvancedCommerceInfo.Item]
        /// How long a period is.
        public let period: Product.SubscriptionPeriod?
        /// What the developer's server calls the request.
        public let requestReferenceID: String
        /// The kind of goods, for the tax.
        public let taxCode: String?

        init(_ wire: AdvancedCommerceWire) {
            description = wire.description ?? wire.descriptors?.description
            displayName = wire.displayName ?? wire.descriptors?.displayName
            items = wire.items.map { .init($0) }
            period = wire.subscriptionPeriod
            requestReferenceID = wire.requestReferenceId
            taxCode = wire.taxCode
        }
    }
}
