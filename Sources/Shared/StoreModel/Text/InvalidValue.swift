/// A value that breaks the rule of its type: what was read, what came, and which rule it broke.
///
/// The description is safe to log: the offending value is cut to ``longestExcerpt`` characters, and everything in it
/// that is not printable ASCII is escaped.
public struct InvalidValue: Error, Hashable, Sendable {
    /// What kind of rule was broken, for callers that decide by it.
    public struct Code: Hashable, Sendable {
        /// The name of the code, as it appears in answers of our own interfaces.
        public let name: String

        /// The text does not have the form of its type.
        public static let malformed = Code(name: "malformed")
        /// The form is right, but the value lies outside the bounds of its type.
        public static let outOfRange = Code(name: "out_of_range")
        /// The form is right, but the name is unknown.
        public static let unknown = Code(name: "unknown")
    }

    /// The most characters of the offending value that an error keeps.
    public static let longestExcerpt = 64

    /// What kind of rule was broken.
    public let code: Code
    /// The thing that was read, in words: "product id", "amount".
    public let subject: String
    /// The offending value, truncated and escaped.
    public let excerpt: String
    /// The rule that was broken, as a sentence without its full stop: "has at most 100 characters".
    public let rule: String

    /// Describes a value that breaks a rule.
    ///
    /// - Parameters:
    ///   - code: what is wrong, for programs.
    ///   - subject: the thing that was read, in words.
    ///   - value: the offending value as it came; it is truncated and escaped here.
    ///   - rule: continues the subject to a sentence: "has at most 100 characters".
    public init(_ code: Code = .malformed, subject: String, value: some StringProtocol, rule: String) {
        self.code = code
        self.subject = subject
        self.excerpt = Self.excerpt(of: value)
        self.rule = rule
    }

    private static func excerpt(of value: some StringProtocol) -> String {
        var excerpt = ""
        var count = 0
        for scalar in value.unicodeScalars {
            guard count < longestExcerpt else {
                excerpt += "..."
                break
            }
            count += 1
            switch scalar {
            case "\"", "\\": excerpt += "\\" + String(scalar)
            case " "..."~": excerpt.unicodeScalars.append(scalar)
            default: excerpt += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
        return excerpt
    }
}

extension InvalidValue: CustomStringConvertible {
    /// One line that names the thing, the value and the rule; safe to log.
    public var description: String {
        "invalid \(subject) \"\(excerpt)\": it \(rule)"
    }
}

extension InvalidValue {
    /// The same error as a decoder reports it, with the place in the document; the error itself is the underlying one.
    func decodingError(at codingPath: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: description, underlyingError: self))
    }
}
