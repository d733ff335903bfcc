/// The id of a transaction, also of the original one of a subscription or restore.
public struct TransactionID: EnvironmentIdentifier {
    /// What it is called in errors.
    public static let subject = "transaction id"

    /// The number.
    public let number: Int64

    /// A transaction id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}
