import StoreDatabase
import StoreModel
import StoreRules

/// An item as the feed has it: in English, in all its languages, and with its price in every storefront.
struct FeedItem {
    let listing: ItemListing
    /// In order of their languages, whose bytes are compared.
    let texts: [(language: String, text: ProductText)]
    /// What is new in the newest version of an app, by language.
    let notes: [String: String]
    /// Where it is sold by itself, in order of the numbers of the storefronts.
    let prices: [(storefront: StorefrontRecord, price: Money)]
    /// Who sells it; nil where nobody knows.
    let seller: String?

    var id: Int64 { listing.storeID }
    var facts: ItemFacts { listing.item.facts }
    /// The numbers of its genre and of those that it is part of, in their order.
    var genres: [Int] { (listing.genre?.path ?? [facts.genreID]).sorted() }

    private static let storefronts = StorefrontRecord.all.sorted { $0.id < $1.id }

    /// Hands over what an environment shows of some kinds, page by page, in order of the store ids.
    static func forEach(
        of kinds: [ItemKind], for view: FeedView, in transaction: any ReadTransaction,
        _ body: (FeedItem) throws -> Void
    ) throws {
        var last: Int64 = 0
        while true {
            let ids = try numbers(of: kinds, after: last, view.environment, transaction)
            for item in try items(ids, view, transaction) { try body(item) }
            guard ids.count == FeedLimits.page, let end = ids.last else { return }
            last = end
        }
    }

    private static func numbers(
        of kinds: [ItemKind], after last: Int64, _ environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [Int64] {
        guard let first = kinds.first else { return [] }
        let others = kinds.dropFirst()
        // The kind is written so that no index of it is used: by that, each page would read and sort everything of the kind.
        return try transaction.query(
            """
            SELECT item.store_id FROM item JOIN product ON product.item_id = item.item_id
            WHERE \(ItemShelf.isShown(in: environment)) AND item.store_id > $1 AND item.kind || '' IN ($2, $3, $4)
            ORDER BY item.store_id LIMIT $5
            """, last, first, others.first ?? first, others.dropFirst().first ?? first, FeedLimits.page
        ) { try $0.value(0) }
    }

    private static func items(
        _ ids: [Int64], _ view: FeedView, _ transaction: any ReadTransaction
    ) throws -> [FeedItem] {
        let listings = try ItemShelf.listings(
            ids,
            for: ItemView(view.environment, view.storefront, languages: ["en-US"], at: view.moment), in: transaction)
        let products = listings.map(\.product)
        let texts = try Catalogue.texts(of: products.map(\.itemID), in: view.environment, transaction)
        let prices = try FeedPrices(of: products, in: view.environment, transaction)
        let apps = listings.compactMap(\.item.appID)
        let notes = try AppVersionNotes.list(ofApps: apps, in: transaction)
        let teams = try Teams.find(ofApps: products.map(\.appID), in: transaction)
        return listings.map { listing in
            let version = listing.item.appID.flatMap { app in
                listing.version.map { AppVersionNotes.Key(app: app, version: $0.version.version) }
            }
            return FeedItem(
                listing: listing,
                texts: (texts[listing.product.itemID] ?? [:]).map { (language: $0.key, text: $0.value) }.sorted {
                    $0.language.utf8.lexicographicallyPrecedes($1.language.utf8)
                },
                notes: version.flatMap { notes[$0] } ?? [:],
                prices: isSold(listing)
                    ? prices.all(of: listing.product, in: storefronts, at: view.moment.commerce) : [],
                seller: teams[listing.product.appID]?.name)
        }
    }

    /// Whether it is sold anywhere, whether or not the storefront of the listing has a price.
    private static func isSold(_ listing: ItemListing) -> Bool {
        listing.obstacle.map { $0 == .notInStorefront } ?? true
    }
}

/// What some products cost everywhere.
private struct FeedPrices {
    private var own: [ItemID: [StorefrontCode: Money]] = [:]
    private var withdrawn: [ItemID: Set<StorefrontCode>] = [:]
    private let changes: [ItemID: [PriceChange]]

    init(
        of products: [CatalogueProduct], in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws {
        let editions = try ProductEditions.published(of: products, in: environment, transaction)
        changes = try PriceChanges.list(
            of: products.filter { $0.firstPriceChangeAt != nil }.map(\.itemID), in: transaction
        ).merging(editions.mapValues(\.priceChanges)) { $1 }
        let ids = products.map(\.itemID)
        let prices = try transaction.query(
            "SELECT item_id, storefront, amount, currency FROM product_price WHERE item_id IN \(.numbers)", of: ids
        ) { row in
            var cells = row.cells
            return try (
                item: cells.next(as: ItemID.self), storefront: cells.next(as: StorefrontCode.self),
                price: cells.nextMoney()
            )
        }
        for row in prices { own[row.item, default: [:]][row.storefront] = row.price }
        let taken = try transaction.query(
            "SELECT item_id, storefront FROM product_withdrawal WHERE item_id IN \(.numbers)", of: ids
        ) { row in
            var cells = row.cells
            return try (item: cells.next(as: ItemID.self), storefront: cells.next(as: StorefrontCode.self))
        }
        for row in taken { withdrawn[row.item, default: []].insert(row.storefront) }
        for (item, edition) in editions { (own[item], withdrawn[item]) = (edition.ownPrices, edition.withdrawn) }
    }

    func all(
        of product: CatalogueProduct, in storefronts: [StorefrontRecord], at now: Instant
    ) -> [(storefront: StorefrontRecord, price: Money)] {
        let (own, withdrawn) = (own[product.itemID] ?? [:], withdrawn[product.itemID] ?? [])
        guard product.basePrice != nil || !own.isEmpty || product.firstPriceChangeAt != nil else { return [] }
        return storefronts.compactMap { storefront in
            let code = StorefrontCode(storefront)
            let timeline = PriceTimeline(
                of: product, own: own[code], isWithdrawn: withdrawn.contains(code), in: storefront,
                changes: changes[product.itemID] ?? [])
            guard let price = timeline.price(at: now), price.currency == storefront.currency else { return nil }
            return (storefront, price)
        }
    }
}

extension FeedView {
    /// In whose words and prices columns are that have one.
    var storefront: StorefrontRecord {
        // The storefront of the United States is one of the table's.
        StorefrontRecord.storefront(alpha3: "USA") ?? StorefrontRecord.all[0]
    }

    /// The address of a page; nil where nobody knows where the store is.
    func address(of link: StoreLink) -> String? { address.map { "\($0)\(link.path)" } }

    /// The address of a picture or a sample.
    func address(of file: ItemFile?) -> String? {
        file.flatMap { file in address.map { "\($0)\(file.publicPath)" } }
    }
}
