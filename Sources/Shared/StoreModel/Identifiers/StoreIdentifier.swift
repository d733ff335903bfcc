/// An identifier of the store: a value of its own type, with one text form that is read strictly.
///
/// Two identifiers of different kinds cannot be mixed up, and one that was parsed is known to keep its rules. Text is
/// never trimmed or corrected: what was read is what will be written.
public protocol StoreIdentifier: Codable, CustomStringConvertible, Hashable, LosslessStringConvertible, Sendable {
    /// What the identifier is called in errors, "product id".
    static var subject: String { get }

    /// Reads the text form, and says which rule a wrong one breaks.
    init(parsing text: some StringProtocol) throws(InvalidValue)
}

extension StoreIdentifier {
    /// Reads the text form; nil where ``init(parsing:)`` would say what is wrong.
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
