package import StoreDatabase
package import StoreModel

/// An app or a product by the number with which links and the store's pages name it.
///
/// Apps and products are numbered in one row, so that a number is one thing only.
package struct StoreItem: Hashable, Sendable {
    package let storeID: Int64
    package let bundleID: BundleID
    /// nil for an app.
    package let productID: ProductID?
    package let name: String
    private let path: String

    package init(_ app: CatalogueApp) {
        (storeID, bundleID, productID, name) = (app.id.number, app.bundleID, nil, app.name)
        path = StoreLink(.app, named: app.name, storeID: app.id.number, in: Self.storefront).path
    }

    private init(_ product: CatalogueProduct, of app: CatalogueApp) {
        (storeID, bundleID, productID) = (product.itemID.number, app.bundleID, product.productID)
        (name, path) = (product.referenceName, Self.path(of: product))
    }

    private init(
        _ item: CatalogueItem, partOf parent: CatalogueItem?, _ product: CatalogueProduct, of shelf: CatalogueApp
    ) {
        (storeID, bundleID, productID) = (item.storeID, shelf.bundleID, product.productID)
        (name, path) = (item.facts.name, item.link(in: Self.storefront, parent: parent).path)
    }

    private static let storefront = StorefrontRecord.storefront(alpha3: "USA")

    /// Where customers find it: on the store's own pages.
    package func link(at address: StoreAddress?) -> String { (address?.description ?? "") + path }

    /// Where customers find a product: on the page of its app.
    package static func link(to product: CatalogueProduct, at address: StoreAddress?) -> String {
        (address?.description ?? "") + path(of: product)
    }

    private static func path(of product: CatalogueProduct) -> String {
        "/us/app/id\(product.appID)?item=\(product.itemID)"
    }

    /// What a number, or a link that has one, is of; nil if there is nothing.
    package static func find(_ text: String, in transaction: any ReadTransaction) throws -> StoreItem? {
        guard let number = number(in: text) else { return nil }
        if let id = try? AppID(number: number), let app = try Catalogue.app(id, in: transaction) {
            return app.isShelf ? nil : StoreItem(app)
        }
        guard let id = try? ItemID(number: number), let product = try Catalogue.product(id, in: transaction),
            product.removedAt == nil || product.awaitsRemoval
        else { return nil }
        let app = try Catalogue.requireApp(product.appID, in: transaction)
        guard app.isShelf, let item = try ItemShelf.item(of: id, in: transaction) else {
            return StoreItem(product, of: app)
        }
        let parent = try item.facts.parent.flatMap { try ItemShelf.item($0, in: transaction) }
        return StoreItem(item, partOf: parent, product, of: app)
    }

    /// What a name is of: a store id or a link that has one, a bundle id, or the id of a product that one app has.
    ///
    /// - Parameter team: whose products are meant by an id; nil for all.
    package static func require(
        _ text: String, of team: TeamID?, in transaction: any ReadTransaction
    ) throws -> StoreItem {
        if let found = try find(text, in: transaction) { return found }
        if let bundle = BundleID(text), let app = try Catalogue.app(bundle, in: transaction), !app.isShelf {
            return StoreItem(app)
        }
        let apps = try ProductID(text).map { try Catalogue.bundles(selling: $0, of: team, in: transaction) } ?? []
        guard apps.count <= 1 else {
            let names = apps.map(\.text).joined(separator: ", ")
            throw CatalogueError(
                .nameUnknown, "several apps have a product \(text): \(names); name it by its store id", field: "storeId"
            )
        }
        guard let bundle = apps.first, let id = ProductID(text),
            let app = try Catalogue.app(bundle, in: transaction),
            let product = try Catalogue.product(id, of: app.id, in: transaction)
        else {
            let meant = NearestName.of(text, among: try names(of: team, in: transaction))
            throw CatalogueError(
                .nameUnknown,
                "there is no app and no product \(text)" + (meant.map { "; did you mean \($0)?" } ?? ""),
                field: "storeId")
        }
        return StoreItem(product, of: app)
    }

    /// Ids of apps and products, of a team or of all, that one may be guessed from.
    private static func names(of team: TeamID?, in transaction: any ReadTransaction) throws -> [String] {
        try transaction.query(
            """
            SELECT bundle_id FROM app WHERE is_shelf = 0 AND ($1 = '' OR team_id = $1)
            UNION SELECT product.product_id FROM product JOIN app ON app.app_id = product.app_id
                WHERE app.is_shelf = 0 AND product.removed_at IS NULL AND ($1 = '' OR app.team_id = $1)
            ORDER BY 1 LIMIT $2
            """, team?.text ?? "", CatalogueLimits.guessedFrom
        ) { try $0.value(0) }
    }

    /// The number of a store id: `1000000007`, or that of a link, `…/id1000000007`, of which an item's own comes first.
    private static func number(in text: String) -> Int64? {
        if let item = text.firstMatch(of: #/[?&](?:item|i)=([0-9]{1,18})(?:&|$)/#) { return Int64(item.1) }
        if let app = text.firstMatch(of: #/(?:^|/)id([0-9]{1,18})(?:[?#/]|$)/#) { return Int64(app.1) }
        return text.wholeMatch(of: #/[0-9]{1,18}/#).flatMap { Int64($0.0) }
    }
}

extension NumberSeries {
    // Those of the catalogue: apps and items share their numbers, as links to their pages do.
    package static let items = NumberSeries("item", from: 1_000_000_001, block: 10)
}
