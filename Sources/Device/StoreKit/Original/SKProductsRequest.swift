/// A request for what the storefront says of products: their names, their texts and their prices.
// Safe: the identifiers never change.
open class SKProductsRequest: SKRequest, @unchecked Sendable {
    private let productIdentifiers: Set<String>

    /// Makes a request for the products of these identifiers.
    public init(productIdentifiers: Set<String>) {
        self.productIdentifiers = productIdentifiers
        super.init()
    }

    /// The object that is told of the products and how the request ends; not retained.
    // It has the narrower type that it has on Apple's platforms, where protocols ask for it and delegates are read back. The
    // value is that of SKRequest, whose property the compiler takes only where this one does not fit.
    @_nonoverride
    weak open var delegate: (any SKProductsRequestDelegate)? {
        get { (self as SKRequest).delegate as? any SKProductsRequestDelegate }
        set { (self as SKRequest).delegate = newValue }
    }

    /// Makes a request for no products.
    public override init() {
        productIdentifiers = []
        super.init()
    }

    override var listener: (any SKRequestDelegate)? {
        let own: (any SKProductsRequestDelegate)? = delegate
        return own ?? super.listener
    }

    override func makeWork() -> (@Sendable () async -> Answer)? {
        let identifiers = productIdentifiers
        guard !identifiers.isEmpty else { return { .products(ProductAnswer(products: [])) } }
        let session = CurrentSession.session
        return {
            do throws(SessionFailure) {
                return .products(try await session.products(for: identifiers))
            } catch {
                return .failure(SKError(error))
            }
        }
    }
}

/// What is told the answer to a request for products.
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The store has answered; ``SKRequestDelegate/requestDidFinish(_:)`` follows.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}

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
