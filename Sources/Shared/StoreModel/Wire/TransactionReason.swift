/// Why the transaction came about.
public struct TransactionReason: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Somebody bought.
    public static let purchase = TransactionReason(rawValue: "PURCHASE")
    /// A subscription renewed itself.
    public static let renewal = TransactionReason(rawValue: "RENEWAL")

    /// The values that this version knows.
    public static let known: Set<TransactionReason> = [.purchase, .renewal]
}
