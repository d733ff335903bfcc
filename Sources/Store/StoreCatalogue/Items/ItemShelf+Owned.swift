package import StoreDatabase
package import StoreModel

/// Items as those find them who have them: also what is not sold any more.
extension ItemShelf {
    /// The numbers of all shelves.
    package static func shelves(in transaction: any ReadTransaction) throws -> [AppID] {
        try transaction.query("SELECT app_id FROM app WHERE is_shelf = 1 ORDER BY app_id") { try $0.value(0) }
    }

    /// A product by which one has an item.
    package struct Source: Hashable, Sendable {
        package let item: ItemID
        /// Until when the item came with it: what was removed from an album is not in what is bought after that.
        package let until: Instant?

        package init(_ item: ItemID, until: Instant? = nil) {
            (self.item, self.until) = (item, until)
        }

        /// Whether the item came with what was bought at an instant.
        package func covers(_ bought: Instant) -> Bool { until.map { bought < $0 } ?? true }
    }

    /// The products by any of which one has these items: their own, and that of the album or season that they are part of.
    package static func sources(
        of ids: some Sequence<Int64>, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [Int64: Set<Source>] {
        let found = try transaction.query(
            """
            SELECT item.store_id, item.item_id, whole.item_id, product.removed_at, product.drafted_at
            FROM item LEFT JOIN item AS whole ON whole.store_id = item.parent_id
                LEFT JOIN product ON product.item_id = item.item_id
            WHERE item.store_id IN \(.numbers)
            """, of: ids
        ) { row in
            var cells = row.cells
            let (id, own) = (try cells.next(as: Int64.self), try cells.next(as: ItemID.self))
            let (whole, removedAt) = (try cells.next(as: ItemID?.self), try cells.next(as: Instant?.self))
            // Production does not know of a removal that was not published.
            let isDraft = try cells.next(as: Instant?.self) != nil
            let until = isDraft && environment == .production ? nil : removedAt
            return (id, [Source(own)] + (whole.map { [Source($0, until: until)] } ?? []))
        }
        return found.reduce(into: [:]) { $0[$1.0] = Set($1.1) }
    }

    /// The songs of albums and the episodes of seasons, in their order, whether or not they are sold.
    package static func parts(
        of ids: some Sequence<Int64>, in transaction: any ReadTransaction
    ) throws -> [Int64: [Int64]] {
        let found = try transaction.query(
            """
            SELECT parent_id, store_id FROM item WHERE parent_id IN \(.numbers)
            ORDER BY parent_id, coalesce(disc, 1), coalesce(number, 0), store_id
            """, of: ids
        ) { row in
            var cells = row.cells
            return try (whole: cells.next(as: Int64.self), part: cells.next(as: Int64.self))
        }
        return Dictionary(grouping: found, by: \.whole).mapValues { $0.map(\.part) }
    }

    /// The page of the item that a product is charged for, and its picture; nil for all other products.
    ///
    /// - Parameter storefront: the country of the page.
    package static func page(
        charged item: ItemID, in environment: StoreEnvironment, _ storefront: StorefrontRecord,
        _ transaction: any ReadTransaction
    ) throws -> (link: StoreLink, artwork: ItemFile?)? {
        guard let found = try self.item(of: item, in: transaction) else { return nil }
        let parent = try found.facts.parent.flatMap { try self.item($0, in: transaction) }
        let ids = [found.storeID, parent?.storeID].compactMap(\.self)
        let files = try ItemFiles.list(of: ids, in: transaction)
        let artwork = ids.lazy.compactMap { id in
            ItemFiles.shown(files[id] ?? [], in: environment).first { $0.role == .artwork }
        }.first
        return (found.link(in: storefront, parent: parent), artwork)
    }
}
