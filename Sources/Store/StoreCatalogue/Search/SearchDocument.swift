import StoreModel

/// The kinds of what can be found: of items, and of those who made them.
package struct SearchKinds: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let apps = SearchKinds(rawValue: 1)
    package static let songs = SearchKinds(rawValue: 2)
    package static let albums = SearchKinds(rawValue: 4)
    package static let films = SearchKinds(rawValue: 8)
    package static let seasons = SearchKinds(rawValue: 16)
    package static let episodes = SearchKinds(rawValue: 32)
    package static let books = SearchKinds(rawValue: 64)
    package static let audiobooks = SearchKinds(rawValue: 128)
    package static let developers = SearchKinds(rawValue: 256)
    package static let musicians = SearchKinds(rawValue: 512)
    package static let filmArtists = SearchKinds(rawValue: 1024)
    package static let showArtists = SearchKinds(rawValue: 2048)
    package static let authors = SearchKinds(rawValue: 4096)

    /// Every kind of item.
    package static let items: SearchKinds = [
        .apps, .songs, .albums, .films, .seasons, .episodes, .books, .audiobooks,
    ]
    /// Every kind of artist.
    package static let artists: SearchKinds = [
        .developers, .musicians, .filmArtists, .showArtists, .authors,
    ]

    /// The kind of items.
    package init(_ kind: ItemKind) {
        switch kind {
        case .app: self = .apps
        case .song: self = .songs
        case .album: self = .albums
        case .film: self = .films
        case .season: self = .seasons
        case .episode: self = .episodes
        case .book: self = .books
        case .audiobook: self = .audiobooks
        default: self = []
        }
    }

    /// The kind of artists.
    package init(_ kind: ArtistKind) {
        switch kind {
        case .developer: self = .developers
        case .musician: self = .musicians
        case .filmArtist: self = .filmArtists
        case .show: self = .showArtists
        case .author: self = .authors
        default: self = []
        }
    }
}

/// What a search finds, and all by which it is found.
struct SearchDocument: Hashable, Sendable {
    let storeID: Int64
    /// The environments that show it so.
    var environments: Set<StoreEnvironment>
    let kinds: SearchKinds
    /// What is sold; nil for an artist.
    let itemID: ItemID?
    /// Who made it; nil for an artist.
    let artistID: Int64?
    /// By which it is suggested.
    let name: String
    /// What it is called, in every language.
    let names: [String]
    let makers: [String]
    let collections: [String]
    let details: [String]
    /// See ``SearchFact``.
    let facts: [String]
    let isExplicit: Bool
    let releasedAt: Instant

    /// The words of each field, in their order. What lies between two texts keeps the last word of one from being taken for
    /// the neighbour of the first of the other.
    var fields: [(field: SearchField, words: [String])] {
        [
            (.name, Self.words(of: names)), (.maker, Self.words(of: makers)),
            (.collection, Self.words(of: collections)), (.details, Self.words(of: details) + facts),
        ]
    }

    /// The words that typing errors are corrected to.
    var vocabulary: Set<String> {
        Set(
            (names + makers + collections).flatMap(SearchText.pieces(of:)).compactMap { piece in
                guard case .word(let word) = piece, word.unicodeScalars.count >= SearchSpelling.shortestWord else {
                    return nil
                }
                return word
            })
    }

    private static let boundary = "\u{E000}"

    private static func words(of texts: [String]) -> [String] {
        texts.enumerated().flatMap { index, text in (index == 0 ? [] : [boundary]) + SearchText.words(of: text) }
    }
}

extension SearchDocument {
    /// The bits of environments in the index.
    static func bits(of environments: some Sequence<StoreEnvironment>) -> Int {
        environments.reduce(0) { $0 | ($1 == .production ? 1 : 2) }
    }

    /// The words as a `tsvector` of PostgreSQL is written: each with its places and the weight of its field there.
    var postgresWords: String {
        var places: [String: [String]] = [:]
        var place = 0
        for ((_, words), column) in zip(fields, SearchField.columns) {
            for word in words {
                place += 1
                if place <= Self.lastPlace { places[word, default: []].append("\(place)\(column.weight)") }
            }
            place += 1
        }
        return places.sorted { $0.key < $1.key }.map { "'\($0.key)':\($0.value.joined(separator: ","))" }
            .joined(separator: " ")
    }

    /// The places that a `tsvector` can name.
    private static let lastPlace = 16_383
}
