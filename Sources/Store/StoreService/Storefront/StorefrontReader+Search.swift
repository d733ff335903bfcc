package import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

/// What the pages of the storefront show of a search.
extension StorefrontReader {
    /// What was found, a page of it.
    package struct Found: Sendable {
        /// The best first.
        package let listings: [ItemListing]
        package let artists: [Artist]
        /// How much there is of each kind of item, on all pages.
        package let counts: [ItemKind: Int]
        /// What was looked for in place of what was typed, of which nothing has all words.
        package let corrected: String?
        /// Where there is something else of the kind, if nothing was found.
        package let elsewhere: [StorefrontRecord]

        package var count: Int { counts.values.reduce(0, +) }
    }

    /// What has the words of a term.
    ///
    /// - Parameters:
    ///   - kinds: only these; empty for all.
    ///   - others: the countries that are looked through where nothing is found.
    package func search(
        _ term: String, kinds: Set<ItemKind> = [], from offset: Int, limit: Int, for reader: Reader,
        others: [StorefrontRecord]
    ) async throws -> Found {
        let (view, environment) = (try await itemView(for: reader), store.environment)
        let artistsShown = Self.artistsShown
        return try await store.catalogue.read { transaction in
            var request = ItemSearch.Request(term, kinds: Self.kinds(kinds), in: environment, reader.storefront)
            let found = try ItemSearch.find(request, offset: offset, limit: limit, in: transaction)
            if let corrected = found.corrected { request.term = corrected }
            request.corrects = false
            request.kinds = .items
            let counts = try Self.counts(ItemSearch.counts(request, in: transaction))
            var elsewhere: [StorefrontRecord] = []
            if counts.isEmpty {
                for other in others where other != reader.storefront {
                    let there = ItemSearch.Request(term, kinds: .items, in: environment, other)
                    if try !ItemSearch.counts(there, in: transaction).isEmpty { elsewhere.append(other) }
                }
            }
            request.kinds = .artists
            let isFirst = kinds.isEmpty && offset == 0
            let makers = try isFirst ? ItemSearch.find(request, limit: artistsShown, in: transaction).matches : []
            let known = try Artists.find(all: makers.map(\.storeID), in: transaction)
            return Found(
                listings: try ItemShelf.listings(found.matches.map(\.storeID), for: view, in: transaction),
                artists: makers.compactMap { known[$0.storeID] }, counts: counts, corrected: found.corrected,
                elsewhere: elsewhere)
        }
    }

    /// Artists beside what they made.
    private static let artistsShown = 6

    private static let kindsOfSearch: [(kind: ItemKind, kinds: SearchKinds)] = [
        (.app, .apps), (.song, .songs), (.album, .albums), (.film, .films), (.season, .seasons),
        (.episode, .episodes), (.book, .books), (.audiobook, .audiobooks),
    ]

    private static func kinds(_ kinds: Set<ItemKind>) -> SearchKinds {
        guard !kinds.isEmpty else { return .items }
        return kindsOfSearch.filter { kinds.contains($0.kind) }.reduce(into: []) { $0.insert($1.kinds) }
    }

    private static func counts(_ found: [SearchKinds: Int]) -> [ItemKind: Int] {
        found.reduce(into: [:]) { counts, entry in
            guard let kind = kindsOfSearch.first(where: { $0.kinds == entry.key })?.kind else { return }
            counts[kind, default: 0] += entry.value
        }
    }

    /// Something that may be meant by the beginning of a term: an item or an artist.
    package enum Suggestion: Sendable {
        // Closed: what the search knows.
        case item(ItemListing)
        case artist(Artist)
    }

    /// What may be meant by the beginning of a term.
    package func suggestions(_ term: String, for reader: Reader) async throws -> [Suggestion] {
        let (view, environment) = (try await itemView(for: reader), store.environment)
        return try await store.catalogue.read { transaction in
            let request = ItemSearch.Request(term, in: environment, reader.storefront)
            let matches = try ItemSearch.suggestions(request, in: transaction)
            let ids = matches.map(\.storeID)
            let listings = try ItemShelf.listings(ids, for: view, in: transaction)
            let items = Dictionary(uniqueKeysWithValues: listings.map { ($0.storeID, $0) })
            let artists = try Artists.find(all: ids, in: transaction)
            return matches.compactMap { match in
                items[match.storeID].map(Suggestion.item) ?? artists[match.storeID].map(Suggestion.artist)
            }
        }
    }

    /// The item whose number somebody typed: its store id, an ISBN, or the bar code of an album; nil if there is none.
    package func item(numbered text: String, for reader: Reader) async throws -> ItemListing? {
        let digits = text.filter { $0 != "-" && $0 != " " }
        guard !digits.isEmpty, digits.utf8.count <= 18, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        let view = try await itemView(for: reader)
        return try await store.catalogue.read { transaction in
            let ids = try ItemShelf.numbered(digits, in: transaction)
            return try ItemShelf.listings(ids, for: view, in: transaction).first
        }
    }
}
