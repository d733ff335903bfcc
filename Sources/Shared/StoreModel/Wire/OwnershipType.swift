/// How the customer came to own the product.
public struct OwnershipType: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The customer bought it.
    public static let purchased = OwnershipType(rawValue: "PURCHASED")
    /// A member of the family bought it.
    public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")

    /// The values that this version knows.
    public static let known: Set<OwnershipType> = [.purchased, .familyShared]
}
