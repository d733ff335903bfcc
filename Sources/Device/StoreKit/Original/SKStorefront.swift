/// The part of the store that serves a country.
// Safe: what it holds never changes.
open class SKStorefront: NSObject, @unchecked Sendable {
    private let value: StorefrontValue

    /// Makes a storefront of no country, to be subclassed in tests.
    public override init() {
        value = StorefrontValue(countryCode: "", identifier: "")
        super.init()
    }

    init(_ value: StorefrontValue) {
        self.value = value
        super.init()
    }

    /// The country in three letters, `USA` for example.
    open var countryCode: String { value.countryCode }

    /// The number of the storefront, `143441` for example.
    open var identifier: String { value.identifier }
}
