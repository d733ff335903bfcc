import Foundation
import StoreDatabase
package import StoreModel

/// Something that the storefront shows on a page of its own: an app, a song, a film, a book.
///
/// What is sold of it is a product of its team's shelf, which has its texts, prices, tax, review and history.
@dynamicMemberLookup
package struct CatalogueItem: Hashable, Sendable {
    /// The number by which links name it: that of the app, or else of the product.
    package let storeID: Int64
    /// What is charged when it is bought.
    package let itemID: ItemID
    /// Never changes.
    package let kind: ItemKind
    package let teamID: TeamID
    /// The app that it is; nil for all other kinds.
    package let appID: AppID?
    package let createdAt: Instant
    package let changedAt: Instant
    /// What its page says; that of production, or with what waits for a review.
    package var facts: ItemFacts

    package subscript<Value>(dynamicMember path: KeyPath<ItemFacts, Value>) -> Value { facts[keyPath: path] }

    /// Where its product is.
    package var path: ProductPath {
        get throws { try ProductPath(ItemShelf.bundleID(of: teamID), ItemShelf.productID(of: storeID)) }
    }

    static let columns: SQL = """
        item.store_id, item.item_id, item.kind, item.team_id, item.app_id, item.created_at, item.changed_at,
        item.name, item.artist_id, item.genre_id, item.parent_id, item.disc, item.number, item.released_at,
        item.explicitness, item.rating, item.copyright, item.support_address, item.maker_address,
        item.privacy_address, item.milliseconds, item.isbn, item.upc, item.languages
        """

    init(_ row: Row) throws {
        var cells = row.cells
        try self.init(&cells)
    }

    init(_ cells: inout RowCells) throws {
        storeID = try cells.next()
        itemID = try cells.next()
        kind = try cells.next()
        teamID = try cells.next()
        appID = try cells.next()
        createdAt = try cells.next()
        changedAt = try cells.next()
        facts = try ItemFacts(&cells)
    }
}

/// What the page of an item says of it, beside its texts. What production shows changes by a review only.
package struct ItemFacts: Codable, Hashable, Sendable {
    /// What it is called in the language of its maker; texts in other languages may call it otherwise.
    package var name: String
    /// The store id of who made it.
    package var artistID: Int64
    package var genreID: Int
    /// The store id of the album of a song, of the season of an episode.
    package var parent: Int64?
    /// The disc of a song; 1 where an album has one.
    package var disc: Int?
    /// The number of a song on its disc, of an episode in its season, of a season in its show.
    package var number: Int?
    /// When it came out; where nobody said so, when it was entered.
    package var releasedAt: Instant
    package var explicitness = Explicitness.notExplicit
    /// For whom it is, as in `12+` or `PG`.
    package var rating: String?
    package var copyright: String?
    /// Where those find help who have it.
    package var supportAddress: String?
    /// The pages of its maker.
    package var makerAddress: String?
    package var privacyAddress: String?
    /// How long it plays.
    package var milliseconds: Int64?
    package var isbn: String?
    package var upc: String?
    /// Those of an app or a book, as tags.
    package var languages: [String] = []

    package init(name: String, artistID: Int64, genreID: Int, releasedAt: Instant) {
        (self.name, self.artistID, self.genreID, self.releasedAt) = (name, artistID, genreID, releasedAt)
    }

    init(_ cells: inout RowCells) throws {
        name = try cells.next()
        artistID = try cells.next()
        genreID = try cells.next()
        parent = try cells.next()
        disc = try cells.next()
        number = try cells.next()
        releasedAt = try cells.next()
        explicitness = try cells.next()
        rating = try cells.next()
        copyright = try cells.next()
        supportAddress = try cells.next()
        makerAddress = try cells.next()
        privacyAddress = try cells.next()
        milliseconds = try cells.next()
        isbn = try cells.next()
        upc = try cells.next()
        languages = (try cells.next(as: String?.self) ?? "").split(separator: ",").map(String.init)
    }

    /// The genre of its number.
    package var genre: Genre? { Genre.find(genreID) }

    /// The columns of an item, and what they hold.
    var row: RowValues {
        [
            "name": name, "artist_id": artistID, "genre_id": genreID, "parent_id": parent, "disc": disc,
            "number": number, "released_at": releasedAt, "explicitness": explicitness, "rating": rating,
            "copyright": copyright, "support_address": supportAddress, "maker_address": makerAddress,
            "privacy_address": privacyAddress, "milliseconds": milliseconds, "isbn": isbn, "upc": upc,
            "languages": languages.isEmpty ? String?.none : languages.joined(separator: ","),
        ]
    }

    /// The facts as text that is kept until they are approved.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try String(decoding: encoder.encode(self), as: UTF8.self)
        }
    }

    init(json: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(json.utf8)) }
}

/// The limits of items and their files.
package enum ItemLimits {
    /// The name of an item or an artist, in characters.
    package static let name = 200
    /// What an item is about, in characters.
    package static let description = 4000
    /// A line about copyright, in characters.
    package static let copyright = 500
    /// An age for which something is, in characters.
    package static let rating = 20
    /// An address on a page, in characters.
    package static let address = 1000
    /// What is new in a version of an app, in characters.
    package static let note = 4000
    /// The title of a file for those who do not see it, in characters.
    package static let alternativeText = 500
    /// The name of a file, in bytes.
    package static let fileName = 200
    /// Languages of one item.
    package static let languages = 100
    /// The songs of one album, the episodes of one season.
    package static let children = 1000
    /// The longest that something plays: a hundred hours.
    package static let milliseconds: Int64 = 360_000_000
    /// What the home page begins with.
    package static let features = 12
    /// Others that a page shows beside an item.
    package static let related = 12
    /// Items or artists that a page lists at most.
    package static let listed = 200
}
