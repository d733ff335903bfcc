package import StoreModel
package import StoreRules

/// A product as one customer can buy it: in the language and the currency of the storefront.
package struct ProductOffer: Hashable, Sendable {
    package let product: CatalogueProduct
    package let title: String
    package let description: String
    /// The language of both.
    package let language: String
    /// What one of it costs.
    package let price: Money
}

/// An id that an app asked for and that cannot be sold.
package struct InvalidProduct: Error, Hashable, Sendable {
    /// As the app wrote it; it may be anything.
    package let id: String
    package let obstacle: ProductObstacle
    /// The id that was probably meant. Only the sandbox looks for it.
    package let nearest: ProductID?
}

/// What can be sold of the ids that were asked for, and what cannot.
package struct CatalogueOffers: Hashable, Sendable {
    /// In the order in which they were asked for, each once.
    package internal(set) var offers: [ProductOffer] = []
    /// In the order in which they were asked for, each once.
    package internal(set) var invalid: [InvalidProduct] = []
}

extension CatalogueOffers {
    /// Nothing of what was asked for, all for one reason.
    package init(nothingOf ids: [String], _ obstacle: ProductObstacle) {
        var seen: Set<String> = []
        invalid = ids.filter { seen.insert($0).inserted }.map {
            InvalidProduct(id: $0, obstacle: obstacle, nearest: nil)
        }
    }
}
