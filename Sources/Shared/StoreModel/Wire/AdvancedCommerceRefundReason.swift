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
    /// It was not delivered as it should have been.
    public static let fulfillmentIssue = AdvancedCommerceRefundReason(rawValue: "FULFILLMENT_ISSUE")
    /// The customer was not content with it.
    public static let unsatisfiedWithPurchase = AdvancedCommerceRefundReason(rawValue: "UNSATISFIED_WITH_PURCHASE")
    /// The law demands it.
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
