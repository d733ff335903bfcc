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

    /// Gives back a text that keeps within a length and a set of ASCII characters.
    static func checked(
        _ text: some StringProtocol, longest: Int, rule: String, allows: (Unicode.Scalar) -> Bool
    ) throws(InvalidValue) -> String {
        let text = String(text)
        // What is read from a database comes by here for each row: no rule allows what is not ASCII.
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
