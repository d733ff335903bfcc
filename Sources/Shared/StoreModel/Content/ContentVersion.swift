/// The version of hosted content: numbers joined by periods, `1.0` or `1.2.10`. Versions are compared number by number, and
/// a number that is missing is 0.
public struct ContentVersion: StoreIdentifier, Comparable {
    /// What it is called in errors.
    public static let subject = "content version"
    /// The first version that content may have.
    // Safe: the text is a constant that keeps to the rule; a test reads it.
    package static let first = try! ContentVersion(parsing: "1.0")
    package static let mostNumbers = 4
    package static let mostDigits = 6

    /// As it was written.
    public let text: String
    private let numbers: [Int]

    /// Reads a version.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        let text = String(text)
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isNumber: (Substring) -> Bool = {
            (1...Self.mostDigits).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard (1...Self.mostNumbers).contains(parts.count), parts.allSatisfy(isNumber) else {
            throw InvalidValue(
                subject: Self.subject, value: text,
                rule:
                    "is 1 to \(Self.mostNumbers) numbers of up to \(Self.mostDigits) digits, joined by periods, as in 1.0"
            )
        }
        self.text = text
        numbers = parts.compactMap { Int($0) }
    }

    /// As it was written.
    public var description: String { text }

    private var significant: ArraySlice<Int> {
        numbers[...(numbers.lastIndex { $0 != 0 } ?? 0)]
    }

    /// Whether two versions are the same; 1.0 and 1 are.
    public static func == (one: ContentVersion, other: ContentVersion) -> Bool { one.significant == other.significant }

    /// Whether a version is older than another.
    public static func < (lower: ContentVersion, higher: ContentVersion) -> Bool {
        lower.significant.lexicographicallyPrecedes(higher.significant)
    }

    /// Hashes the numbers.
    public func hash(into hasher: inout Hasher) { hasher.combine(significant) }
}
