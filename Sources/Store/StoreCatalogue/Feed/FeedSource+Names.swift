import Foundation
import StoreDatabase
import StoreModel

extension FeedSource {
    /// What writes each table, in the order in which they are written.
    static let all = names + [artists, apps, songs, collections, videos, popularity]

    /// The tables that give numbers of other tables their names.
    private static let names: [FeedSource] = [
        FeedSource([.storefront]) { files, _, _ in
            let english = Locale(identifier: "en_US")
            for storefront in StorefrontRecord.all.sorted(by: { $0.id < $1.id }) {
                try files[.storefront].write { row in
                    row.add(storefront.id.number)
                    row.add(storefront.alpha3)
                    row.add(english.localizedString(forRegionCode: storefront.alpha2) ?? storefront.alpha3)
                }
            }
        },
        FeedSource([.genre]) { files, _, _ in
            for genre in Genre.all.sorted(by: { $0.id < $1.id }) {
                try files[.genre].write { row in
                    row.add(genre.id)
                    row.add(genre.parent)
                    row.add(genre.name)
                }
            }
        },
        numbered(.mediaType, FeedNumbers.media), numbered(.role, FeedNumbers.roles),
        numbered(.advisory, FeedNumbers.advisories), numbered(.collectionType, FeedNumbers.collections),
        numbered(.translationType, FeedNumbers.translations), numbered(.deviceType, FeedNumbers.devices),
        FeedSource([.artistType]) { files, _, _ in
            for type in FeedNumbers.artists.sorted(by: { $0.number < $1.number }) {
                try files[.artistType].write { row in
                    row.add(type.number)
                    row.add(type.name)
                    row.add(type.medium)
                }
            }
        },
        FeedSource([.keyValue]) { files, view, _ in
            let values = [("environment", view.environment.rawValue), ("format", "EPF 5")]
            for (key, value) in [("address", view.address?.description ?? "")] + values where !value.isEmpty {
                try files[.keyValue].write { row in
                    row.add(key)
                    row.add(value, atMost: 100)
                }
            }
        },
    ]

    private static func numbered(_ table: FeedTable, _ names: [(number: Int, name: String)]) -> FeedSource {
        let sorted = names.sorted { $0.number < $1.number }
        return FeedSource([table]) { files, _, _ in
            for entry in sorted {
                try files[table].write { row in
                    row.add(entry.number)
                    row.add(entry.name)
                }
            }
        }
    }

    /// Those who made anything that the environment shows.
    private static let artists = FeedSource([.artist, .genreArtist]) { files, view, transaction in
        var last: Int64 = 0
        while true {
            let page = try transaction.query(
                """
                SELECT \(Artist.columns) FROM artist WHERE artist_id > $1 AND EXISTS (
                    SELECT 1 FROM item JOIN product ON product.item_id = item.item_id
                    WHERE \(ItemShelf.isShown(in: view.environment)) AND item.artist_id = artist.artist_id
                ) ORDER BY artist_id LIMIT $2
                """, last, FeedLimits.page, row: Artist.init)
            let genres = try genres(of: page.map(\.storeID), view.environment, transaction)
            for artist in page {
                try files[.artist].write { row in
                    row.add(artist.storeID)
                    row.add(artist.name)
                    row.add(artist.kind != .show)
                    row.add(view.address(of: artist.link(in: nil)))
                    row.add(FeedNumbers.type(of: artist.kind))
                }
                let counted = genres[artist.storeID] ?? [:]
                let most = counted.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
                for genre in counted.keys.sorted() {
                    try files[.genreArtist].write { row in
                        row.add(genre)
                        row.add(artist.storeID)
                        row.add(genre == most)
                    }
                }
            }
            guard page.count == FeedLimits.page, let end = page.last else { return }
            last = end.storeID
        }
    }

