/// An identifier of the store: a value of its own type, with one text form that is read strictly.
///
/// Identifiers of different kinds cannot be mixed up, and a parsed one keeps its rules. Text is never trimmed or
/// corrected: it is written as it was read.
public protocol StoreIdentifier: Codable, CustomStringConvertible, Hashable, LosslessStringConvertible, Sendable {
    /// What the identifier is called in errors, "product id".
    static var subject: String { get }

    /// Reads the text form; throws the rule that a wrong one breaks.
    init(parsing text: some StringProtocol) throws(InvalidValue)
}

extension StoreIdentifier {
    /// Reads the text form; nil if ``init(parsing:)`` would throw.
    public init?(_ description: String) {
        guard let identifier = try? Self(parsing: description) else { return nil }
        self = identifier
    }

    /// Reads the text form from a JSON string.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        do {
            try self.init(parsing: text)
        } catch {
            throw error.decodingError(at: decoder.codingPath)
        }
    }

    /// Writes the text form as a JSON string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// A number of the store's catalogue, written as a JSON number.
public protocol CatalogueIdentifier: NumericIdentifier {}

extension CatalogueIdentifier {
    /// Reads a JSON integer.
    public init(from decoder: any Decoder) throws {
        let number = try decoder.singleValueContainer().decode(Int64.self)
        do {
            try self.init(number: number)
        } catch {
            throw error.decodingError(at: decoder.codingPath)
        }
    }

    /// Writes a JSON integer.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

/// A number whose range shows its environment, as in the App Store.
///
/// Numbers outside both ranges, from another store or from long ago, are valid but have no environment here: they
/// survive a round trip, and ``environment`` is nil.
public protocol EnvironmentIdentifier: NumericIdentifier {}

extension EnvironmentIdentifier {
    /// The range of an environment.
    ///
    /// Sandbox numbers have 16 digits and start with 2, the first billion of them with 2000000; production numbers have
    /// 15 digits.
    public static func numbers(in environment: StoreEnvironment) -> ClosedRange<Int64> {
        switch environment {
        case .production: 170_000_000_000_000...999_999_999_999_999
        case .sandbox: 2_000_000_000_000_000...2_999_999_999_999_999
        }
    }

    /// The environment of this number; nil for one of another store.
    public var environment: StoreEnvironment? {
        StoreEnvironment.allCases.first { Self.numbers(in: $0).contains(number) }
    }
}
