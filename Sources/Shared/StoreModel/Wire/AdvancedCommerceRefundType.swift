/// How much of an item was refunded.
public struct AdvancedCommerceRefundType: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// All of its price.
    public static let full = AdvancedCommerceRefundType(rawValue: "FULL")
    /// The part for the time not used.
    public static let prorated = AdvancedCommerceRefundType(rawValue: "PRORATED")
    /// An amount that the developer chose.
    public static let custom = AdvancedCommerceRefundType(rawValue: "CUSTOM")

    /// The values that this version knows.
    public static let known: Set<AdvancedCommerceRefundType> = [.full, .prorated, .custom]
}
