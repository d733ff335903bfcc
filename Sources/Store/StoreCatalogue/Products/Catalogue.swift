package import StoreDatabase
package import StoreModel

/// What both environments sell: apps and their products.
///
/// All of it are synchronous functions over a transaction of the catalogue's database.
package enum Catalogue {}

extension Catalogue {
    /// A product of an app as an environment sells it, also one that was removed.
    package static func product(
        _ id: ProductID, of app: AppID, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> CatalogueProduct? {
        try product(id, of: app, in: transaction).map { try sold($0, in: environment, transaction) }
    }

    /// A product by its number as an environment sells it, also one that was removed.
    package static func product(
        _ id: ItemID, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> CatalogueProduct? {
        try product(id, in: transaction).map { try sold($0, in: environment, transaction) }
    }

    private static func sold(
        _ product: CatalogueProduct, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> CatalogueProduct {
        product.published(
            by: try ProductEditions.published(of: [product], in: environment, transaction)[product.itemID])
    }

    /// A product of an app, also one that was removed.
    package static func product(
        _ id: ProductID, of app: AppID, in transaction: any ReadTransaction
    ) throws -> CatalogueProduct? {
        try transaction.optional(
            "SELECT \(CatalogueProduct.columns) FROM product WHERE app_id = $1 AND product_id = $2", app, id,
            row: CatalogueProduct.init)
    }

    /// A product by its number, also one that was removed.
    package static func product(_ id: ItemID, in transaction: any ReadTransaction) throws -> CatalogueProduct? {
        try transaction.optional(
            "SELECT \(CatalogueProduct.columns) FROM product WHERE item_id = $1", id, row: CatalogueProduct.init)
    }

    /// The products of these numbers, also those that were removed.
    package static func products(
        all ids: some Sequence<ItemID>, in transaction: any ReadTransaction
    ) throws -> [ItemID: CatalogueProduct] {
        let found = try transaction.query(
            "SELECT \(CatalogueProduct.columns) FROM product WHERE item_id IN \(.numbers)", of: ids,
            row: CatalogueProduct.init)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.itemID, $0) })
    }

    /// The apps that have a product of this id.
    package static func bundles(
        selling id: ProductID, of team: TeamID? = nil, in transaction: any ReadTransaction
    ) throws -> [BundleID] {
        try transaction.query(
            """
            SELECT app.bundle_id FROM product JOIN app ON app.app_id = product.app_id
            WHERE product.product_id = $1 AND (product.removed_at IS NULL OR product.drafted_at IS NOT NULL)
                AND ($2 = '' OR app.team_id = $2)
            ORDER BY app.bundle_id LIMIT 10
            """, id, team?.text ?? ""
        ) { try $0.value(0) }
    }

    /// The ids of products of these apps as an environment sells them, in their order, so many of all of them at most; without
    /// those that it does not have any more.
    package static func productIDs(
        ofApps ids: some Sequence<AppID>, limit: Int, in environment: StoreEnvironment,
        _ transaction: any ReadTransaction
    ) throws -> [AppID: [ProductID]] {
        let start: SQL = "SELECT app_id, product_id FROM product WHERE app_id IN \(.numbers) AND "
        let condition: SQL =
            environment == .production ? "(removed_at IS NULL OR drafted_at IS NOT NULL)" : "removed_at IS NULL"
        let found = try transaction.query(
            start + condition + " ORDER BY app_id, product_id LIMIT $2", of: ids, limit
        ) { row in
            var cells = row.cells
            return (app: try cells.next(as: AppID.self), product: try cells.next(as: ProductID.self))
        }
        return Dictionary(grouping: found, by: \.app).mapValues { $0.map(\.product) }
    }

    /// The products of an app after a product id, in order of their ids; without those that were removed.
    ///
    /// - Parameter withDraftedRemovals: whether those are listed too whose removal waits for its publication.
    package static func products(
        of app: AppID, after id: ProductID? = nil, limit: Int, withDraftedRemovals: Bool = false,
        in transaction: any ReadTransaction
    ) throws -> [CatalogueProduct] {
        try transaction.query(
            """
            SELECT \(CatalogueProduct.columns) FROM product WHERE app_id = $1 AND product_id > $2
                AND (removed_at IS NULL OR $4 = 1 AND drafted_at IS NOT NULL)
            ORDER BY product_id LIMIT $3
            """, app, id?.text ?? "", limit, withDraftedRemovals, row: CatalogueProduct.init)
    }

