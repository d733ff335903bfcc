/// Why a purchase was refunded.
public struct RevocationReason: WireValue {
    /// The value on the wire.
    public let rawValue: Int

    /// Any value, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Any other reason.
    public static let other = RevocationReason(rawValue: 0)
    /// A problem with the app, or so it seemed to the customer.
    public static let appIssue = RevocationReason(rawValue: 1)

    /// The values that this version knows.
    public static let known: Set<RevocationReason> = [.other, .appIssue]
}
