/// The answer to a request for products.
// Safe: what it holds never changes.
open class SKProductsResponse: NSObject, @unchecked Sendable {
    private let found: [SKProduct]
    private let invalid: [String]

    /// Makes an empty answer.
    public override init() {
        found = []
        invalid = []
        super.init()
    }

    init(_ answer: ProductAnswer) {
        found = answer.products.map(SKProduct.init(record:))
        invalid = answer.invalidIdentifiers
        super.init()
    }

    /// The products that can be sold, one for each identifier that is valid, in no particular order.
    open var products: [SKProduct] { found }

    /// The identifiers that are not known, not for sale, or of another app.
    open var invalidProductIdentifiers: [String] { invalid }
}
