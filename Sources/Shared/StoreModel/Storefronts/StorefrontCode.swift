/// A storefront as a payload names it, by three letters; it may be one that this version does not know.
public struct StorefrontCode: WireValue {
    /// The code on the wire.
    public let rawValue: String

    /// Any code, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The code of a storefront.
    public init(_ storefront: StorefrontRecord) {
        rawValue = storefront.alpha3
    }

    /// What is known of the storefront; nil for one the store has opened since.
    public var storefront: StorefrontRecord? { StorefrontRecord.storefront(alpha3: rawValue) }

    /// The codes that this version knows.
    public static let known = Set(StorefrontRecord.all.map(StorefrontCode.init))
}
