/// An identifier that people choose: a short ASCII text with a rule of its own.
public protocol TextIdentifier: StoreIdentifier, Comparable {
    /// The identifier as text.
    var text: String { get }
}

extension TextIdentifier {
    /// The identifier as text.
    public var description: String { text }

    /// Orders identifiers by their bytes.
    public static func < (lower: Self, higher: Self) -> Bool { lower.text < higher.text }

    /// Returns a text that keeps within a length and a set of ASCII characters.
    static func checked(
        _ text: some StringProtocol, longest: Int, rule: String, allows: (Unicode.Scalar) -> Bool
    ) throws(InvalidValue) -> String {
        let text = String(text)
        // This runs for each row of a database. No rule allows other than ASCII.
        guard !text.utf8.isEmpty, text.utf8.allSatisfy({ $0 < 0x80 && allows(Unicode.Scalar($0)) }) else {
            throw InvalidValue(subject: subject, value: text, rule: rule)
        }
        guard text.utf8.count <= longest else {
            throw InvalidValue(.outOfRange, subject: subject, value: text, rule: "has at most \(longest) characters")
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether this is a letter or digit of ASCII.
    var isASCIIAlphanumeric: Bool {
        switch self {
        case "A"..."Z", "a"..."z", "0"..."9": true
        default: false
        }
    }
}

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

/// The id of a product inside an app, chosen by its developer and never used again.
public struct ProductID: TextIdentifier {
    /// What it is called in errors.
    public static let subject = "product id"
    /// The most characters it can have.
    public static let longest = 100

    /// The identifier as text.
    public let text: String

    /// Reads up to ``longest`` letters, digits, periods, underscores and hyphens.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        self.text = try Self.checked(
            text, longest: Self.longest,
            rule: "has only letters, digits, periods, underscores and hyphens, and at least one"
        ) { $0.isASCIIAlphanumeric || [".", "_", "-"].contains($0) }
    }
}

/// The id of a subscription group: decimal from the store, hexadecimal or a name from a local test file.
public struct SubscriptionGroupID: TextIdentifier {
    /// What it is called in errors.
    public static let subject = "subscription group id"
    /// The most characters it can have.
    public static let longest = 64

    /// The identifier as text.
    public let text: String

    /// Reads up to ``longest`` letters, digits, periods, underscores and hyphens.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        self.text = try Self.checked(
            text, longest: Self.longest,
            rule: "has only letters, digits, periods, underscores and hyphens, and at least one"
        ) { $0.isASCIIAlphanumeric || [".", "_", "-"].contains($0) }
    }
}

/// The short name of a team of developers.
public struct TeamID: TextIdentifier {
    /// What it is called in errors.
    public static let subject = "team id"
    /// The most characters it can have.
    public static let longest = 30

    /// The identifier as text.
    public let text: String

    /// Reads up to ``longest`` lowercase letters, digits and hyphens, as in `my-team`.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        self.text = try Self.checked(
            text, longest: Self.longest, rule: "has only lowercase letters, digits and hyphens, as in my-team"
        ) { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" }
    }
}

/// The id of an order, as in the mail to the customer.
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
