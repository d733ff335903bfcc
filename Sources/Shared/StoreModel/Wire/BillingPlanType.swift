/// How a subscription with a commitment is billed.
public struct BillingPlanType: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// All periods at once.
    public static let billedUpfront = BillingPlanType(rawValue: "BILLED_UPFRONT")
    /// Each month, for the whole commitment.
    public static let monthly = BillingPlanType(rawValue: "MONTHLY")

    /// The values that this version knows.
    public static let known: Set<BillingPlanType> = [.billedUpfront, .monthly]
}
