/// The commitment behind a transaction that is billed by the month.
public struct TransactionCommitmentInfo: Codable, Hashable, Sendable {
    /// Which of the billing periods this is, from 1.
    public var billingPeriodNumber: Int?
    /// How many there are.
    public var totalBillingPeriods: Int?
    /// The price of the whole commitment, in thousandths of the main unit.
    public var commitmentPrice: Int64?
    /// When the commitment ends.
    public var commitmentExpiresDate: Instant?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        billingPeriodNumber: Int? = nil,
        totalBillingPeriods: Int? = nil,
        commitmentPrice: Int64? = nil,
        commitmentExpiresDate: Instant? = nil
    ) {
        self.billingPeriodNumber = billingPeriodNumber
        self.totalBillingPeriods = totalBillingPeriods
        self.commitmentPrice = commitmentPrice
        self.commitmentExpiresDate = commitmentExpiresDate
    }
}
