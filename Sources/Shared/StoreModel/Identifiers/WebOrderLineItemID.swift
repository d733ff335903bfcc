/// The id of one period of a subscription: each renewal has a new one, on every device the same.
public struct WebOrderLineItemID: EnvironmentIdentifier {
    /// What it is called in errors.
    public static let subject = "web order line item id"

    /// The number.
    public let number: Int64

    /// A line item id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}