    /// How many items of each genre these artists made.
    private static func genres(
        of artists: [Int64], _ environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [Int64: [Int: Int]] {
        var genres: [Int64: [Int: Int]] = [:]
        _ = try transaction.query(
            """
            SELECT item.artist_id, item.genre_id, count(*) FROM item JOIN product ON product.item_id = item.item_id
            WHERE \(ItemShelf.isShown(in: environment)) AND item.artist_id IN \(.numbers)
            GROUP BY item.artist_id, item.genre_id
            """, of: artists
        ) { row in
            var cells = row.cells
            let (artist, genre) = (try cells.next(as: Int64.self), try cells.next(as: Int.self))
            genres[artist, default: [:]][genre] = try cells.next()
        }
        return genres
    }

    /// The ranks of apps by how often they were bought lately, of each storefront and genre.
    private static let popularity = FeedSource([.freePopularity, .paidPopularity]) { files, view, transaction in
        for storefront in StorefrontRecord.all.sorted(by: { $0.id < $1.id }) {
            let popular = view.popularity[StorefrontCode(storefront)] ?? []
            guard !popular.isEmpty else { continue }
            let apps = try popularApps(of: popular.map(\.item), view.environment, transaction)
            for (table, isFree) in [(FeedTable.freePopularity, true), (.paidPopularity, false)] {
                var ranks: [Int: [Int64]] = [:]
                for entry in popular where entry.isFree == isFree {
                    guard let app = apps[entry.item] else { continue }
                    for genre in app.genres where ranks[genre, default: []].count < FeedLimits.ranks {
                        ranks[genre, default: []].append(app.id)
                    }
                }
                for (genre, ranked) in ranks.sorted(by: { $0.key < $1.key }) {
                    for (rank, app) in ranked.enumerated().sorted(by: { $0.element < $1.element }) {
                        try files[table].write { row in
                            row.add(storefront.id.number)
                            row.add(genre)
                            row.add(app)
                            row.add(rank + 1)
                        }
                    }
                }
            }
        }
    }

    private static func popularApps(
        of items: [ItemID], _ environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [ItemID: (id: Int64, genres: [Int])] {
        let found = try transaction.query(
            """
            SELECT item.item_id, item.store_id, item.genre_id FROM item JOIN product ON product.item_id = item.item_id
            WHERE \(ItemShelf.isShown(in: environment)) AND item.kind = 'app' AND item.item_id IN \(.numbers)
            """, of: items
        ) { row in
            var cells = row.cells
            let (item, id, genre) = try (
                cells.next(as: ItemID.self), cells.next(as: Int64.self), cells.next(as: Int.self)
            )
            return (item, (id: id, genres: Genre.find(genre)?.path ?? [genre]))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }
}

/// Numbers of the feed that stand for few things; media have those of links (`mt`).
enum FeedNumbers {
    static let media = [
        (number: 1, name: "Music"), (number: 3, name: "Audiobooks"), (number: 4, name: "TV Shows"),
        (number: 6, name: "Movies"), (number: 8, name: "Software"),
    ]
    static let artists = [
        (number: 1, name: "Artist", medium: 1), (number: 2, name: "TV Show", medium: 4),
        (number: 3, name: "Movie Artist", medium: 6), (number: 6, name: "Author", medium: 3),
        (number: 7, name: "Software Artist", medium: 8),
    ]
    static let roles = [(number: 1, name: "Performer"), (number: 2, name: "Author"), (number: 3, name: "Show")]
    static let advisories = [
        (number: 1, name: "Explicit"), (number: 2, name: "Clean"), (number: 3, name: "Not Explicit"),
    ]
    static let collections = [
        (number: 1, name: "Album"), (number: 2, name: "TV Season"), (number: 3, name: "Audiobook"),
    ]
    static let translations = [(number: 1, name: "Title")]
    static let devices = [(number: 1, name: "Linux")]

    static func type(of kind: ArtistKind) -> Int {
        switch kind {
        case .show: 2
        case .filmArtist: 3
        case .author: 6
        case .developer: 7
        default: 1
        }
    }

    static func role(of kind: ItemKind) -> Int {
        switch kind {
        case .audiobook: 2
        case .season, .episode: 3
        default: 1
        }
    }

    static func advisory(of explicitness: Explicitness) -> Int {
        switch explicitness {
        case .explicit: 1
        case .cleaned: 2
        default: 3
        }
    }

    static func collection(of kind: ItemKind) -> Int {
        switch kind {
        case .season: 2
        case .audiobook: 3
        default: 1
        }
    }
}
