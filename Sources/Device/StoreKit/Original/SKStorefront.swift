import StoreModel

/// The part of the store that serves a country.
// Safe: what it holds never changes.
open class SKStorefront: NSObject, @unchecked Sendable {
    private let value: StorefrontAnswer?

    /// Makes a storefront of no country, to be subclassed in tests.
    public override init() {
        value = nil
        super.init()
    }

    init(_ value: StorefrontAnswer) {
        self.value = value
        super.init()
    }

    /// The country in three letters, `USA` for example.
    open var countryCode: String { value?.countryCode.rawValue ?? "" }

    /// The number of the storefront, `143441` for example.
    open var identifier: String { value?.id.description ?? "" }
}
