/// What was bought from a developer's own catalogue.
public struct AdvancedCommerceTransactionInfo: Codable, Hashable, Sendable {
    /// The request that made the purchase.
    public var requestReferenceId: RequestReferenceID?
    /// The kind of goods, for tax.
    public var taxCode: String?
    /// The rate of tax, as a decimal number.
    public var taxRate: String?
    /// The tax in the price, in thousandths of the main unit.
    public var estimatedTax: Int64?
    /// The price without tax, in thousandths of the main unit.
    public var taxExclusivePrice: Int64?
    /// The period of a subscription.
    public var period: BillingPeriod?
    /// What the purchase is called.
    public var descriptors: AdvancedCommerceDescriptors?
    /// The items.
    public var items: [AdvancedCommerceTransactionItem]?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        requestReferenceId: RequestReferenceID? = nil,
        taxCode: String? = nil,
        taxRate: String? = nil,
        estimatedTax: Int64? = nil,
        taxExclusivePrice: Int64? = nil,
        period: BillingPeriod? = nil,
        descriptors: AdvancedCommerceDescriptors? = nil,
        items: [AdvancedCommerceTransactionItem]? = nil
    ) {
        self.requestReferenceId = requestReferenceId
        self.taxCode = taxCode
        self.taxRate = taxRate
        self.estimatedTax = estimatedTax
        self.taxExclusivePrice = taxExclusivePrice
        self.period = period
        self.descriptors = descriptors
        self.items = items
    }
}
