package import StoreDatabase
package import StoreModel
import StoreRules

/// What customers of a storefront read of a product.
package struct CustomerText: Hashable, Sendable {
    /// Nil where its developer has left it empty.
    package let title: String?
    package let description: String
    /// The language of both, and of the prices beside them.
    package let language: String

    /// The best of some texts; nil if there are none.
    ///
    /// - Parameters:
    ///   - language: that of the device.
    ///   - app: whose own language is taken where the storefront has none of the others.
    package init?(
        _ texts: [String: ProductText], readIn language: String, in storefront: StorefrontRecord, of app: CatalogueApp?
    ) {
        let best = TextLanguage.best(
            of: texts.keys.sorted(), for: [language], in: storefront, primary: app?.primaryLanguage ?? "en-US")
        guard let best, let text = texts[best] else { return nil }
        title = text.title.isEmpty ? nil : text.title
        (description, self.language) = (text.description, best)
    }
}

extension Catalogue {
    /// What customers of an environment read of a product; nil if there is nothing to be read.
    package static func text(
        of item: ItemID, readIn language: String, in storefront: StorefrontRecord, of app: CatalogueApp?,
        _ environment: StoreEnvironment, in transaction: any ReadTransaction
    ) throws -> CustomerText? {
        var texts = try ProductPage.texts(of: [item], in: transaction)[item] ?? [:]
        if environment == .sandbox { texts.merge(try textChanges(of: item, in: transaction)) { $1 } }
        return CustomerText(texts, readIn: language, in: storefront, of: app)
    }
}
