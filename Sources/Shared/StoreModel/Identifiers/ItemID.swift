/// The number of anything else in the store's catalogue: a product of an app, a song, a book.
public struct ItemID: CatalogueIdentifier {
    /// What it is called in errors.
    public static let subject = "item id"

    /// The number.
    public let number: Int64

    /// An item id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}
