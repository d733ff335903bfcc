/// The number of a customer in one environment.
public struct CustomerID: NumericIdentifier {
    /// What it is called in errors.
    public static let subject = "customer id"

    /// The number.
    public let number: Int64

    /// A customer id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}
