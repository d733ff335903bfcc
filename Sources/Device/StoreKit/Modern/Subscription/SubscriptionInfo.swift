public import Foundation
import StoreModel

extension Product {
    /// The terms of a subscription that renews itself.
    public struct SubscriptionInfo: Equatable, Hashable, Sendable {
        /// The lower price for those who subscribe for the first time, whether or not this customer has done so.
        public let introductoryOffer: Product.SubscriptionOffer?
        /// The offers that the developer's server can make.
        public let promotionalOffers: [Product.SubscriptionOffer]
        /// The offers for former subscribers.
        public let winBackOffers: [Product.SubscriptionOffer]
        /// The group of subscriptions, of which a customer has one at a time.
        public let subscriptionGroupID: String
        /// How long each period is.
        public let subscriptionPeriod: Product.SubscriptionPeriod
        /// The level of service in the group; 1 is the highest.
        public let groupLevel: Int
        /// The name of the group, in the language of the customer.
        public let groupDisplayName: String
        /// The ways in which it can be billed.
        public let pricingTerms: [PricingTerms]
    }
}

extension Product.SubscriptionInfo {
    /// The terms in a listing; nil unless the product renews itself.
    init?(_ listing: ProductListingAnswer) {
        guard let period = listing.subscriptionPeriod else { return nil }
        let offers = (listing.offers ?? []).map { Product.SubscriptionOffer($0) }
        introductoryOffer = offers.first { $0.type == .introductory }
        promotionalOffers = offers.filter { $0.type == .promotional }
        winBackOffers = offers.filter { $0.type == .winBack }
        // One without a group is a group of its own, as in the App Store Server API.
        subscriptionGroupID = listing.subscriptionGroupIdentifier?.text ?? listing.productId.text
        subscriptionPeriod = Product.SubscriptionPeriod(period)
        groupLevel = listing.subscriptionGroupLevel ?? 1
        groupDisplayName = listing.subscriptionGroupName ?? ""
        pricingTerms = [
            PricingTerms(
                billingPeriod: subscriptionPeriod, billingDisplayPrice: listing.price.display,
                billingPrice: ProductRecord.amount(listing.price), billingPlanType: .upFront, commitmentInfo: nil,
                subscriptionOffers: offers)
        ]
    }

    /// The length of time that is paid at once.
    public typealias BillingPeriod = Product.SubscriptionPeriod

    /// How a subscription with a commitment is billed.
    public struct BillingPlanType: RawRepresentable, Equatable, Hashable, Sendable {
        /// As the store writes it.
        public let rawValue: String

        /// Any way, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Each month, for the whole commitment.
        public static let monthly = BillingPlanType(rawValue: "MONTHLY")
        /// All periods at once.
        public static let upFront = BillingPlanType(rawValue: "BILLED_UPFRONT")
    }

    /// A way in which a subscription can be billed.
    public struct PricingTerms: Equatable, Hashable, Sendable {
        /// How long is paid at once.
        public let billingPeriod: BillingPeriod
        /// The price of that with its currency, as the storefront writes it.
        public let billingDisplayPrice: String
        /// The price of that.
        public let billingPrice: Decimal
        /// How it is billed.
        public let billingPlanType: BillingPlanType
        /// The commitment; nil without one.
        public let commitmentInfo: CommitmentInfo?
        /// The offers that go with it.
        public let subscriptionOffers: [Product.SubscriptionOffer]

        /// What a customer commits to.
        public struct CommitmentInfo: Equatable, Hashable, Sendable {
            /// The price of the whole commitment with its currency, as the storefront writes it.
            public let displayPrice: String
            /// How long the commitment lasts.
            public let period: Product.SubscriptionPeriod
            /// The price of the whole commitment.
            public let price: Decimal
        }
    }
}
