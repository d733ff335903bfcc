package import StoreDatabase
import StoreModel
import StoreRules

extension ItemShelf {
    /// The item of a store id as a reader sees it; nil if the environment does not show it.
    package static func listing(
        _ storeID: Int64, for view: ItemView, in transaction: any ReadTransaction
    ) throws -> ItemListing? {
        try listings([storeID], for: view, in: transaction).first
    }

    /// The items of these store ids as a reader sees them, in this order, without those that the environment does not show; as
    /// many statements, however many items there are.
    ///
    /// - Parameter isKept: whether what is no longer on the shelf is shown too, for those who have it.
    package static func listings(
        _ ids: [Int64], for view: ItemView, isKept: Bool = false, in transaction: any ReadTransaction
    ) throws -> [ItemListing] {
        let reading = try ItemReading(ids, for: view, isKept: isKept, in: transaction)
        var seen: Set<Int64> = []
        return ids.filter { seen.insert($0).inserted }.compactMap(reading.listing)
    }

    /// Everything that the page of an item shows; nil if the environment does not show it.
    package static func page(
        of storeID: Int64, for view: ItemView, in transaction: any ReadTransaction
    ) throws -> ItemPage? {
        guard let listing = try listing(storeID, for: view, in: transaction) else { return nil }
        let environment = view.environment
        let children =
            listing.kind.isCollection ? try children(of: storeID, in: environment, transaction) : []
        let related = try related(to: listing.item, in: environment, limit: ItemLimits.related, transaction)
        let others = try byArtist(
            listing.artist.storeID, listing.kind, in: environment, limit: ItemLimits.related + 1, transaction
        ).filter { $0 != storeID }
        let parent = listing.item.facts.parent
        let all = try ItemReading(
            children + related + others + [parent].compactMap(\.self), for: view, isKept: false, in: transaction)
        let app = try listing.item.appID.flatMap { try Catalogue.app($0, in: transaction) }
        return ItemPage(
            listing: listing, parent: parent.flatMap(all.listing), children: children.compactMap(all.listing),
            related: related.compactMap(all.listing),
            byArtist: others.prefix(ItemLimits.related).compactMap(all.listing),
            purchases: try app.map { try purchases(in: $0, for: view, transaction) } ?? [], bundleID: app?.bundleID)
    }

    /// What an app sells inside.
    package static func purchases(
        in app: CatalogueApp, for view: ItemView, _ transaction: any ReadTransaction
    ) throws -> [ProductListing] {
        guard try Catalogue.obstacle(of: app, at: view.moment.wall, in: transaction) == nil else { return [] }
        let products = try Catalogue.products(
            of: app.id, limit: ItemLimits.listed, in: view.environment, transaction)
        return try Catalogue.listings(
            for: products.map(\.productID.text), app: app, environment: view.environment, storefront: view.storefront,
            languages: view.languages, at: view.moment, in: transaction
        ).listings
    }
}

/// What is read of some items at once, to be put together.
private struct ItemReading {
    /// A product, and what the storefront has of its own.
    struct Sold {
        let product: CatalogueProduct
        let own: Money?
        let isWithdrawn: Bool
    }

    private let view: ItemView
    private let isKept: Bool
    private let items: [Int64: CatalogueItem]
    private let sold: [ItemID: Sold]
    private let texts: [ItemID: [String: ProductText]]
    private let prices: [ItemID: [PriceChange]]
    private let artists: [Int64: Artist]
    private let files: [Int64: [ItemFile]]
    private let counts: [Int64: Int]
    private let apps: [AppID: CatalogueApp]
    private let obstacles: [AppID: ProductObstacle]
    private let versions: [AppID: [AppVersion]]
    private let notes: [AppVersionNotes.Key: [String: String]]

    init(
        _ ids: [Int64], for view: ItemView, isKept: Bool, in transaction: any ReadTransaction
    ) throws {
        (self.view, self.isKept) = (view, isKept)
        var items = try ItemShelf.items(ids, in: transaction)
        let parents = items.values.compactMap(\.facts.parent).filter { items[$0] == nil }
        items.merge(try ItemShelf.items(parents, in: transaction)) { $1 }
        if view.environment == .sandbox {
            for (id, facts) in try ItemDrafts.facts(of: items.keys, in: transaction) { items[id]?.facts = facts }
        }
        let products = items.values.map(\.itemID)
        let (found, editions) = try Self.sold(products, in: view.storefront, view.environment, transaction)
        sold = found
        texts = try Catalogue.texts(of: products, in: view.environment, transaction)
        prices = try PriceChanges.list(
            of: found.values.map(\.product).filter { $0.firstPriceChangeAt != nil }.map(\.itemID), in: transaction
        ).merging(editions.mapValues(\.priceChanges)) { $1 }
        artists = try Artists.find(all: items.values.map(\.facts.artistID), in: transaction)
        files = try ItemFiles.list(of: items.keys, in: transaction)
        counts = try Self.childCounts(
            of: items.values.filter(\.kind.isCollection).map(\.storeID), in: view.environment, transaction)
        apps = try Catalogue.apps(all: sold.values.map(\.product.appID), in: transaction)
        obstacles = try Catalogue.obstacles(of: Array(apps.values), at: view.moment.wall, in: transaction)
        let sellers = items.values.compactMap(\.appID)
        versions = try AppVersions.list(ofApps: sellers, in: transaction)
        notes = try AppVersionNotes.list(ofApps: sellers, in: transaction)
        self.items = items
    }

