package import StoreCatalogue
import StoreDatabase
package import StoreModel

/// What the page of a visit is about.
extension Visits {
    /// An item of the storefront, or an app that is none, as the person at a device reads it.
    package struct Subject: Sendable {
        package let title: String
        /// Whoever made it.
        package let maker: String?
        package let text: String
        /// The language of title and text, and of the price beside them.
        package let language: String
        /// What it costs by itself; nil if it is not sold by itself there.
        package let price: Money?
        /// What the app that shows the page sells, if the page is its own.
        package let products: [ProductListing]
        /// The canonical link of the page.
        package let link: StoreLink
    }

    /// What the page of a number is about; nil if the store has none.
    func subject(_ storeID: Int64, for scope: DeviceScope) async throws -> Subject? {
        let (reader, storefront) = (StorefrontReader(store), try scope.storefront.known())
        let person = StorefrontReader.Reader(in: storefront, languages: [scope.language], scope: nil)
        let isOwn = storeID == scope.app.number
        let listing = try await reader.listing(storeID, for: person)
        // An app that is no item has a page all the same, and what is sold inside an app is the same either way.
        let app = isOwn || listing == nil ? try await reader.outsideApp(storeID, for: person) : nil
        let products = isOwn ? app?.purchases ?? [] : []
        if let listing {
            return Subject(
                title: listing.title, maker: listing.artist.name, text: listing.description,
                language: listing.language, price: listing.price, products: products,
                link: listing.link(in: storefront))
        }
        return app.map { outside in
            Subject(
                title: outside.app.name, maker: outside.seller.isEmpty ? nil : outside.seller, text: "",
                language: outside.app.primaryLanguage, price: nil, products: products,
                link: StoreLink(.app, named: outside.app.name, storeID: storeID, in: storefront))
        }
    }
}
