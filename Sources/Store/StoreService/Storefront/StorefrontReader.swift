package import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

/// What the pages of the storefront show, each read with a number of statements that does not grow with the catalogue.
package struct StorefrontReader: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// For whom something is read.
    package struct Reader: Hashable, Sendable {
        package let storefront: StorefrontRecord
        /// The favourite first.
        package let languages: [String]
        /// Who is signed in, by whose clock prices hold; nil for everybody else.
        package let scope: WebScope?

        package init(in storefront: StorefrontRecord, languages: [String], scope: WebScope? = nil) {
            (self.storefront, self.languages, self.scope) = (storefront, languages, scope)
        }
    }

    /// Items that a list has at most, wherever it begins.
    package static let most = 10_000
    private static let shelf = 12
    private static let charted = 5
    private static let kinds: [ItemKind] = [.app, .album, .film, .season, .book, .audiobook]

    /// By the clock of the reader, or of the environment.
    func itemView(for reader: Reader) async throws -> ItemView {
        var clock: CustomerClock?
        if let scope = reader.scope {
            clock = try await store.database.lookUp { try CustomerClock.of(scope.customer, in: $0) }
        }
        let now = store.clocks.now(by: clock)
        var view = ItemView(
            store.environment, reader.storefront, languages: reader.languages,
            at: CatalogueMoment(commerce: now.commerce, wall: now.wall, delay: store.policy.propagation))
        view.named = reader.languages.first
        return view
    }

    // MARK: Home and lists

    /// What the home page shows.
    package struct Home: Sendable {
        /// What was chosen, or else the newest that have a wide picture.
        package let features: [ItemListing]
        package let newest: [ItemKind: [ItemListing]]
        package let genres: [ItemKind: [Genre]]
        package let charts: Charts
    }

    /// What was sold most often lately.
    package struct Charts: Sendable {
        package let paidApps: [ItemListing]
        package let freeApps: [ItemListing]
        package let albums: [ItemListing]

        package var all: [ItemListing] { paidApps + freeApps + albums }
    }

    package func home(for reader: Reader) async throws -> Home {
        let (view, environment) = (try await itemView(for: reader), store.environment)
        let ranked = try await ranked()
        return try await store.catalogue.read { transaction in
            var features = try ItemShelf.features(in: environment, transaction)
            if features.isEmpty { features = try ItemShelf.newestWide(in: environment, limit: 3, transaction) }
            let newest = try Dictionary(
                uniqueKeysWithValues: Self.kinds.map {
                    ($0, try ItemShelf.newest($0, in: environment, limit: Self.shelf, transaction))
                })
            let genres = try Dictionary(
                uniqueKeysWithValues: Self.kinds.map {
                    ($0, try ItemShelf.genres(of: $0, in: environment, transaction).map(\.genre))
                })
            let sold = try ItemShelf.items(of: ranked, in: transaction)
            let order = ranked.compactMap { sold[$0]?.storeID }
            let all = try ItemShelf.listings(features + newest.values.joined() + order, for: view, in: transaction)
            let known = Dictionary(uniqueKeysWithValues: all.map { ($0.storeID, $0) })
            func charted(_ isWanted: (ItemListing) -> Bool) -> [ItemListing] {
                Array(order.compactMap { known[$0] }.filter(isWanted).prefix(Self.charted))
            }
            return Home(
                features: features.compactMap { known[$0] },
                newest: newest.mapValues { $0.compactMap { known[$0] } }, genres: genres,
                charts: Charts(
                    paidApps: charted { $0.kind == .app && $0.price?.isZero == false },
                    freeApps: charted { $0.kind == .app && $0.price?.isZero == true },
                    albums: charted { $0.kind == .album }))
        }
    }

    /// How many of the last transactions charts count, how far they look back, and how many items they know.
    private static let charts = (transactions: 20_000, time: Duration.seconds(7 * 24 * 60 * 60), items: 100)

    /// What was sold on shelves lately, the most often sold first.
    private func ranked() async throws -> [ItemID] {
        let shelves = try await store.catalogue.lookUp { try ItemShelf.shelves(in: $0) }
        let since = store.clocks.now(by: nil).commerce - Self.charts.time
        return try await store.database.read { transaction in
            try transaction.query(
                """
                SELECT item_id FROM (
                    SELECT id, item_id, app_id, purchase_date, restored_id, ownership FROM store_transaction
                    ORDER BY id DESC LIMIT $3
                ) lately WHERE app_id IN \(.numbers) AND purchase_date >= $2 AND restored_id IS NULL
                    AND ownership = 'PURCHASED' AND NOT EXISTS (
                        SELECT 1 FROM transaction_revocation WHERE transaction_revocation.transaction_id = lately.id)
                GROUP BY item_id ORDER BY count(*) DESC, item_id LIMIT $4
                """, of: shelves, since, Self.charts.transactions, Self.charts.items
            ) { try $0.value(0) }
        }
    }

    /// A page of all items of a kind, or of one genre.
    package struct Category: Sendable {
        package let listings: [ItemListing]
        package let genres: [(genre: Genre, count: Int)]
        package let hasMore: Bool
    }

    /// - Parameter offset: how many are left out, those of the pages before.
    package func category(
        _ kind: ItemKind, genre: Int?, from offset: Int, limit: Int, for reader: Reader
    ) async throws -> Category {
        let (view, environment) = (try await itemView(for: reader), store.environment)
        let start = min(max(0, offset), Self.most)
        return try await store.catalogue.read { transaction in
            let ids = try ItemShelf.newest(
                kind, genre: genre, in: environment, limit: limit + 1, offset: start, transaction)
            return Category(
                listings: try ItemShelf.listings(Array(ids.prefix(limit)), for: view, in: transaction),
                genres: try ItemShelf.genres(of: kind, in: environment, transaction), hasMore: ids.count > limit)
        }
    }

    // MARK: Items and artists

    /// What customers say of an item.
    package typealias Reviews = Ratings.Listing

    /// What the page of an item shows.
    package struct Item: Sendable {
        package let page: ItemPage
        package let reviews: Reviews
        /// Who sells it: its team.
        package let seller: String
    }

    /// The page of an item; nil if the environment does not show it.
    ///
    /// - Parameter reviews: how many texts it has.
    package func item(_ storeID: Int64, reviews: Int, for reader: Reader) async throws -> Item? {
        let view = try await itemView(for: reader)
        let found = try await store.catalogue.read { transaction in
            try ItemShelf.page(of: storeID, for: view, in: transaction).map { page in
                (page, try Teams.find(page.listing.item.teamID, in: transaction)?.name ?? "")
            }
        }
        guard let (page, seller) = found else { return nil }
        let said = try await Ratings(store).list(
            of: storeID, version: page.listing.version?.version.version, for: reader.scope, limit: reviews)
        return Item(page: page, reviews: said, seller: seller)
    }

    /// An app that is not sold in the storefront, and what is sold inside.
    package struct OutsideApp: Sendable {
        package let app: CatalogueApp
        package let seller: String
        package let purchases: [ProductListing]
    }

    /// The app of a number that is no item; nil if there is none, or if production sells nothing inside of it.
    package func outsideApp(_ storeID: Int64, for reader: Reader) async throws -> OutsideApp? {
        guard let id = try? AppID(number: storeID) else { return nil }
        let (view, environment) = (try await itemView(for: reader), store.environment)
        return try await store.catalogue.read { transaction in
            guard let app = try Catalogue.app(id, in: transaction), !app.isShelf,
                try environment == .sandbox || Catalogue.isLive(id, in: transaction),
                try Catalogue.obstacle(of: app, at: view.moment.wall, in: transaction) != .suspended
            else { return nil }
            let seller = try Teams.find(app.teamID, in: transaction)?.name ?? ""
            return OutsideApp(
                app: app, seller: seller, purchases: try ItemShelf.purchases(in: app, for: view, transaction))
        }
    }

    /// An item as lists show it; nil if the environment does not show it.
    package func listing(_ storeID: Int64, for reader: Reader) async throws -> ItemListing? {
        let view = try await itemView(for: reader)
        return try await store.catalogue.lookUp { try ItemShelf.listing(storeID, for: view, in: $0) }
    }

    /// Some items, in their order, without those that the environment does not show.
    package func listings(_ ids: [Int64], for reader: Reader) async throws -> [ItemListing] {
        let view = try await itemView(for: reader)
        return try await store.catalogue.read { try ItemShelf.listings(ids, for: view, in: $0) }
    }

    /// A page of what customers say of an item; nil if the environment does not show it.
    ///
    /// - Parameter id: the last text of the page before.
    package func reviews(
        of storeID: Int64, before id: ReviewID?, limit: Int, for reader: Reader
    ) async throws -> (item: ItemListing, reviews: Reviews)? {
        guard let listing = try await listing(storeID, for: reader) else { return nil }
        let said = try await Ratings(store).list(
            of: storeID, version: listing.version?.version.version, for: reader.scope, before: id, limit: limit)
        return (listing, said)
    }

    /// A text about an item, which is still shown.
    package func review(_ id: ReviewID) async throws -> CustomerReview? {
        try await store.database.lookUp { transaction in
            try CustomerReviews.find(id, in: transaction).flatMap { $0.state == .shown && $0.text != nil ? $0 : nil }
        }
    }

    /// An artist, and what is here of them.
    package struct ArtistContent: Sendable {
        package let artist: Artist
        /// A kind after the other, the newest of each first.
        package let works: [(kind: ItemKind, listings: [ItemListing])]
    }

    /// The page of an artist; nil if the environment shows nothing of them.
    package func artist(_ storeID: Int64, limit: Int, for reader: Reader) async throws -> ArtistContent? {
        let (view, environment) = (try await itemView(for: reader), store.environment)
        return try await store.catalogue.read { transaction in
            guard let artist = try Artists.find(storeID, in: transaction) else { return nil }
            let ids = try ItemKind.all.map { kind in
                (kind, try ItemShelf.byArtist(storeID, kind, in: environment, limit: limit, transaction))
            }
            let all = try ItemShelf.listings(ids.flatMap(\.1), for: view, in: transaction)
            guard !all.isEmpty else { return nil }
            let works = ids.map { kind, _ in (kind: kind, listings: all.filter { $0.kind == kind }) }
            return ArtistContent(artist: artist, works: works.filter { !$0.listings.isEmpty })
        }
    }

    // MARK: Files that everybody may see

    /// A file of an item that its page shows, by its digest; nil if the environment does not show it. What is for those who have
    /// the item is never among them.
    package func publicFile(_ digest: String, of storeID: Int64) async throws -> ItemFile? {
        let environment = store.environment
        return try await store.catalogue.lookUp { transaction in
            let files = ItemFiles.shown(try ItemFiles.list(of: storeID, in: transaction), in: environment)
            guard let file = files.first(where: { $0.digest == digest && $0.role != .package }) else { return nil }
            try BlobDamage.requireNone(of: file.blob, in: transaction)
            return file
        }
    }

    // MARK: What is remembered

    /// The state of the catalogue: what was read after it was asked is never older.
    package func revision() async throws -> Int64 { try await ProductLookup(store).revision() }
}
