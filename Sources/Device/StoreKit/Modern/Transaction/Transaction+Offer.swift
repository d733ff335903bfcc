import StoreModel

extension Transaction {
    /// An offer that applied to a transaction.
    public struct Offer: Equatable, Hashable, Sendable {
        /// What names the offer; nil for an introductory one.
        public let id: String?
        /// The kind of the offer.
        public let type: Transaction.OfferType
        /// How it is paid.
        public let paymentMode: PaymentMode?
        /// How long it lasts.
        public let period: Product.SubscriptionPeriod?

        /// How an offer is paid.
        public struct PaymentMode: RawRepresentable, Equatable, Hashable, Sendable {
            /// As the store writes it.
            public let rawValue: String

            /// Any way, known or not.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// It is free for its time.
            public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
            /// Each period has a lower price.
            public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
            /// All of its time has one price.
            public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
            /// What is bought once has a lower price.
            public static let oneTime = PaymentMode(rawValue: "ONE_TIME")
        }
    }
}

extension Transaction.Offer {
    /// The offer that a payload names; nil if it names none.
    init?(_ claims: SignedClaims) {
        guard let type = claims.number("offerType") else { return nil }
        self.type = .init(rawValue: Int(type))
        id = claims.text("offerIdentifier")
        paymentMode = claims.text("offerDiscountType").map { .init(rawValue: $0) }
        period = claims.text("offerPeriod").flatMap { BillingPeriod($0) }.map { .init($0) }
    }
}
