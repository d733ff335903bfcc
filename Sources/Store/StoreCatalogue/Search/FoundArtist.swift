package import StoreDatabase
package import StoreModel

/// An artist of whom an environment shows something.
package struct FoundArtist: Hashable, Sendable {
    package let artist: Artist
    /// That of the newest of what is shown.
    package let genre: Genre?

    /// Those of some artists of whom the environment shows something, by number.
    package static func list(
        _ ids: some Sequence<Int64>, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [Int64: FoundArtist] {
        let found = try transaction.query(
            """
            SELECT \(Artist.columns), (
                SELECT item.genre_id FROM item JOIN product ON product.item_id = item.item_id
                WHERE item.artist_id = artist.artist_id AND \(ItemShelf.isShown(in: environment))
                ORDER BY item.released_at DESC, item.store_id DESC LIMIT 1
            ) FROM artist WHERE artist.artist_id IN \(.numbers)
            """, of: ids
        ) { row -> FoundArtist? in
            var cells = row.cells
            let artist = try Artist(&cells)
            return try cells.next(as: Int?.self).map { FoundArtist(artist: artist, genre: Genre.find($0)) }
        }
        return Dictionary(uniqueKeysWithValues: found.compactMap(\.self).map { ($0.artist.storeID, $0) })
    }
}

/// Items by the numbers that others than the store give them.
package enum ItemLookup {
    /// How many discs these albums have; those of which no song has one are left out.
    package static func discs(
        of albums: some Sequence<Int64>, in transaction: any ReadTransaction
    ) throws -> [Int64: Int] {
        let found = try transaction.query(
            """
            SELECT parent_id, max(disc) FROM item WHERE parent_id IN \(.numbers) AND disc IS NOT NULL
            GROUP BY parent_id
            """, of: albums
        ) { row in
            var cells = row.cells
            return try (cells.next(as: Int64.self), cells.next(as: Int.self))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// The store ids of the apps with these bundle ids that the storefront has, in their order.
    package static func storeIDs(
        ofApps bundles: [BundleID], in transaction: any ReadTransaction
    ) throws -> [Int64] {
        try bundles.prefix(SearchLimits.results).compactMap { bundle in
            try transaction.optional(
                "SELECT item.store_id FROM item JOIN app ON app.app_id = item.app_id WHERE app.bundle_id = $1", bundle
            ) { try $0.value(0) }
        }
    }

    /// The store ids of books by their ISBN, in their order.
    package static func storeIDs(ofBooks numbers: [String], in transaction: any ReadTransaction) throws -> [Int64] {
        try numbers.prefix(SearchLimits.results).flatMap { number in
            try transaction.query(
                "SELECT store_id FROM item WHERE isbn = $1 ORDER BY store_id LIMIT $2", number, SearchLimits.results
            ) { try $0.value(0, as: Int64.self) }
        }
    }

    /// The store ids of whatever has these numbers of trade (UPC, EAN), in their order.
    package static func storeIDs(ofTrade numbers: [String], in transaction: any ReadTransaction) throws -> [Int64] {
        try numbers.prefix(SearchLimits.results).flatMap { number in
            try transaction.query(
                "SELECT store_id FROM item WHERE upc = $1 ORDER BY store_id LIMIT $2", number, SearchLimits.results
            ) { try $0.value(0, as: Int64.self) }
        }
    }
}
