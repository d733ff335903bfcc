/// The number of a storefront, 143441 for the United States.
public struct StorefrontID: NumericIdentifier {
    /// What it is called in errors.
    public static let subject = "storefront id"

    /// The number.
    public let number: Int64

    /// A storefront id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }

    /// What is known of this storefront; nil for one the store has opened since.
    public var storefront: StorefrontRecord? { StorefrontRecord.storefront(id: self) }
}
