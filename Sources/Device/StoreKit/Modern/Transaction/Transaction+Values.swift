extension Transaction {
    /// Whether the customer bought it, or it renewed itself.
    public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
        /// As the store writes it.
        public let rawValue: String

        /// Any reason, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer bought it.
        public static let purchase = Reason(rawValue: "PURCHASE")
        /// The subscription renewed itself.
        public static let renewal = Reason(rawValue: "RENEWAL")
    }

    /// Why it was refunded.
    public struct RevocationReason: RawRepresentable, Equatable, Hashable, Sendable {
        /// As the store writes it.
        public let rawValue: Int

        /// Any reason, known or not.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// A problem with the app.
        public static let developerIssue = RevocationReason(rawValue: 1)
        /// Another reason.
        public static let other = RevocationReason(rawValue: 0)
        /// The customer went over to a bundle that has the subscription in it.
        public static let upgradedToBundle = RevocationReason(rawValue: 2)
    }

    /// How it was taken back.
    public struct RevocationType: RawRepresentable, Equatable, Hashable, Sendable {
        /// As the store writes it.
        public let rawValue: String

        /// Any way, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// All of the price was refunded.
        public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
        /// A part of the price was refunded.
        public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
        /// It is not shared with the family any more.
        public static let familyRevocation = RevocationType(rawValue: "FAMILY_REVOKE")
        /// It is not assigned to the customer any more.
        public static let assignmentRevocation = RevocationType(rawValue: "ASSIGNMENT_REVOKE")
    }

    /// The kinds of offers that a transaction can have.
    public struct OfferType: RawRepresentable, Equatable, Hashable, Sendable {
        /// As the store writes it.
        public let rawValue: Int

        /// Any kind, known or not.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// For those who subscribe for the first time.
        public static let introductory = OfferType(rawValue: 1)
        /// For those whom the developer offers it.
        public static let promotional = OfferType(rawValue: 2)
        /// For those who redeem a code.
        public static let code = OfferType(rawValue: 3)
        /// For former subscribers.
        public static let winBack = OfferType(rawValue: 4)
    }

    /// How the customer came to own the product.
    public struct OwnershipType: RawRepresentable, Equatable, Hashable, Sendable {
        /// As the store writes it.
        public let rawValue: String

        /// Any way, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer bought it.
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        /// A member of the family bought it.
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
        /// An organisation assigned it to the customer.
        public static let assigned = OwnershipType(rawValue: "ASSIGNED")
    }

    /// What came of asking the customer whether to request a refund.
    public enum RefundRequestStatus: Equatable, Hashable, Sendable {
        /// The request was sent.
        case success
        /// The customer sent none.
        case userCancelled
    }
}
