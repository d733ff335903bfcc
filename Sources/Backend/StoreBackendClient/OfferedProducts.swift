public import StoreModel

/// The products that the developer's own server offers to this version of the app.
///
/// The app asks the store for the prices of those that it wants to show, and sells what the store knows.
public struct OfferedProducts: Hashable, Sendable {
    /// The version of the list; it grows with each that is published.
    public let version: Int
    /// The products, in the order in which they are to be shown.
    public let products: [OfferedProduct]
    /// Why the server could not say whether this list is still the newest; nil if it did.
    public let staleness: BackendClientError?

    /// Whether the list is the one that was kept, because the server could not be asked.
    public var isOffline: Bool { staleness != nil }

    /// The ids, as the store is asked for them.
    public var identifiers: Set<String> { Set(products.map(\.productId.text)) }

    init(_ answer: ProductListAnswer, staleness: BackendClientError? = nil) {
        version = answer.version
        products = answer.products
        self.staleness = staleness
    }

    /// The product with an id.
    public subscript(_ identifier: String) -> OfferedProduct? { products.first { $0.productId.text == identifier } }

    /// Those that an earlier list did not have.
    public func added(since earlier: OfferedProducts) -> [OfferedProduct] {
        let known = earlier.identifiers
        return products.filter { !known.contains($0.productId.text) }
    }
}
