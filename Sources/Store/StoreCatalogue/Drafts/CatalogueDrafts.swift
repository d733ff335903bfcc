package import StoreDatabase
package import StoreModel
import StoreRules

/// Changes of what production sells that wait for their publication.
///
/// A live product is never changed directly. The sandbox sells by a change at once, so that it can be tried; production goes on
/// with what was published, until an actor of production publishes the change. What production does not sell yet is changed
/// without a draft.
///
/// One publication is one transaction, has one moment and is one line in the audit of each team.
package enum CatalogueDrafts {
    /// The products of a page, and of one answer.
    package static let page = 50
    /// The products of one publication.
    package static let most = CatalogueLimits.products

    /// Which drafts are meant.
    package struct Choice: Hashable, Sendable {
        /// Nil for all apps that the actor may see.
        package let app: BundleID?
        /// Empty for all products of the app.
        package let products: [ProductID]
        /// The number of the newest change that was looked at; nil if nothing was.
        package let seen: Int64?

        package init(app: BundleID? = nil, products: [ProductID] = [], seen: Int64? = nil) {
            self.app = app
            self.products = products
            self.seen = seen
        }
    }

    /// A product with what waits.
    package struct ProductChanges: Hashable, Sendable {
        package let app: BundleID
        package let product: CatalogueProduct
        /// In the language of the app, else what its developer calls it.
        package let title: String
        /// What goes live when it is published.
        package let differences: [DraftDifference]
        /// What goes live when it is approved.
        package let reviewed: [ReviewedDifference]
        /// Who changed it last; nil without a draft.
        package let author: String?
        /// The number of the change that was made last.
        package let revision: Int64
    }

    /// What a publication did, or would do.
    package struct Publication: Hashable, Sendable {
        package let at: Instant
        package let products: [ProductChanges]

        package var count: Int { products.reduce(0) { $0 + $1.differences.count } }
    }

    // MARK: Reading

    /// How many products have something to be published, of a team or of all.
    package static func count(of team: TeamID?, in transaction: any ReadTransaction) throws -> Int {
        try transaction.value(
            """
            SELECT count(*) FROM published_product JOIN product ON product.item_id = published_product.item_id
                JOIN app ON app.app_id = product.app_id WHERE $1 = '' OR app.team_id = $1
            """, team?.text ?? "", as: Int.self)
    }

    /// A page of what waits for its publication or for its approval, after one product; as many statements, whatever waits.
    package static func list(
        of team: TeamID?, app: BundleID? = nil, after last: ProductPath? = nil, limit: Int = page,
        in transaction: any ReadTransaction
    ) throws -> DraftPage {
        let lines = try lines(of: team, app: app, after: last, isWhole: true, limit: limit + 1, in: transaction)
        let shown = Array(lines.prefix(limit))
        return DraftPage(
            products: try changes(of: shown, in: transaction), count: try count(of: team, in: transaction),
            next: lines.count > limit ? shown.last.map { ProductPath($0.bundle, $0.product.productID) } : nil,
            seen: try CatalogueAudit.last(in: transaction))
    }

    /// A draft in a list: the product, its app, and what the draft was made by.
    struct Line {
        let product: CatalogueProduct
        let bundle: BundleID
        let team: TeamID
        let author: String?
        let revision: Int64
    }

    /// The products with drafts of either half, in order of apps and ids.
    ///
    /// - Parameter isWhole: whether those are listed too of which only texts and pictures wait for a review.
    static func lines(
        of team: TeamID?, app: BundleID?, after last: ProductPath? = nil, isWhole: Bool, limit: Int,
        in transaction: any ReadTransaction
    ) throws -> [Line] {
        try transaction.query(
            """
            SELECT \(CatalogueProduct.columns),
                (SELECT app.bundle_id FROM app WHERE app.app_id = product.app_id) AS bundle,
                (SELECT app.team_id FROM app WHERE app.app_id = product.app_id),
                (SELECT draft.drafted_by FROM published_product AS draft WHERE draft.item_id = product.item_id),
                (SELECT draft.revision FROM published_product AS draft WHERE draft.item_id = product.item_id)
            FROM product WHERE product.item_id IN (
                SELECT item_id FROM published_product
                UNION SELECT item_id FROM product_text_change WHERE $5 = 1
                UNION SELECT item_id FROM product_image_change WHERE $5 = 1
                UNION SELECT item.item_id FROM item_change JOIN item ON item.store_id = item_change.store_id
                WHERE $5 = 1
            ) AND EXISTS (
                SELECT 1 FROM app WHERE app.app_id = product.app_id AND ($1 = '' OR app.team_id = $1)
                    AND ($2 = '' OR app.bundle_id = $2)
                    AND (app.bundle_id > $3 OR app.bundle_id = $3 AND product.product_id > $4)
            )
            ORDER BY bundle, product.product_id LIMIT $6
            """, team?.text ?? "", app?.text ?? "", last?.app.text ?? "", last?.product.text ?? "", isWhole, limit
        ) { row in
            var cells = row.cells
            return try Line(
                product: CatalogueProduct(&cells), bundle: cells.next(), team: cells.next(),
                author: cells.next(), revision: cells.next(as: Int64?.self) ?? 0)
        }
    }

    /// What waits of some products; as many statements, however many these are.
    static func changes(
        of lines: [Line], in transaction: any ReadTransaction
    ) throws -> [ProductChanges] {
        let ids = lines.map(\.product.itemID)
        let drafted = lines.filter { $0.product.draftedAt != nil }.map(\.product.itemID)
        let published = try ProductEditions.list(of: drafted, in: .published, transaction)
        let newest = try ProductEditions.list(of: drafted, in: .newest, transaction)
        let titles = try Catalogue.titles(of: ids, in: transaction)
        let reviewed = try ReviewedDifference.list(of: ids, in: transaction)
        return lines.map { line in
            let item = line.product.itemID
            let differences = newest[item].flatMap { new in published[item].map { new.differences(from: $0) } }
            let title = titles[item].flatMap { $0.isEmpty ? nil : $0 }
            return ProductChanges(
                app: line.bundle, product: line.product, title: title ?? line.product.referenceName,
                differences: differences ?? [], reviewed: reviewed[item] ?? [], author: line.author,
                revision: line.revision)
        }
    }
}
