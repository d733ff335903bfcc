package import StoreModel

/// A product with everything that belongs to it.
package struct ProductDetails: Hashable, Sendable {
    package let product: CatalogueProduct
    /// By language, `zh-Hans`.
    package let texts: [String: ProductText]
    /// By storefront.
    package let prices: [StorefrontCode: Money]
}
