import StoreDatabase
package import StoreModel
package import StoreRules

/// For whom items are looked up.
package struct ItemView: Sendable {
    package let environment: StoreEnvironment
    package let storefront: StorefrontRecord
    /// Those of the reader, the favourite first.
    package let languages: [String]
    package let moment: CatalogueMoment
    /// A language that was asked for by name, as that of a page is: texts in it are shown wherever there are any.
    package var named: String?

    package init(
        _ environment: StoreEnvironment, _ storefront: StorefrontRecord, languages: [String], at moment: CatalogueMoment
    ) {
        (self.environment, self.storefront) = (environment, storefront)
        (self.languages, self.moment) = (languages, moment)
    }

    /// The best of the languages that there are texts in; nil if there are none.
    func language(of available: some Sequence<String>, primary: String) -> String? {
        let spoken = available.sorted()
        return named.flatMap { TextLanguage.named($0, among: spoken) }
            ?? TextLanguage.best(of: spoken, for: languages, in: storefront, primary: primary)
    }
}

/// An item as one reader sees it: in the reader's language, with the price of the storefront.
package struct ItemListing: Hashable, Sendable {
    package let item: CatalogueItem
    package let product: CatalogueProduct
    package let artist: Artist
    package let title: String
    package let description: String
    /// The language of both.
    package let language: String
    /// What it costs by itself; nil if it is not sold by itself there.
    package let price: Money?
    /// Why it is not sold; nil if it is.
    package let obstacle: ProductObstacle?
    /// Those that the environment shows, in order of role and position.
    package let files: [ItemFile]
    /// The album of a song, the season of an episode.
    package let parent: Parent?
    /// How many songs or episodes it has that the environment shows.
    package let childCount: Int
    /// Of an app: the newest that the environment has with a package, or else the newest.
    package let version: Version?

    /// What an item is part of.
    package struct Parent: Hashable, Sendable {
        package let item: CatalogueItem
        package let artwork: ItemFile?
        /// How many songs or episodes it has that the environment shows.
        package let childCount: Int
    }

    /// A version of an app, and what is new in it in the reader's language.
    package struct Version: Hashable, Sendable {
        package let version: AppVersion
        package let note: String?
        /// Of this version alone.
        package let packages: [ItemFile]
    }

    package var storeID: Int64 { item.storeID }
    package var kind: ItemKind { item.kind }
    package var genre: Genre? { item.facts.genre }

    /// Its own picture, or that of what it is part of.
    package var artwork: ItemFile? { files(.artwork).first ?? parent?.artwork }

    package func files(_ role: ItemFile.Role) -> [ItemFile] { files.filter { $0.role == role } }

    /// The canonical link of its page: a song and an episode are on that of what they are part of.
    package func link(in storefront: StorefrontRecord?) -> StoreLink { item.link(in: storefront, parent: parent?.item) }

    /// The canonical link of the page of its artist.
    package func artistLink(in storefront: StorefrontRecord?) -> StoreLink { artist.link(in: storefront) }
}

/// Everything that the page of an item shows, but for what customers say of it.
package struct ItemPage: Hashable, Sendable {
    package let listing: ItemListing
    /// What it is part of.
    package let parent: ItemListing?
    /// The songs of an album, the episodes of a season, in order.
    package let children: [ItemListing]
    /// Others of its kind and genre.
    package let related: [ItemListing]
    /// Others of its artist.
    package let byArtist: [ItemListing]
    /// What an app sells inside.
    package let purchases: [ProductListing]
    /// Of an app.
    package let bundleID: BundleID?
}

extension CatalogueItem {
    /// The canonical link of its page.
    ///
    /// - Parameter parent: the album of a song, the season of an episode.
    package func link(in storefront: StorefrontRecord?, parent: CatalogueItem?) -> StoreLink {
        guard let parent else { return StoreLink(kind.page, named: facts.name, storeID: storeID, in: storefront) }
        return StoreLink(
            parent.kind.page, named: parent.facts.name, storeID: parent.storeID, item: storeID, in: storefront)
    }
}

extension Artist {
    /// The canonical link of the page of the artist.
    package func link(in storefront: StorefrontRecord?) -> StoreLink {
        StoreLink(kind == .developer ? .developer : .artist, named: name, storeID: storeID, in: storefront)
    }
}

extension ItemKind {
    /// The page that shows it, where it is not part of anything.
    package var page: StorePage {
        switch self {
        case .song: .song
        case .album: .album
        case .film: .movie
        case .season: .season
        case .episode: .episode
        case .book: .book
        case .audiobook: .audiobook
        default: .app
        }
    }
}
