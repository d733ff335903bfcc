/// What renews of a subscription from a developer's own catalogue.
public struct AdvancedCommerceRenewalInfo: Codable, Hashable, Sendable {
    /// The request that made the subscription.
    public var requestReferenceId: RequestReferenceID?
    /// The state that the next change must start from.
    public var consistencyToken: String?
    /// The kind of goods, for tax.
    public var taxCode: String?
    /// The period.
    public var period: BillingPeriod?
    /// What the subscription is called.
    public var descriptors: AdvancedCommerceDescriptors?
    /// The items.
    public var items: [AdvancedCommerceRenewalItem]?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        requestReferenceId: RequestReferenceID? = nil,
        consistencyToken: String? = nil,
        taxCode: String? = nil,
        period: BillingPeriod? = nil,
        descriptors: AdvancedCommerceDescriptors? = nil,
        items: [AdvancedCommerceRenewalItem]? = nil
    ) {
        self.requestReferenceId = requestReferenceId
        self.consistencyToken = consistencyToken
        self.taxCode = taxCode
        self.period = period
        self.descriptors = descriptors
        self.items = items
    }
}
