package import StoreDatabase
package import StoreModel
import StoreRules

/// What the storefront shows: items by number, by what they are part of, by artist, by genre.
///
/// Items of a team lie on a *shelf*, which is to them what an app is to its products, and which no list of apps has.
package enum ItemShelf {
    /// What the bundle ids of all shelves begin with; no app has one that does.
    package static let prefix = "till.shelf."

    /// The bundle id that a team's shelf has.
    package static func bundleID(of team: TeamID) throws -> BundleID { try BundleID(parsing: prefix + team.text) }

    /// The id of the product that is charged for an item.
    package static func productID(of storeID: Int64) throws -> ProductID {
        try ProductID(parsing: "\(productPrefix)\(storeID)")
    }

    /// What the ids of those products begin with, before the store id.
    package static let productPrefix = "item."

    /// Whether production, or the sandbox, shows an item: a condition for queries that join `item` and `product`.
    package static func isShown(in environment: StoreEnvironment) -> SQL {
        environment == .production ? shownInProduction : shownInSandbox
    }

    private static let shownInProduction: SQL = """
        product.is_live = 1 AND product.state <> 'removed_from_sale' AND (
            product.drafted_at IS NULL AND \(onShelf)
            OR product.drafted_at IS NOT NULL AND EXISTS (
                SELECT 1 FROM published_product AS published
                WHERE published.item_id = product.item_id AND published.is_cleared_for_sale = 1
            )
        ) AND \(ofSellers)
        """

    private static let shownInSandbox: SQL = """
        (product.is_live = 1 OR product.state IN ('ready_to_submit', 'waiting_for_review', 'in_review',
            'pending_binary_approval', 'rejected', 'developer_action_needed', 'approved')) AND \(onShelf)
            AND \(ofSellers)
        """

    private static let onShelf: SQL = """
        product.removed_at IS NULL AND product.is_cleared_for_sale = 1
            AND product.state NOT IN ('removed_from_sale', 'developer_removed_from_sale')
        """

    private static let ofSellers: SQL = """
        NOT EXISTS (SELECT 1 FROM team WHERE team.team_id = item.team_id AND team.suspended_at IS NOT NULL)
        """

    // MARK: One item

    /// The item of a store id, as production shows it, whether or not it is on the shelf.
    package static func item(_ storeID: Int64, in transaction: any ReadTransaction) throws -> CatalogueItem? {
        try transaction.optional(
            "SELECT \(CatalogueItem.columns) FROM item WHERE store_id = $1", storeID, row: CatalogueItem.init)
    }

    /// The item that is charged by a product.
    package static func item(of item: ItemID, in transaction: any ReadTransaction) throws -> CatalogueItem? {
        try transaction.optional(
            "SELECT \(CatalogueItem.columns) FROM item WHERE item_id = $1", item, row: CatalogueItem.init)
    }

    /// The items of these store ids, as production shows them.
    package static func items(
        _ ids: some Sequence<Int64>, in transaction: any ReadTransaction
    ) throws -> [Int64: CatalogueItem] {
        let found = try transaction.query(
            "SELECT \(CatalogueItem.columns) FROM item WHERE store_id IN \(.numbers)", of: ids, row: CatalogueItem.init)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.storeID, $0) })
    }

    /// The items that are charged by these products.
    package static func items(
        of ids: some Sequence<ItemID>, in transaction: any ReadTransaction
    ) throws -> [ItemID: CatalogueItem] {
        let found = try transaction.query(
            "SELECT \(CatalogueItem.columns) FROM item WHERE item_id IN \(.numbers)", of: ids, row: CatalogueItem.init)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.itemID, $0) })
    }

    /// The item of an app.
    package static func item(of app: AppID, in transaction: any ReadTransaction) throws -> CatalogueItem? {
        try item(app.number, in: transaction)
    }

    /// The items that have a number: as their store id, as their ISBN, or as their bar code.
    package static func numbered(_ digits: String, in transaction: any ReadTransaction) throws -> [Int64] {
        try transaction.query(
            """
            SELECT store_id FROM item WHERE store_id = $1 UNION ALL SELECT store_id FROM item WHERE isbn = $2
            UNION ALL SELECT store_id FROM item WHERE upc = $2 LIMIT $3
            """, Int64(digits) ?? 0, digits, ItemLimits.listed, row: number)
    }

    // MARK: Numbers of several

    /// The songs of an album or the episodes of a season, in order.
    package static func children(
        of storeID: Int64, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [Int64] {
        try transaction.query(
            """
            \(selection) \(isShown(in: environment)) AND item.parent_id = $1
            ORDER BY coalesce(item.disc, 1), coalesce(item.number, 0), item.store_id
            """, storeID, row: number)
    }

    /// What an artist made, of one kind, the newest first.
    package static func byArtist(
        _ artist: Int64, _ kind: ItemKind, in environment: StoreEnvironment, limit: Int = ItemLimits.listed,
        offset: Int = 0, _ transaction: any ReadTransaction
    ) throws -> [Int64] {
        try transaction.query(
            """
            \(selection) \(isShown(in: environment)) AND item.artist_id = $1 AND item.kind = $2
            \(newestFirst) LIMIT $3 OFFSET $4
            """, artist, kind, limit, offset, row: number)
    }

    /// The newest of a kind, of one genre and all below it or of all genres.
    package static func newest(
        _ kind: ItemKind, genre: Int? = nil, in environment: StoreEnvironment, limit: Int = ItemLimits.listed,
        offset: Int = 0, _ transaction: any ReadTransaction
    ) throws -> [Int64] {
        guard let genre, genre != kind.rootGenre else {
            return try transaction.query(
                """
                \(selection) \(isShown(in: environment)) AND item.kind = $1 \(newestFirst) LIMIT $2 OFFSET $3
                """, kind, limit, offset, row: number)
        }
        return try transaction.query(
            """
            \(selection) \(isShown(in: environment)) AND item.genre_id IN \(.numbers) AND item.kind = $2
            \(newestFirst) LIMIT $3 OFFSET $4
            """, of: Genre.within(genre), kind, limit, offset, row: number)
    }

    /// The newest others of the kind and the genre of an item, those of its artist last.
    package static func related(
        to item: CatalogueItem, in environment: StoreEnvironment, limit: Int, _ transaction: any ReadTransaction
    ) throws -> [Int64] {
        let found = try transaction.query(
            """
            SELECT item.store_id, item.artist_id FROM item JOIN product ON product.item_id = item.item_id
            WHERE \(isShown(in: environment)) AND item.genre_id = $1 AND item.kind = $2 AND item.store_id <> $3
            \(newestFirst) LIMIT $4
            """, item.facts.genreID, item.kind, item.storeID, limit
        ) { row in
            var cells = row.cells
            return try (id: cells.next(as: Int64.self), artist: cells.next(as: Int64.self))
        }
        let own = found.filter { $0.artist == item.facts.artistID }
        return (found.filter { $0.artist != item.facts.artistID } + own).map { $0.id }
    }

    /// The genres of a kind that have anything, with how much, the largest first.
    package static func genres(
        of kind: ItemKind, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [(genre: Genre, count: Int)] {
        let found = try transaction.query(
            """
            SELECT item.genre_id, count(*) FROM item JOIN product ON product.item_id = item.item_id
            WHERE \(isShown(in: environment)) AND item.kind = $1 GROUP BY item.genre_id
            """, kind
        ) { row in
            var cells = row.cells
            return try (Genre.find(cells.next(as: Int.self)), cells.next(as: Int.self))
        }
        return found.compactMap { genre, count in genre.map { (genre: $0, count: count) } }
            .sorted { ($1.count, $0.genre.name) < ($0.count, $1.genre.name) }
    }

    /// What the home page begins with, as it was chosen.
    package static func features(
        in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [Int64] {
        try transaction.query(
            """
            SELECT item.store_id FROM home_feature JOIN item ON item.store_id = home_feature.store_id
                JOIN product ON product.item_id = item.item_id
            WHERE \(isShown(in: environment)) ORDER BY home_feature.position LIMIT $1
            """, ItemLimits.listed, row: number)
    }

    /// The newest of all kinds that have a wide picture which production shows.
    package static func newestWide(
        in environment: StoreEnvironment, limit: Int, _ transaction: any ReadTransaction
    ) throws -> [Int64] {
        try transaction.query(
            """
            \(selection) \(isShown(in: environment)) AND item.store_id IN (
                SELECT item_file.store_id FROM item_file WHERE item_file.role = 'wide' AND item_file.is_draft = 0
            ) \(newestFirst) LIMIT $1
            """, limit, row: number)
    }

    private static let selection: SQL =
        "SELECT item.store_id FROM item JOIN product ON product.item_id = item.item_id WHERE"

    private static let newestFirst: SQL = "ORDER BY item.released_at DESC, item.store_id DESC"

    private static func number(_ row: Row) throws -> Int64 { try row.value(0) }
}
