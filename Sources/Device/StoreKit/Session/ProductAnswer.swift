/// What a look-up of products found.
package struct ProductAnswer: Sendable {
    package var products: [ProductRecord]
    /// The identifiers that the app cannot sell.
    package var invalidIdentifiers: [String]

    package init(products: [ProductRecord], invalidIdentifiers: [String] = []) {
        self.products = products
        self.invalidIdentifiers = invalidIdentifiers
    }
}
