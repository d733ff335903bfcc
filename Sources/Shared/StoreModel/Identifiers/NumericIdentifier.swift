/// An identifier that is a number, written as a decimal string.
///
/// Numbers are 0 to `Int64.max`, so that every database can hold them; text has no sign, spaces or leading zeros.
public protocol NumericIdentifier: StoreIdentifier, Comparable {
    /// The number.
    var number: Int64 { get }

    /// An identifier by its number; a negative number is refused.
    init(number: Int64) throws(InvalidValue)
}

extension NumericIdentifier {
    /// Reads a decimal number.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        var reader = TextReader(text)
        guard let number = reader.number(), reader.isAtEnd else {
            throw InvalidValue(subject: Self.subject, value: text, rule: Self.rule(brokenBy: text))
        }
        try self.init(number: number)
    }

    /// The number in decimal.
    public var description: String { String(number) }

    /// Orders identifiers by number.
    public static func < (lower: Self, higher: Self) -> Bool { lower.number < higher.number }

    /// Gives back a number that is in bounds.
    static func checked(_ number: Int64) throws(InvalidValue) -> Int64 {
        guard number >= 0 else {
            throw InvalidValue(.outOfRange, subject: subject, value: String(number), rule: "is not negative")
        }
        return number
    }

    /// People often give the bundle id where the store wants its own number; the error then says so.
    private static func rule(brokenBy text: some StringProtocol) -> String {
        let isBundleID = text.contains(".") && (try? BundleID(parsing: text)) != nil
        return isBundleID
            ? "is a decimal number; this is a bundle id, and the store's number stands beside it in the console"
            : "is a decimal number up to \(Int64.max), without sign, spaces or leading zeros"
    }
}
