/// The id of a subscription group: decimal where the store gave it out, hexadecimal where a local test file did.
public struct SubscriptionGroupID: TextIdentifier {
    /// What it is called in errors.
    public static let subject = "subscription group id"
    /// The most characters it can have.
    public static let longest = 64

    /// The identifier as text.
    public let text: String

    /// Reads up to ``longest`` letters and digits.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        self.text = try Self.checked(
            text, longest: Self.longest, rule: "has only letters and digits, and at least one"
        ) { $0.isASCIIAlphanumeric }
    }
}
