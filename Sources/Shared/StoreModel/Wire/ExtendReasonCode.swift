/// Why a developer puts off when a subscription renews.
public struct ExtendReasonCode: WireValue {
    /// The value on the wire.
    public let rawValue: Int

    /// Any value, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The developer does not say.
    public static let undeclared = ExtendReasonCode(rawValue: 0)
    /// To satisfy the customer.
    public static let customerSatisfaction = ExtendReasonCode(rawValue: 1)
    /// For another reason.
    public static let other = ExtendReasonCode(rawValue: 2)
    /// The service did not work, or was out.
    public static let serviceIssue = ExtendReasonCode(rawValue: 3)

    /// The values that this version knows.
    public static let known: Set<ExtendReasonCode> = [.undeclared, .customerSatisfaction, .other, .serviceIssue]
}
