/// What comes after the commitment of a subscription that is billed by the month.
public struct RenewalCommitmentInfo: Codable, Hashable, Sendable {
    /// The product that the next commitment is for.
    public var commitmentAutoRenewProductId: ProductID?
    /// Whether the commitment renews.
    public var commitmentAutoRenewStatus: AutoRenewStatus?
    /// How the next commitment is billed.
    public var commitmentRenewalBillingPlanType: BillingPlanType?
    /// When the next commitment begins.
    public var commitmentRenewalDate: Instant?
    /// The price of the next commitment, in thousandths of the main unit.
    public var commitmentRenewalPrice: Int64?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        commitmentAutoRenewProductId: ProductID? = nil,
        commitmentAutoRenewStatus: AutoRenewStatus? = nil,
        commitmentRenewalBillingPlanType: BillingPlanType? = nil,
        commitmentRenewalDate: Instant? = nil,
        commitmentRenewalPrice: Int64? = nil
    ) {
        self.commitmentAutoRenewProductId = commitmentAutoRenewProductId
        self.commitmentAutoRenewStatus = commitmentAutoRenewStatus
        self.commitmentRenewalBillingPlanType = commitmentRenewalBillingPlanType
        self.commitmentRenewalDate = commitmentRenewalDate
        self.commitmentRenewalPrice = commitmentRenewalPrice
    }
}