    /// The products, and the editions of those that production sells otherwise than they were drafted.
    private static func sold(
        _ ids: [ItemID], in storefront: StorefrontRecord, _ environment: StoreEnvironment,
        _ transaction: any ReadTransaction
    ) throws -> ([ItemID: Sold], [ItemID: ProductEdition]) {
        let found = try transaction.query(
            """
            SELECT \(CatalogueProduct.columns), amount, currency, product_withdrawal.storefront
            FROM product LEFT JOIN product_price
                ON product_price.item_id = product.item_id AND product_price.storefront = $2
                LEFT JOIN product_withdrawal
                ON product_withdrawal.item_id = product.item_id AND product_withdrawal.storefront = $2
            WHERE product.item_id IN \(.numbers)
            """, of: ids, storefront.alpha3
        ) { row in
            var cells = row.cells
            return try Sold(
                product: CatalogueProduct(&cells), own: cells.nextMoneyIfAny(),
                isWithdrawn: cells.next(as: String?.self) != nil)
        }
        let editions = try ProductEditions.published(of: found.map(\.product), in: environment, transaction)
        let code = StorefrontCode(storefront)
        let sold = found.map { sold in
            guard let edition = editions[sold.product.itemID] else { return (sold.product.itemID, sold) }
            return (
                sold.product.itemID,
                Sold(
                    product: sold.product.published(by: edition), own: edition.ownPrices[code],
                    isWithdrawn: edition.withdrawn.contains(code))
            )
        }
        return (Dictionary(uniqueKeysWithValues: sold), editions)
    }

    private static func childCounts(
        of ids: [Int64], in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [Int64: Int] {
        let found = try transaction.query(
            """
            SELECT item.parent_id, count(*) FROM item JOIN product ON product.item_id = item.item_id
            WHERE \(ItemShelf.isShown(in: environment)) AND item.parent_id IN \(.numbers) GROUP BY item.parent_id
            """, of: ids
        ) { row in
            var cells = row.cells
            return try (cells.next(as: Int64.self), cells.next(as: Int.self))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    // MARK: Putting together

    func listing(_ id: Int64) -> ItemListing? {
        guard let item = items[id], let sold = sold[item.itemID], let artist = artists[item.facts.artistID],
            let app = apps[sold.product.appID], isKept || isShown(sold.product, of: app)
        else { return nil }
        let texts = texts[item.itemID] ?? [:]
        guard let language = view.language(of: texts.keys, primary: app.primaryLanguage), let text = texts[language]
        else { return nil }
        let (price, obstacle) = sale(
            of: sold, in: app, isEmpty: item.kind.isCollection && counts[id, default: 0] == 0)
        let known = item.appID.flatMap { versions[$0] } ?? []
        let shown = ItemFiles.shown(files[id] ?? [], in: view.environment, versions: known)
        return ItemListing(
            item: item, product: sold.product, artist: artist,
            title: text.title.isEmpty ? item.facts.name : text.title, description: text.description,
            language: language, price: price, obstacle: obstacle, files: shown, parent: parent(of: item),
            childCount: counts[id] ?? 0, version: version(of: item, among: known, with: shown))
    }

    private func isShown(_ product: CatalogueProduct, of shelf: CatalogueApp) -> Bool {
        product.removedAt == nil && product.isClearedForSale && product.review.isSold(in: view.environment)
            && obstacles[shelf.id] != .suspended
    }

    private func sale(
        of sold: Sold, in app: CatalogueApp, isEmpty: Bool
    ) -> (price: Money?, obstacle: ProductObstacle?) {
        let product = sold.product
        let timeline = PriceTimeline(
            of: product, own: sold.own, isWithdrawn: sold.isWithdrawn, in: view.storefront,
            changes: prices[product.itemID] ?? [])
        let price = timeline.price(at: view.moment.commerce)
        let obstacle =
            obstacles[app.id]
            ?? ProductObstacle.first(
                of: product.review, isRemoved: product.removedAt != nil, isClearedForSale: product.isClearedForSale,
                period: nil, price: price,
                arrival: product.reachesCustomers(of: view.environment, after: view.moment.delay),
                in: view.environment, view.storefront, at: view.moment.wall)
            ?? (isEmpty ? .empty : nil)
        return (obstacle == nil ? price : nil, obstacle)
    }

    private func parent(of item: CatalogueItem) -> ItemListing.Parent? {
        guard let id = item.facts.parent, let parent = items[id], let product = sold[parent.itemID]?.product,
            let shelf = apps[product.appID], isKept || isShown(product, of: shelf)
        else { return nil }
        let artwork = ItemFiles.shown(files[id] ?? [], in: view.environment).first { $0.role == .artwork }
        return ItemListing.Parent(item: parent, artwork: artwork, childCount: counts[id] ?? 0)
    }

    private func version(
        of item: CatalogueItem, among versions: [AppVersion], with files: [ItemFile]
    ) -> ItemListing.Version? {
        let known = versions.filter { version in
            view.environment == .production
                ? version.review.state == .approved
                : ![.rejected, .developerRejected].contains(version.review.state)
        }
        // What somebody gets: a version without a package is nothing that can be fetched.
        let complete = known.last { version in
            files.contains { $0.role == .package && $0.version == version.version }
        }
        guard let app = item.appID, let newest = complete ?? known.last else { return nil }
        let notes = notes[AppVersionNotes.Key(app: app, version: newest.version)] ?? [:]
        let language = view.language(of: notes.keys, primary: "en-US")
        return ItemListing.Version(
            version: newest, note: language.flatMap { notes[$0] },
            packages: files.filter { $0.role == .package && $0.version == newest.version })
    }
}
