/// The id of an app among programs: parts of letters, digits and hyphens, joined by periods.
///
/// A wildcard (`com.example.*`) is a pattern of a provisioning profile, not a bundle id.
public struct BundleID: TextIdentifier {
    /// What it is called in errors.
    public static let subject = "bundle id"
    /// The most characters it can have.
    public static let longest = 155

    /// The identifier as text.
    public let text: String

    /// Reads up to ``longest`` letters, digits, hyphens and periods; no part between periods is empty.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        let rule = "has only letters, digits, hyphens and periods, with something on both sides of each period"
        self.text = try Self.checked(text, longest: Self.longest, rule: rule) {
            $0.isASCIIAlphanumeric || $0 == "-" || $0 == "."
        }
        var previous = UInt8(ascii: ".")
        for byte in self.text.utf8 {
            guard byte != UInt8(ascii: ".") || previous != byte else {
                throw InvalidValue(subject: Self.subject, value: text, rule: rule)
            }
            previous = byte
        }
        guard previous != UInt8(ascii: ".") else { throw InvalidValue(subject: Self.subject, value: text, rule: rule) }
    }
}
