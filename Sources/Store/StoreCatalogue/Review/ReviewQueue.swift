package import StoreDatabase
package import StoreModel

extension ProductReviews {
    /// A product that waits for a reviewer or is in review, with what its line in a list shows.
    package struct Waiting: Hashable, Sendable {
        package let product: CatalogueProduct
        package let app: CatalogueApp
        /// The content that is reviewed with it: the one that the sandbox delivers.
        package let content: HostedContent?
    }

    /// The same as ``queue(of:limit:in:)``, with apps and content; as many statements, however many products there are.
    package static func waiting(
        of team: TeamID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [Waiting] {
        let products = try queue(of: team, limit: limit, in: transaction)
        let apps = try Catalogue.apps(all: products.map(\.appID), in: transaction)
        let contents = try HostedContent.list(
            ofItems: products.filter(\.hostsContent).map(\.itemID), in: transaction)
        return products.compactMap { product in
            guard let app = apps[product.appID] else { return nil }
            return Waiting(
                product: product, app: app, content: contents[product.itemID]?.first { $0.isKept(in: .sandbox) })
        }
    }
}