    /// The products of an app as an environment sells them, in order of their ids; without those that it does not have any
    /// more.
    package static func products(
        of app: AppID, limit: Int, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [CatalogueProduct] {
        guard environment == .production else { return try products(of: app, limit: limit, in: transaction) }
        let found = try transaction.query(
            """
            SELECT \(CatalogueProduct.columns) FROM product
            WHERE app_id = $1 AND (removed_at IS NULL OR drafted_at IS NOT NULL) ORDER BY product_id LIMIT $2
            """, app, limit, row: CatalogueProduct.init)
        let editions = try ProductEditions.published(of: found, in: environment, transaction)
        return found.map { $0.published(by: editions[$0.itemID]) }
    }

    /// The titles of products and what they cost in a storefront at a moment, for a list of some that follow one another; by
    /// number.
    package static func summaries(
        of products: [CatalogueProduct], of app: CatalogueApp, in storefront: StorefrontRecord?,
        _ environment: StoreEnvironment = .sandbox, at commerce: Instant, in transaction: any ReadTransaction
    ) throws -> [ItemID: (title: String?, price: Money?)] {
        guard let first = products.first, let last = products.last, let storefront else { return [:] }
        var titles: [ItemID: String] = [:]
        var isPrimary: Set<ItemID> = []
        let range: SQL = """
            JOIN product ON product.item_id = listed.item_id
            WHERE product.app_id = $1 AND product.product_id >= $2 AND product.product_id <= $3
            """
        let bindings = [app.id.databaseValue, first.productID.databaseValue, last.productID.databaseValue]
        try transaction.forEachRow(
            "SELECT listed.item_id, listed.language, listed.title FROM product_text AS listed " + range
                + " ORDER BY listed.language DESC", binding: bindings
        ) { row in
            var cells = row.cells
            let (item, language) = (try cells.next(as: ItemID.self), try cells.next(as: String.self))
            // The language of the app, else the first.
            if language == app.primaryLanguage || titles[item] == nil || !isPrimary.contains(item) {
                titles[item] = try cells.next()
                if language == app.primaryLanguage { isPrimary.insert(item) }
            }
        }
        var own: [ItemID: Money] = [:]
        try transaction.forEachRow(
            "SELECT listed.item_id, listed.amount, listed.currency FROM product_price AS listed " + range
                + " AND listed.storefront = $4", binding: bindings + [StorefrontCode(storefront).databaseValue]
        ) { row in
            var cells = row.cells
            own[try cells.next()] = try cells.nextMoney()
        }
        let editions = try ProductEditions.published(of: products, in: environment, transaction)
        let changes = try PriceChanges.list(
            of: products.filter { $0.firstPriceChangeAt != nil }.map(\.itemID), in: transaction)
        return Dictionary(
            uniqueKeysWithValues: products.map { product in
                let (item, edition) = (product.itemID, editions[product.itemID])
                let prices = PriceTimeline(
                    of: product.published(by: edition),
                    own: edition.map { $0.ownPrices[StorefrontCode(storefront)] } ?? own[item], isWithdrawn: false,
                    in: storefront, changes: edition?.priceChanges ?? changes[item] ?? [])
                return (item, (titles[item], prices.price(at: commerce)))
            })
    }

    /// What products are called in the languages of their apps; what has no text, by what its developer calls it.
    package static func titles(
        of items: some Sequence<ItemID>, language: String = "", in transaction: any ReadTransaction
    ) throws -> [ItemID: String] {
        let titles = try transaction.query(
            """
            SELECT product.item_id, coalesce((
                    SELECT title FROM product_text WHERE product_text.item_id = product.item_id
                        AND (language = $2 OR language LIKE $2 || '-%')
                    ORDER BY language LIMIT 1
                ), own.title, (
                    SELECT title FROM product_text WHERE product_text.item_id = product.item_id
                    ORDER BY language LIMIT 1
                ), product.reference_name)
            FROM product JOIN app ON app.app_id = product.app_id
                LEFT JOIN product_text own ON own.item_id = product.item_id AND own.language = app.primary_language
            WHERE product.item_id IN \(.numbers)
            """, of: items, language
        ) { row in
            var cells = row.cells
            return (try cells.next(as: ItemID.self), try cells.next(as: String.self))
        }
        return Dictionary(uniqueKeysWithValues: titles)
    }

    /// A product with its texts and prices.
    ///
    /// - Parameter now: of which moment the prices are; nil leaves out those that were set beforehand.
    package static func details(
        of product: CatalogueProduct, at now: Instant? = nil, in transaction: any ReadTransaction
    ) throws -> ProductDetails {
        var texts: [String: ProductText] = [:]
        var prices: [StorefrontCode: Money] = [:]
        try transaction.forEachRow(
            "SELECT language, title, description FROM product_text WHERE item_id = $1",
            binding: [product.itemID.databaseValue]
        ) { row in
            var cells = row.cells
            texts[try cells.next()] = try ProductText(title: cells.next(), description: cells.next())
        }
        try transaction.forEachRow(
            "SELECT storefront, amount, currency FROM product_price WHERE item_id = $1",
            binding: [product.itemID.databaseValue]
        ) { row in
            var cells = row.cells
            prices[try cells.next()] = try cells.nextMoney()
        }
        let withdrawn = try transaction.query(
            "SELECT storefront FROM product_withdrawal WHERE item_id = $1", product.itemID
        ) { try $0.value(0, as: StorefrontCode.self) }
        return ProductDetails(
            product: product, texts: texts, ownPrices: prices, withdrawn: Set(withdrawn),
            textChanges: try textChanges(of: product.itemID, in: transaction),
            priceChanges: try PriceChanges.list(of: product, in: transaction),
            images: try ProductImages.list(of: product.itemID, in: transaction),
            imageChange: try ProductImages.waiting(of: product.itemID, in: transaction), readAt: now)
    }

    /// The texts of a product that wait for their approval, by language.
    static func textChanges(of item: ItemID, in transaction: any ReadTransaction) throws -> [String: ProductText] {
        var changes: [String: ProductText] = [:]
        try transaction.forEachRow(
            "SELECT language, title, description FROM product_text_change WHERE item_id = $1",
            binding: [item.databaseValue]
        ) { row in
            var cells = row.cells
            changes[try cells.next()] = try ProductText(title: cells.next(), description: cells.next())
        }
        return changes
    }

    /// The texts of some products by language, as an environment shows them: the sandbox those too that wait for their approval.
    static func texts(
        of ids: [ItemID], in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [ItemID: [String: ProductText]] {
        var texts: [ItemID: [String: ProductText]] = [:]
        func take(_ row: Row) throws {
            var cells = row.cells
            let (item, language) = (try cells.next(as: ItemID.self), try cells.next(as: String.self))
            texts[item, default: [:]][language] = try ProductText(title: cells.next(), description: cells.next())
        }
        _ = try transaction.query(
            "SELECT item_id, language, title, description FROM product_text WHERE item_id IN \(.numbers)", of: ids,
            row: take)
        guard environment == .sandbox else { return texts }
        _ = try transaction.query(
            "SELECT item_id, language, title, description FROM product_text_change WHERE item_id IN \(.numbers)",
            of: ids, row: take)
        return texts
    }
}

/// Why the catalogue does not do what it was asked.
package struct CatalogueError: Refusal, Hashable {
    package let code: RefusalCode
    /// The path of the value that is meant: `products[3].displayPrice`.
    package let parameter: String?
    /// One sentence about the value, without its full stop.
    let rule: String
    /// Whether the sentence names the value itself.
    private let isNamed: Bool

    package init(_ code: RefusalCode, _ rule: String, field: String? = nil, isNamed: Bool = false) {
        self.code = code
        self.rule = rule
        self.isNamed = isNamed
        parameter = field
    }

    /// The sentence, after the path of the value.
    package var message: String { isNamed ? rule : parameter.map { "\($0): \(rule)" } ?? rule }
}

/// The limits of the catalogue. Those of the App Store, where it has any, stand in brackets: what it takes, we take.
package enum CatalogueLimits {
    /// The name of an app, in characters (30).
    package static let appName = 100
    /// What a developer calls a product, in characters (64).
    package static let referenceName = 100
    /// The title of a product, in characters (30).
    package static let title = 100
    /// The description of a product, in characters (45, of subscriptions 55).
    package static let description = 500
    /// The tag of a language, in characters.
    package static let language = 35
    /// Languages of one product (50 or so).
    package static let languages = 100
    /// Products of one app, those that were removed too (10 000).
    package static let products = 10_000
    /// A price in minor units. Ten of it still make a sum.
    package static let price: Int64 = 1_000_000_000_000
    /// Ids of one request for which the sandbox looks for what was probably meant.
    package static let guesses = 4
    /// Ids that such a guess is chosen from.
    package static let guessedFrom = 200
}
