/// Why a developer gives an offer.
public struct AdvancedCommerceOfferReason: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// To win a customer.
    public static let acquisition = AdvancedCommerceOfferReason(rawValue: "ACQUISITION")
    /// To win a customer back.
    public static let winBack = AdvancedCommerceOfferReason(rawValue: "WIN_BACK")
    /// To keep a customer.
    public static let retention = AdvancedCommerceOfferReason(rawValue: "RETENTION")

    /// The values that this version knows.
    public static let known: Set<AdvancedCommerceOfferReason> = [.acquisition, .winBack, .retention]
}

/// The state of a price increase of an item.
public struct AdvancedCommercePriceIncreaseStatus: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// It will be asked for.
    public static let scheduled = AdvancedCommercePriceIncreaseStatus(rawValue: "SCHEDULED")
    /// The customer has not answered.
    public static let pending = AdvancedCommercePriceIncreaseStatus(rawValue: "PENDING")
    /// The customer has accepted it.
    public static let accepted = AdvancedCommercePriceIncreaseStatus(rawValue: "ACCEPTED")

    /// The values that this version knows.
    public static let known: Set<AdvancedCommercePriceIncreaseStatus> = [.scheduled, .pending, .accepted]
}

/// Why an item was refunded.
public struct AdvancedCommerceRefundReason: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// It was bought by mistake.
    public static let unintendedPurchase = AdvancedCommerceRefundReason(rawValue: "UNINTENDED_PURCHASE")
    /// It was not delivered properly.
    public static let fulfillmentIssue = AdvancedCommerceRefundReason(rawValue: "FULFILLMENT_ISSUE")
    /// The customer was not satisfied.
    public static let unsatisfiedWithPurchase = AdvancedCommerceRefundReason(rawValue: "UNSATISFIED_WITH_PURCHASE")
    /// The law requires it.
    public static let legal = AdvancedCommerceRefundReason(rawValue: "LEGAL")
    /// Any other reason.
    public static let other = AdvancedCommerceRefundReason(rawValue: "OTHER")
    /// The items of a subscription were changed.
    public static let modifyItemsRefund = AdvancedCommerceRefundReason(rawValue: "MODIFY_ITEMS_REFUND")
    /// A test wants the refund to be declined.
    public static let simulateRefundDecline = AdvancedCommerceRefundReason(rawValue: "SIMULATE_REFUND_DECLINE")

    /// The values that this version knows.
    public static let known: Set<AdvancedCommerceRefundReason> = [
        .unintendedPurchase, .fulfillmentIssue, .unsatisfiedWithPurchase, .legal, .other, .modifyItemsRefund,
        .simulateRefundDecline,
    ]
}

/// How much of an item was refunded.
public struct AdvancedCommerceRefundType: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// All of its price.
    public static let full = AdvancedCommerceRefundType(rawValue: "FULL")
    /// The part for the time not used.
    public static let prorated = AdvancedCommerceRefundType(rawValue: "PRORATED")
    /// An amount that the developer chose.
    public static let custom = AdvancedCommerceRefundType(rawValue: "CUSTOM")

    /// The values that this version knows.
    public static let known: Set<AdvancedCommerceRefundType> = [.full, .prorated, .custom]
}
