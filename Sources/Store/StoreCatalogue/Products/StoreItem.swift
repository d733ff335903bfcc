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
    private let appID: AppID

    package init(_ app: CatalogueApp) {
        (storeID, bundleID, productID, name, appID) = (app.id.number, app.bundleID, nil, app.name, app.id)
    }

    private init(_ product: CatalogueProduct, of app: CatalogueApp) {
        (storeID, bundleID, productID) = (product.itemID.number, app.bundleID, product.productID)
        (name, appID) = (product.referenceName, app.id)
    }

    /// Where customers find it: on the store's own pages.
    package func link(at address: StoreAddress?) -> String {
        Self.link(app: appID, named: productID == nil ? name : nil, item: productID == nil ? nil : storeID, address)
    }

    /// Where customers find a product: on the page of its app.
    package static func link(to product: CatalogueProduct, at address: StoreAddress?) -> String {
        link(app: product.appID, named: nil, item: product.itemID.number, address)
    }

    private static func link(app: AppID, named name: String?, item: Int64?, _ address: StoreAddress?) -> String {
        let words = (name ?? "").lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        let slug = words.isEmpty ? "" : words.joined(separator: "-") + "/"
        return "\(address?.description ?? "")/us/app/\(slug)id\(app)\(item.map { "?item=\($0)" } ?? "")"
    }

    /// What a number, or a link that has one, is of; nil if there is nothing.
    package static func find(_ text: String, in transaction: any ReadTransaction) throws -> StoreItem? {
        guard let number = number(in: text) else { return nil }
        if let id = try? AppID(number: number), let app = try Catalogue.app(id, in: transaction) {
            return StoreItem(app)
        }
        guard let id = try? ItemID(number: number), let product = try Catalogue.product(id, in: transaction),
            product.removedAt == nil
        else { return nil }
        return StoreItem(product, of: try Catalogue.requireApp(product.appID, in: transaction))
    }

    /// What a name is of: a store id or a link that has one, a bundle id, or the id of a product that one app has.
    ///
    /// - Parameter team: whose products are meant by an id; nil for all.
    package static func require(
        _ text: String, of team: TeamID?, in transaction: any ReadTransaction
    ) throws -> StoreItem {
        if let found = try find(text, in: transaction) { return found }
        if let bundle = BundleID(text), let app = try Catalogue.app(bundle, in: transaction) { return StoreItem(app) }
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
            SELECT bundle_id FROM app WHERE $1 = '' OR team_id = $1
            UNION SELECT product.product_id FROM product JOIN app ON app.app_id = product.app_id
                WHERE product.removed_at IS NULL AND ($1 = '' OR app.team_id = $1)
            ORDER BY 1 LIMIT $2
            """, team?.text ?? "", CatalogueLimits.guessedFrom
        ) { try $0.value(0) }
    }

    /// The number of a store id: `1000000007`, or that of a link, `…/id1000000007`, of which an item's own comes first.
    private static func number(in text: String) -> Int64? {
        if let item = text.firstMatch(of: #/[?&]item=([0-9]{1,18})(?:&|$)/#) { return Int64(item.1) }
        if let app = text.firstMatch(of: #/(?:^|/)id([0-9]{1,18})(?:[?#/]|$)/#) { return Int64(app.1) }
        return text.wholeMatch(of: #/[0-9]{1,18}/#).flatMap { Int64($0.0) }
    }
}

extension NumberSeries {
    // Those of the catalogue: apps and items share their numbers, as links to their pages do.
    package static let items = NumberSeries("item", from: 1_000_000_001, block: 10)
}
