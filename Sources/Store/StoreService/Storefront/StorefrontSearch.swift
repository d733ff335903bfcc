package import StoreCatalogue
import StoreDatabase
package import StoreModel

/// The search of the storefront, of its pages and of programs alike: what is found, as a reader sees it.
package struct StorefrontSearch: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// One of what was found.
    package enum Found: Hashable, Sendable {
        // Closed: the index has items and artists.
        case item(ItemListing)
        case artist(FoundArtist)
    }

    /// A page of what was found.
    package struct Results: Sendable {
        package var found: [Found] = []
        /// The term that was searched for in the place of the one that nothing has.
        package var corrected: String?
        package var hasMore = false
        /// How customers rate the items.
        package var scores: [Int64: ItemScore] = [:]
        /// The names of the teams that sell the items, by shelf.
        package var sellers: [AppID: String] = [:]
        /// The bundle ids of the apps among it.
        package var bundles: [AppID: BundleID] = [:]
        /// What songs and episodes are part of, with the price of the whole.
        package var parents: [Int64: ItemListing] = [:]
        /// How many discs the albums have that are there, or of which something is.
        package var discs: [Int64: Int] = [:]

        package init() {}

        /// The items among it.
        package var listings: [ItemListing] {
            found.compactMap { found -> ItemListing? in
                guard case .item(let listing) = found else { return nil }
                return listing
            }
        }
    }

    /// What is searched for, with the environment of this store.
    package func request(
        _ term: String, kinds: SearchKinds = [.items, .artists], in storefront: StorefrontRecord
    ) -> ItemSearch.Request {
        ItemSearch.Request(term, kinds: kinds, in: store.environment, storefront)
    }

    /// A page of what is found, the best first.
    ///
    /// - Parameters:
    ///   - language: in which texts are shown wherever there are any; nil leaves it to the storefront.
    ///   - offset: how many are left out, those of the pages before.
    package func results(
        _ request: ItemSearch.Request, language: String?, offset: Int = 0, limit: Int
    ) async throws -> Results {
        let view = view(request.storefront, language)
        let results = try await store.catalogue.read { transaction in
            let limit = min(max(1, limit), SearchLimits.results)
            var request = request
            var results = Results()
            var place = offset
            // What the index has and the shelf does not show, as of a team that is suspended, leaves places free.
            for _ in 0..<Self.rounds {
                let wanted = limit + 1 - results.found.count
                let page = try ItemSearch.find(request, offset: place, limit: wanted, in: transaction)
                if let corrected = page.corrected {
                    results.corrected = corrected
                    request.term = corrected
                }
                request.corrects = false
                results.found += try Self.shown(page.matches.map(\.storeID), for: view, in: transaction)
                place += page.matches.count
                if results.found.count > limit || page.matches.count < wanted { break }
            }
            results.hasMore = results.found.count > limit
            results.found = Array(results.found.prefix(limit))
            return try Self.naming(results, for: view, in: transaction)
        }
        return try await scored(results)
    }

    /// What these numbers name, in their order: items and artists that the environment shows.
    package func lookUp(
        _ ids: [Int64], in storefront: StorefrontRecord, language: String?
    ) async throws -> Results {
        let view = view(storefront, language)
        let results = try await store.catalogue.read { transaction in
            var results = Results()
            results.found = try Self.shown(ids, for: view, in: transaction)
            return try Self.naming(results, for: view, in: transaction)
        }
        return try await scored(results)
    }

    /// The numbers of what is part of an item, or made by an artist, of some kinds: the first ones, or the newest of an artist.
    package func contents(of storeID: Int64, kinds: [ItemKind], limit: Int) async throws -> [Int64] {
        let environment = store.environment
        return try await store.catalogue.read { transaction in
            if let item = try ItemShelf.item(storeID, in: transaction) {
                guard let child = item.kind.child, kinds.contains(child) else { return [] }
                return try Array(ItemShelf.children(of: storeID, in: environment, transaction).prefix(limit))
            }
            return try Array(
                kinds.flatMap {
                    try ItemShelf.byArtist(storeID, $0, in: environment, limit: limit, transaction)
                }.prefix(limit))
        }
    }

    /// The numbers of items by those that others give them.
    package func storeIDs(
        apps: [BundleID] = [], books: [String] = [], trade: [String] = []
    ) async throws -> [Int64] {
        try await store.catalogue.read { transaction in
            try ItemLookup.storeIDs(ofApps: apps, in: transaction)
                + ItemLookup.storeIDs(ofBooks: books, in: transaction)
                + ItemLookup.storeIDs(ofTrade: trade, in: transaction)
        }
    }

    /// How many of each kind are found.
    package func counts(_ request: ItemSearch.Request) async throws -> [SearchKinds: Int] {
        try await store.catalogue.read { try ItemSearch.counts(request, in: $0) }
    }

    /// What might be meant by the beginning of a term.
    package func suggestions(_ request: ItemSearch.Request) async throws -> [ItemSearch.Match] {
        try await store.catalogue.read { try ItemSearch.suggestions(request, in: $0) }
    }

    // MARK: Putting together

    /// How often more is read to fill a page.
    private static let rounds = 4
    /// That of programs that do not say theirs.
    private static let standardLanguage = "en-US"

    private func view(_ storefront: StorefrontRecord, _ language: String?) -> ItemView {
        let now = store.clocks.now(by: nil)
        var view = ItemView(
            store.environment, storefront, languages: [language ?? Self.standardLanguage],
            at: CatalogueMoment(commerce: now.commerce, wall: now.wall, delay: store.policy.propagation))
        view.named = language
        return view
    }

    private static func shown(
        _ ids: [Int64], for view: ItemView, in transaction: any ReadTransaction
    ) throws -> [Found] {
        let listings = try ItemShelf.listings(ids, for: view, in: transaction)
        let items = Dictionary(uniqueKeysWithValues: listings.map { ($0.storeID, $0) })
        let artists = try FoundArtist.list(ids.filter { items[$0] == nil }, in: view.environment, transaction)
        var seen: Set<Int64> = []
        return ids.filter { seen.insert($0).inserted }.compactMap { id in
            items[id].map(Found.item) ?? artists[id].map(Found.artist)
        }
    }

    /// Adds what the items are named with.
    private static func naming(
        _ results: Results, for view: ItemView, in transaction: any ReadTransaction
    ) throws -> Results {
        var results = results
        let listings = results.listings
        results.sellers = try Teams.find(ofApps: Array(Set(listings.map(\.product.appID))), in: transaction)
            .mapValues(\.name)
        results.bundles = try Catalogue.apps(all: listings.compactMap(\.item.appID), in: transaction)
            .mapValues(\.bundleID)
        let parents = Set(listings.compactMap(\.parent?.item.storeID))
        results.parents = try Dictionary(
            uniqueKeysWithValues: ItemShelf.listings(parents.sorted(), for: view, in: transaction).map {
                ($0.storeID, $0)
            })
        results.discs = try ItemLookup.discs(
            of: parents.union(listings.filter { $0.kind == .album }.map(\.storeID)), in: transaction)
        return results
    }

    private func scored(_ results: Results) async throws -> Results {
        var results = results
        let versions = results.listings.compactMap { listing in
            listing.version.map { (listing.storeID, $0.version.version) }
        }
        results.scores = try await Ratings(store).scores(
            of: results.listings.map(\.storeID), versions: Dictionary(uniqueKeysWithValues: versions))
        return results
    }
}
