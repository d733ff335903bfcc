/// How far a higher price of an item has come.
public struct AdvancedCommercePriceIncreaseStatus: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// It will be asked for.
    public static let scheduled = AdvancedCommercePriceIncreaseStatus(rawValue: "SCHEDULED")
    /// The customer has not answered.
    public static let pending = AdvancedCommercePriceIncreaseStatus(rawValue: "PENDING")
    /// The customer has accepted it.
    public static let accepted = AdvancedCommercePriceIncreaseStatus(rawValue: "ACCEPTED")

    /// The values that this version knows.
    public static let known: Set<AdvancedCommercePriceIncreaseStatus> = [.scheduled, .pending, .accepted]
}
