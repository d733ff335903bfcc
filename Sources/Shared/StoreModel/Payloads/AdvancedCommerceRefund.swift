/// One refund of an item.
public struct AdvancedCommerceRefund: Codable, Hashable, Sendable {
    /// What was refunded, in thousandths of the main unit.
    public var refundAmount: Int64?
    /// When.
    public var refundDate: Instant?
    /// Why.
    public var refundReason: AdvancedCommerceRefundReason?
    /// How much of it.
    public var refundType: AdvancedCommerceRefundType?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        refundAmount: Int64? = nil,
        refundDate: Instant? = nil,
        refundReason: AdvancedCommerceRefundReason? = nil,
        refundType: AdvancedCommerceRefundType? = nil
    ) {
        self.refundAmount = refundAmount
        self.refundDate = refundDate
        self.refundReason = refundReason
        self.refundType = refundType
    }
}
