package import StoreDatabase
package import StoreModel
import StoreRules

/// How much of all apps waits for a reviewer or is in review.
package struct ReviewLoad: Hashable, Sendable {
    /// A version of an app.
    package struct Version: Hashable, Sendable {
        package let bundle: BundleID
        package let version: String
    }

    package let products: Int
    /// The oldest first.
    package let versions: [Version]

    private static let most = 20

    package init(in transaction: any ReadTransaction) throws {
        products = try ProductReviews.queueCount(of: nil, in: transaction)
        versions = try transaction.query(
            """
            SELECT app.bundle_id, app_version.version FROM app_version JOIN app ON app.app_id = app_version.app_id
            WHERE app_version.state IN ($1, $2) ORDER BY app_version.changed_at, app_version.version LIMIT $3
            """, AppVersionState.waitingForReview, AppVersionState.inReview, Self.most
        ) { row in
            var cells = row.cells
            return try Version(bundle: cells.next(), version: cells.next())
        }
    }
}

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
