/// The number of an app in the store, as it stands in links to its page.
public struct AppID: CatalogueIdentifier {
    /// What it is called in errors.
    public static let subject = "app id"

    /// The number.
    public let number: Int64

    /// An app id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}
