/// The number of one version of an app in the store.
public struct AppVersionID: CatalogueIdentifier {
    /// What it is called in errors.
    public static let subject = "app version id"

    /// The number.
    public let number: Int64

    /// An app version id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}
