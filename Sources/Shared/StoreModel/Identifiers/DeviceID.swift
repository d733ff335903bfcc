/// The number of a registered device in one environment.
public struct DeviceID: NumericIdentifier {
    /// What it is called in errors.
    public static let subject = "device id"

    /// The number.
    public let number: Int64

    /// A device id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}
