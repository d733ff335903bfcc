/// The id of an order, as it stands in the mail to the customer.
public struct OrderID: TextIdentifier {
    /// What it is called in errors.
    public static let subject = "order id"
    /// The most characters it can have.
    public static let longest = 32

    /// The identifier as text.
    public let text: String

    /// Reads up to ``longest`` capital letters and digits.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        self.text = try Self.checked(
            text, longest: Self.longest, rule: "has only capital letters and digits, and at least one"
        ) { ("A"..."Z").contains($0) || ("0"..."9").contains($0) }
    }
}
