/// What the customer said to a higher price of a subscription.
public struct PriceIncreaseStatus: WireValue {
    /// The value on the wire.
    public let rawValue: Int

    /// Any value, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Nothing yet.
    public static let pending = PriceIncreaseStatus(rawValue: 0)
    /// Yes; or the customer was told, where no consent is needed.
    public static let consented = PriceIncreaseStatus(rawValue: 1)

    /// The values that this version knows.
    public static let known: Set<PriceIncreaseStatus> = [.pending, .consented]
}
