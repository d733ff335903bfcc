/// An offer on an item.
public struct AdvancedCommerceOffer: Codable, Hashable, Sendable {
    /// How long one period of the offer lasts.
    public var period: BillingPeriod
    /// How many periods it lasts, 1 to 12.
    public var periodCount: Int
    /// The price of one period, in thousandths of the main unit.
    public var price: Int64
    /// Why it is given.
    public var reason: AdvancedCommerceOfferReason

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        period: BillingPeriod,
        periodCount: Int,
        price: Int64,
        reason: AdvancedCommerceOfferReason
    ) {
        self.period = period
        self.periodCount = periodCount
        self.price = price
        self.reason = reason
    }
}
