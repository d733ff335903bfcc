import StoreDatabase
import StoreModel

/// What an item of the storefront is.
package struct ItemKind: WireValue {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let app = ItemKind(rawValue: "app")
    package static let song = ItemKind(rawValue: "song")
    package static let album = ItemKind(rawValue: "album")
    package static let film = ItemKind(rawValue: "film")
    package static let season = ItemKind(rawValue: "season")
    package static let episode = ItemKind(rawValue: "episode")
    package static let book = ItemKind(rawValue: "book")
    package static let audiobook = ItemKind(rawValue: "audiobook")

    /// In the order in which pages show them.
    package static let all: [ItemKind] = [.app, .song, .album, .film, .season, .episode, .book, .audiobook]
    package static let known = Set(all)

    /// The word with its article, as in `an album`.
    var withArticle: String {
        ["app", "album", "episode", "audiobook"].contains(rawValue) ? "an \(self)" : "a \(self)"
    }

    /// The kind of what it is part of: the album of a song, the season of an episode; nil for what stands by itself.
    package var parent: ItemKind? {
        switch self {
        case .song: .album
        case .episode: .season
        default: nil
        }
    }

    /// The kind of what it consists of; nil for what has no parts.
    package var child: ItemKind? {
        switch self {
        case .album: .song
        case .season: .episode
        default: nil
        }
    }

    /// Whether it is nothing but its parts: whoever buys it has the files of those.
    package var isCollection: Bool { child != nil }

    /// The kind of those who make it.
    package var artist: ArtistKind {
        switch self {
        case .app: .developer
        case .film: .filmArtist
        case .season, .episode: .show
        case .book, .audiobook: .author
        default: .musician
        }
    }

    /// The genre that all genres of it are below.
    package var rootGenre: Int {
        switch self {
        case .app: 36
        case .film: 33
        case .season, .episode: 32
        case .book: 38
        case .audiobook: 50_000_024
        default: 34
        }
    }
}

extension ItemKind: ColumnValue {}

/// What an artist makes.
package struct ArtistKind: WireValue {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let musician = ArtistKind(rawValue: "musician")
    package static let developer = ArtistKind(rawValue: "developer")
    package static let author = ArtistKind(rawValue: "author")
    package static let filmArtist = ArtistKind(rawValue: "film_artist")
    /// A TV show, which stands where others name an artist.
    package static let show = ArtistKind(rawValue: "show")

    package static let known: Set<ArtistKind> = [.musician, .developer, .author, .filmArtist, .show]
}

extension ArtistKind: ColumnValue {}

/// Whether an item is fit for children only in a cleaned form.
package struct Explicitness: WireValue {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let notExplicit = Explicitness(rawValue: "notExplicit")
    package static let explicit = Explicitness(rawValue: "explicit")
    package static let cleaned = Explicitness(rawValue: "cleaned")

    package static let known: Set<Explicitness> = [.notExplicit, .explicit, .cleaned]
}

extension Explicitness: ColumnValue {}
