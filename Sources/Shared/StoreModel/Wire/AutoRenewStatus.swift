/// Whether a subscription will renew.
public struct AutoRenewStatus: WireValue {
    /// The value on the wire.
    public let rawValue: Int

    /// Any value, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// It ends with its period.
    public static let off = AutoRenewStatus(rawValue: 0)
    /// It renews at the end of its period.
    public static let on = AutoRenewStatus(rawValue: 1)

    /// The values that this version knows.
    public static let known: Set<AutoRenewStatus> = [.off, .on]
}
