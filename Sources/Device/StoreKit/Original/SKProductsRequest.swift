/// A request for what the storefront says of products: their names, their texts and their prices.
// Safe: the identifiers never change.
open class SKProductsRequest: SKRequest, @unchecked Sendable {
    private let productIdentifiers: Set<String>

    /// Makes a request for the products of these identifiers.
    public init(productIdentifiers: Set<String>) {
        self.productIdentifiers = productIdentifiers
        super.init()
    }

    /// Makes a request for no products.
    public override init() {
        productIdentifiers = []
        super.init()
    }

    override func makeWork() -> (@Sendable () async -> Answer)? {
        let identifiers = productIdentifiers
        guard !identifiers.isEmpty else { return { .products(ProductAnswer(products: [])) } }
        let session = CurrentSession.session
        return {
            do throws(SKError) {
                return .products(try await session.products(for: identifiers))
            } catch {
                return .failure(error)
            }
        }
    }
}
