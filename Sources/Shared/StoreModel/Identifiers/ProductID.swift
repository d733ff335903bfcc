/// The id of a product inside an app, chosen by its developer and never used again.
public struct ProductID: TextIdentifier {
    /// What it is called in errors.
    public static let subject = "product id"
    /// The most characters it can have.
    public static let longest = 100

    /// The identifier as text.
    public let text: String

    /// Reads up to ``longest`` letters, digits, periods and underscores.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        self.text = try Self.checked(
            text, longest: Self.longest, rule: "has only letters, digits, periods and underscores, and at least one"
        ) { $0.isASCIIAlphanumeric || $0 == "." || $0 == "_" }
    }
}
