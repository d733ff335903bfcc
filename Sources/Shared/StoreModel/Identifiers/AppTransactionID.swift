/// The id of a customer's download of an app: the same for one customer and app, whatever they buy in it.
public struct AppTransactionID: EnvironmentIdentifier {
    /// What it is called in errors.
    public static let subject = "app transaction id"

    /// The number.
    public let number: Int64

    /// An app transaction id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}
