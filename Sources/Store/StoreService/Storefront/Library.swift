import Foundation
package import StoreCatalogue
import StoreDatabase
package import StoreModel

/// What customers have of the storefront, for ever: what they bought or got, and what their families share with them.
///
/// A refund or the end of sharing takes something out of it, as it does everything that is bought. What is not sold any more stays.
package struct Library: Sendable {
    let store: EnvironmentStore

    /// The most items of one account that are listed.
    package static let most = 10_000
    /// The most items of a page of the list.
    package static let page = 100

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    // MARK: Who has what

    /// Those of some items that a customer has, by themselves or with the album or season that they are part of.
    package func has(_ ids: some Sequence<Int64> & Sendable, _ scope: WebScope) async throws -> Set<Int64> {
        let asked = Set(ids)
        guard !asked.isEmpty else { return [] }
        let sources = try await store.catalogue.read { [environment = store.environment] in
            try ItemShelf.sources(of: asked, in: environment, $0)
        }
        let charged = Set(sources.values.joined().map(\.item))
        guard !charged.isEmpty else { return [] }
        let owned = try await store.database.read { try Self.owned(charged, scope, in: $0) }
        let had = sources.filter { source in
            source.value.contains { one in owned[one.item].map(one.covers) ?? false }
        }
        return Set(had.keys)
    }

    /// Those of some products that a customer has, and since when.
    private static func owned(
        _ items: Set<ItemID>, _ scope: WebScope, in transaction: any ReadTransaction
    ) throws -> [ItemID: Instant] {
        let found = try transaction.query(
            """
            SELECT store_transaction.item_id, store_transaction.purchase_date
            \(counted) AND store_transaction.item_id IN \(.numbers)
            """, of: items, scope.customer
        ) { row in
            var cells = row.cells
            return (try cells.next(as: ItemID.self), try cells.next(as: Instant.self))
        }
        return Dictionary(found, uniquingKeysWith: min)
    }

    /// The transactions of a customer by which something is owned, without those that were taken back.
    private static let counted: SQL = """
        FROM store_transaction LEFT JOIN transaction_revocation
            ON transaction_revocation.transaction_id = store_transaction.id
        WHERE store_transaction.customer_id = $2 AND store_transaction.kind = 'Non-Consumable'
            AND store_transaction.restored_id IS NULL AND transaction_revocation.transaction_id IS NULL
        """

    /// That something came into a library.
    struct Holding: Hashable, Sendable {
        let item: ItemID
        let transaction: TransactionID
        let sale: SaleID?
        let at: Instant
        let price: Money
        let ownership: OwnershipType
    }

    /// Everything that a customer has on these shelves, each thing once, the newest first.
    static func holdings(
        on shelves: [AppID], of scope: WebScope, in transaction: any ReadTransaction
    ) throws -> [Holding] {
        let found = try transaction.query(
            """
            SELECT store_transaction.item_id, store_transaction.id, store_transaction.order_id,
                store_transaction.purchase_date, store_transaction.price, store_transaction.currency,
                store_transaction.ownership
            \(counted) AND store_transaction.app_id IN \(.numbers)
            ORDER BY store_transaction.purchase_date, store_transaction.id LIMIT $3
            """, of: shelves, scope.customer, most
        ) { row in
            var cells = row.cells
            return try Holding(
                item: cells.next(), transaction: cells.next(), sale: cells.next(), at: cells.next(),
                price: cells.nextMoney(), ownership: cells.next())
        }
        // What was got again for nothing came with the first of its transactions.
        var seen: Set<ItemID> = []
        return found.filter { seen.insert($0.item).inserted }.reversed()
    }

    // MARK: The list

    /// Something that a customer has.
    package struct Entry: Hashable, Sendable {
        package let listing: ItemListing
        /// When it was bought, got or shared.
        package let since: Instant
        /// What it cost; zero of what was free or is shared.
        package let paid: Money
        package let ownership: OwnershipType
        package let order: OrderID?
        /// What can be fetched: the packages of an app, the newest version first; the file of everything else.
        package let files: [ItemFile]
        /// The songs or episodes of what consists of some.
        package let parts: [ItemListing]
        /// What was last fetched of it; nil for nothing.
        package let download: Download?

        /// Whether others can still buy it.
        package var isSold: Bool { listing.obstacle == nil }

        /// How many bytes all of it has; of an app the newest package.
        package var bytes: Int64 {
            let own = listing.kind == .app ? files.prefix(1) : files[...]
            return (own + parts.flatMap { $0.files(.package) }).reduce(0) { $0 + $1.bytes }
        }

        /// Whether there is a version that was not fetched yet, after one that was.
        package var isNewerThanDownload: Bool {
            guard let newest = files.first?.version, let download else { return false }
            return newest != download.version
        }
    }

    /// What a customer last fetched of an item.
    package struct Download: Hashable, Sendable {
        /// Of an app; empty for everything else.
        package let version: String
        package let at: Instant
    }

    /// In what order a library is listed.
    package struct Order: WireValue {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let newest = Order(rawValue: "newest")
        package static let name = Order(rawValue: "name")

        package static let known: Set<Order> = [.newest, .name]
    }

    /// A page of a library.
    package struct Listing: Hashable, Sendable {
        package let entries: [Entry]
        /// How much there is of each kind, whatever was looked for.
        package let counts: [ItemKind: Int]
        /// How much was found, on all pages.
        package let found: Int
    }

    /// What a customer has.
    ///
    /// - Parameters:
    ///   - languages: those of the reader, the favourite first.
    ///   - kinds: only these; empty for all.
    ///   - words: what the name of the item or of its artist has in it; empty for everything.
    ///   - start: how many are left out, those of the pages before.
    package func list(
        of scope: WebScope, languages: [String], kinds: Set<ItemKind> = [], words: String = "",
        by order: Order = .newest, from start: Int = 0, limit: Int = page
    ) async throws -> Listing {
        let shelves = try await store.catalogue.lookUp { try ItemShelf.shelves(in: $0) }
        let holdings = try await store.database.read { try Self.holdings(on: shelves, of: scope, in: $0) }
        let view = try await view(for: scope, languages: languages)
        let limit = min(max(0, limit), Self.page)
        let (shown, counts, found, details) = try await store.catalogue.read { transaction in
            let all = try Self.held(holdings, in: transaction)
            let counts = Dictionary(all.map { ($0.item.kind, 1) }, uniquingKeysWith: +)
            var matching = all.filter { one in
                (kinds.isEmpty || kinds.contains(one.item.kind))
                    && Self.matches(words, [one.item.facts.name, one.artist])
            }
            if order == .name { matching.sort { $0.item.facts.name.lowercased() < $1.item.facts.name.lowercased() } }
            let shown = Array(matching.dropFirst(max(0, start)).prefix(limit))
            return (shown, counts, matching.count, try OwnedDetails(of: shown.map(\.item), for: view, transaction))
        }
        let downloads = try await store.database.read { transaction in
            try Self.downloads(of: shown.map(\.item.storeID), scope, in: transaction)
        }
        let entries = shown.compactMap { one in
            details.listings[one.item.storeID].map { listing in
                Entry(
                    listing: listing, since: one.holding.at, paid: one.holding.price, ownership: one.holding.ownership,
                    order: one.holding.sale.map { OrderID($0, in: view.environment) },
                    files: details.packages(of: one.item),
                    parts: details.parts(of: one.item, since: one.holding.at),
                    download: downloads[one.item.storeID])
            }
        }
        return Listing(entries: entries, counts: counts, found: found)
    }

    private func view(for scope: WebScope, languages: [String]) async throws -> ItemView {
        let clock = try await store.database.lookUp { try CustomerClock.of(scope.customer, in: $0) }
        let now = store.clocks.now(by: clock)
        var view = ItemView(
            store.environment, try scope.storefront.known(), languages: languages,
            at: CatalogueMoment(commerce: now.commerce, wall: now.wall, delay: store.policy.propagation))
        view.named = languages.first
        return view
    }

    /// Something that was found on the shelves.
    private struct Held: Sendable {
        let holding: Holding
        let item: CatalogueItem
        let artist: String
    }

    private static func held(_ holdings: [Holding], in transaction: any ReadTransaction) throws -> [Held] {
        let items = try ItemShelf.items(of: holdings.map(\.item), in: transaction)
        let artists = try Artists.find(all: Set(items.values.map(\.facts.artistID)), in: transaction)
        return holdings.compactMap { holding in
            items[holding.item].map {
                Held(holding: holding, item: $0, artist: artists[$0.facts.artistID]?.name ?? "")
            }
        }
    }

    /// Whether every word is in one of the texts, whatever their case and accents.
    static func matches(_ words: String, _ texts: [String]) -> Bool {
        let folded = texts.map(Self.folded)
        return Self.folded(words).split(separator: " ").allSatisfy { word in folded.contains { $0.contains(word) } }
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    private static func downloads(
        of ids: [Int64], _ scope: WebScope, in transaction: any ReadTransaction
    ) throws -> [Int64: Download] {
        let found = try transaction.query(
            """
            SELECT store_id, version, at FROM item_download WHERE store_id IN \(.numbers) AND customer_id = $2
            """, of: ids, scope.customer
        ) { row in
            var cells = row.cells
            return (try cells.next(as: Int64.self), try Download(version: cells.next(), at: cells.next()))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }
}

/// What a page of a library says of its items, read with a bounded number of statements.
private struct OwnedDetails: Sendable {
    /// By store id, of what is part of something too.
    let listings: [Int64: ItemListing]
    private let children: [Int64: [Int64]]
    /// The newest first.
    private let versions: [AppID: [String]]

    init(of items: [CatalogueItem], for view: ItemView, _ transaction: any ReadTransaction) throws {
        children = try ItemShelf.parts(of: items.filter(\.kind.isCollection).map(\.storeID), in: transaction)
        let ids = items.map(\.storeID) + children.values.joined()
        let found = try ItemShelf.listings(ids, for: view, isKept: true, in: transaction)
        listings = Dictionary(uniqueKeysWithValues: found.map { ($0.storeID, $0) })
        versions = try AppVersions.list(ofApps: items.compactMap(\.appID), in: transaction)
            .mapValues { $0.reversed().map(\.version) }
    }

    /// The songs or episodes that came with what was bought at an instant.
    func parts(of item: CatalogueItem, since bought: Instant) -> [ItemListing] {
        (children[item.storeID] ?? []).compactMap { listings[$0] }
            .filter { ItemShelf.Source(item.itemID, until: $0.product.removedAt).covers(bought) }
    }

    func packages(of item: CatalogueItem) -> [ItemFile] {
        Library.newestFirst(
            listings[item.storeID]?.files(.package) ?? [], among: item.appID.flatMap { versions[$0] } ?? [])
    }
}

extension Library {
    /// Packages in the order of the versions of their app, the newest first; other files as they are.
    static func newestFirst(_ files: [ItemFile], among versions: [String]) -> [ItemFile] {
        let places = Dictionary(versions.enumerated().map { ($1, $0) }) { first, _ in first }
        func place(_ file: ItemFile) -> Int { file.version.flatMap { places[$0] } ?? versions.count }
        return files.sorted { (place($0), $0.position) < (place($1), $1.position) }
    }
}
