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
