/// How a purchase was taken back.
public struct RevocationType: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// All of the price was refunded.
    public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
    /// A part of the price was refunded.
    public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
    /// The product is no longer shared with the family.
    public static let familyRevoke = RevocationType(rawValue: "FAMILY_REVOKE")

    /// The values that this version knows.
    public static let known: Set<RevocationType> = [.fullRefund, .proratedRefund, .familyRevoke]
}
