/// The number of a purchase: an attempt to buy, whether or not a transaction came of it.
public struct PurchaseID: NumericIdentifier {
    /// What it is called in errors.
    public static let subject = "purchase id"

    /// The number.
    public let number: Int64

    /// A purchase id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}
