import StoreCatalogue
import StoreFoundation
import StoreModel
import StoreService

/// Things of the catalogue as lists of the storefront show them.
struct StorefrontTiles: Sendable {
    var visit: StorefrontVisit
    /// The store ids of what the reader has.
    var owned: Set<Int64> = []

    func tile(_ listing: ItemListing) -> Tile {
        Tile(
            artwork: artwork(listing), title: listing.title, language: language(of: listing), line: line(listing),
            link: visit.link(listing.link(in: visit.storefront)), cost: cost(listing))
    }

    func artwork(_ listing: ItemListing) -> Artwork {
        Artwork(
            outline: Artwork.Outline(listing.kind), link: listing.artwork.map(visit.link), title: listing.title)
    }

    /// Nil where the title is in the language of the page.
    func language(of listing: ItemListing) -> String? {
        listing.language.hasPrefix(visit.texts.language.prefix(2)) ? nil : listing.language
    }

    private func line(_ listing: ItemListing) -> String {
        switch listing.kind {
        case .film, .season:
            [listing.genre?.name, visit.year(listing.item.releasedAt)].compactMap(\.self).joined(separator: " · ")
        case .song, .episode:
            [listing.artist.name, listing.parent?.item.name].compactMap(\.self).joined(separator: " · ")
        default: listing.artist.name
        }
    }

    /// What something costs, in a list.
    func cost(_ listing: ItemListing) -> Tile.Cost {
        if owned.contains(listing.storeID) { return .owned(visit.text("shop.owned")) }
        if let price = listing.price { return .price(visit.price(price)) }
        return switch listing.kind {
        case .song: .none(visit.text("shop.album_only"))
        case .episode: .none(visit.text("shop.season_only"))
        default: .none("")
        }
    }
}

extension StorefrontVisit {
    /// Where a file of an item is that everybody may see. Its digest is in the address, so that browsers keep it for ever.
    func link(_ file: ItemFile) -> Link { Link(path: file.publicPath) ?? Link("/") }

    /// Where those fetch a file who have its item.
    func download(_ file: ItemFile) -> Link {
        link("/library/\(file.storeID)/file/\(file.role)/\(file.position)", ("version", file.version))
    }

    /// What a kind is called.
    func name(of kind: ItemKind) -> String {
        switch kind {
        case .song: text("shop.kind_song")
        case .album: text("shop.kind_album")
        case .film: text("shop.kind_film")
        case .season: text("shop.kind_season")
        case .episode: text("shop.kind_episode")
        case .book: text("shop.kind_book")
        case .audiobook: text("shop.kind_audiobook")
        default: text("shop.kind_app")
        }
    }

    /// The heading of several of a kind.
    func heading(of kind: ItemKind) -> String {
        switch kind {
        case .song: text("shop.songs")
        case .album: text("shop.albums")
        case .film: text("shop.films")
        case .season: text("shop.tv")
        case .episode: text("shop.episodes")
        case .book: text("shop.books")
        case .audiobook: text("shop.audiobooks")
        default: text("shop.apps")
        }
    }
}

extension StorefrontSection {
    /// The kind whose newest it shows.
    var kind: ItemKind {
        switch self {
        case .apps: .app
        case .music: .album
        case .films: .film
        case .tv: .season
        case .books: .book
        case .audiobooks: .audiobook
        }
    }

    init(_ kind: ItemKind) {
        self =
            switch kind {
            case .song, .album: .music
            case .film: .films
            case .season, .episode: .tv
            case .book: .books
            case .audiobook: .audiobooks
            default: .apps
            }
    }
}
