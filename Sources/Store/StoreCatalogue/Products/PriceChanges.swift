package import StoreDatabase
package import StoreModel
import StoreRules

/// A price that holds from a moment on.
package struct PriceChange: Hashable, Sendable {
    /// Where; nil for all storefronts without a price of their own.
    package let storefront: StorefrontCode?
    package let startsAt: Instant
    package let price: Money

    /// What distinguishes it from all others of a product: its moment, to the millisecond, and where it holds.
    var name: String {
        let isWhole = startsAt.millisecondsSinceEpoch.isMultiple(of: 1000)
        return "\(isWhole ? startsAt.rfc3339 : startsAt.rfc3339Milliseconds) \(storefront?.rawValue ?? "everywhere")"
    }
}

/// A price of a product of an app that begins.
package struct PriceStart: Hashable, Sendable {
    package let app: BundleID
    package let product: ProductID
    package let change: PriceChange
}

/// Prices that are set beforehand. They hold from their moment on, read by read, so that nothing has to be done when it comes;
/// what was asked of a customer before stays the price of that purchase.
package enum PriceChanges {
    package static let most = 500

    package static func list(
        of product: CatalogueProduct, in transaction: any ReadTransaction
    ) throws -> [PriceChange] {
        guard product.firstPriceChangeAt != nil else { return [] }
        return try transaction.query(
            """
            SELECT storefront, starts_at, amount, currency FROM product_price_change WHERE item_id = $1
            ORDER BY starts_at, storefront
            """, product.itemID
        ) { row in
            var cells = row.cells
            let storefront = try cells.next(as: String.self)
            return try PriceChange(
                storefront: storefront.isEmpty ? nil : StorefrontCode(rawValue: storefront), startsAt: cells.next(),
                price: cells.nextMoney())
        }
    }

    /// Those of several products.
    static func list(
        of ids: some Sequence<ItemID>, in transaction: any ReadTransaction
    ) throws -> [ItemID: [PriceChange]] {
        try list(of: ids, in: .newest, transaction)
    }

    /// Those of an edition of several products.
    static func list(
        of ids: some Sequence<ItemID>, in tables: EditionTables, _ transaction: any ReadTransaction
    ) throws -> [ItemID: [PriceChange]] {
        var changes: [ItemID: [PriceChange]] = [:]
        _ = try transaction.query(tables == .newest ? newest : published, of: ids) { row in
            var cells = row.cells
            let (item, storefront) = (try cells.next(as: ItemID.self), try cells.next(as: String.self))
            let change = try PriceChange(
                storefront: storefront.isEmpty ? nil : StorefrontCode(rawValue: storefront), startsAt: cells.next(),
                price: cells.nextMoney())
            changes[item, default: []].append(change)
        }
        return changes
    }

    /// Those of all apps that begin after an instant and until another, the earliest first; at most `limit`.
    package static func starting(
        in span: ClosedRange<Instant>, limit: Int, _ transaction: any ReadTransaction
    ) throws -> [PriceStart] {
        try transaction.query(
            """
            SELECT app.bundle_id, product.product_id, product_price_change.storefront, product_price_change.starts_at,
                product_price_change.amount, product_price_change.currency
            FROM product_price_change JOIN product ON product.item_id = product_price_change.item_id
                JOIN app ON app.app_id = product.app_id
            WHERE product_price_change.starts_at > $1 AND product_price_change.starts_at <= $2
                AND product.removed_at IS NULL
            ORDER BY product_price_change.starts_at, product_price_change.item_id, product_price_change.storefront
            LIMIT $3
            """, span.lowerBound, span.upperBound, limit
        ) { row in
            var cells = row.cells
            let (app, product) = (try cells.next(as: BundleID.self), try cells.next(as: ProductID.self))
            let storefront = try cells.next(as: String.self)
            return try PriceStart(
                app: app, product: product,
                change: PriceChange(
                    storefront: storefront.isEmpty ? nil : StorefrontCode(rawValue: storefront),
                    startsAt: cells.next(), price: cells.nextMoney()))
        }
    }

    private static let newest: SQL = """
        SELECT item_id, storefront, starts_at, amount, currency FROM product_price_change
        WHERE item_id IN \(.numbers) ORDER BY starts_at, storefront
        """

    private static let published: SQL = """
        SELECT item_id, storefront, starts_at, amount, currency FROM published_price_change
        WHERE item_id IN \(.numbers) ORDER BY starts_at, storefront
        """

    /// Sets a price for later, or takes one back that was set for this moment.
    ///
    /// - Parameter storefront: nil for all that have no price of their own.
    package static func set(
        _ price: Money?, of product: CatalogueProduct, in storefront: StorefrontRecord?, from start: Instant,
        _ change: CatalogueChange
    ) throws {
        guard start > change.at else {
            throw CatalogueError(
                .valueInvalid, "it is in the past; a price that holds at once is set without a time", field: "startsAt")
        }
        if let price {
            if let storefront {
                try ProductDraft.check(price, in: storefront, field: "amount")
            } else {
                try ProductDraft.check(price, field: "amount")
            }
            try product.kind.checkFree(price, field: "amount")
            guard try list(of: product, in: change.transaction).count < most else {
                throw CatalogueError(.limitReached, "a product has at most \(most) prices that are set beforehand")
            }
        }
        let place = storefront?.alpha3 ?? ""
        try Catalogue.change(product, "price from \(start.rfc3339)", change) {
            if let price {
                let code = storefront.map { StorefrontCode($0) }
                try insert(
                    PriceChange(storefront: code, startsAt: start, price: price), of: product.itemID, change.transaction
                )
            } else {
                let removed = try change.transaction.execute(
                    "DELETE FROM product_price_change WHERE item_id = $1 AND storefront = $2 AND starts_at = $3",
                    product.itemID, place, start)
                guard removed == 1 else {
                    throw CatalogueError(.nameUnknown, "no price is set for this moment", field: "startsAt")
                }
            }
            try noteFirst(of: product.itemID, change.transaction)
        }
    }

    /// Gives a product exactly these prices that are set beforehand; some may have begun.
    static func replace(
        _ changes: [PriceChange], of product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        guard changes.count <= most else {
            throw CatalogueError(.limitReached, "a product has at most \(most) prices that are set beforehand")
        }
        guard try !(changes.isEmpty && list(of: product, in: change.transaction).isEmpty) else { return }
        try change.transaction.execute("DELETE FROM product_price_change WHERE item_id = $1", product.itemID)
        for price in changes {
            try product.kind.checkFree(price.price, field: "priceChanges")
            try insert(price, of: product.itemID, change.transaction)
        }
        try noteFirst(of: product.itemID, change.transaction)
    }

    private static func insert(
        _ change: PriceChange, of item: ItemID, _ transaction: any WriteTransaction
    ) throws {
        try transaction.insertOrUpdate(
            "product_price_change", ["amount": change.price.minorUnits, "currency": change.price.currency],
            key: ["item_id": item, "storefront": change.storefront?.rawValue ?? "", "starts_at": change.startsAt])
    }

    private static func noteFirst(of item: ItemID, _ transaction: any WriteTransaction) throws {
        try transaction.execute(
            """
            UPDATE product SET first_price_change_at =
                (SELECT min(starts_at) FROM product_price_change WHERE item_id = $1) WHERE item_id = $1
            """, item)
    }

    /// Drops the prices that were set for before now, when somebody sets one that holds at once.
    static func forgetPast(
        of product: CatalogueProduct, in storefront: StorefrontRecord?, at now: Instant,
        _ transaction: any WriteTransaction
    ) throws {
        guard product.firstPriceChangeAt != nil else { return }
        try transaction.execute(
            "DELETE FROM product_price_change WHERE item_id = $1 AND storefront = $2 AND starts_at <= $3",
            product.itemID,
            storefront?.alpha3 ?? "", now)
        try noteFirst(of: product.itemID, transaction)
    }

    /// The price of those that have begun that holds in each storefront; nil stands for all without a price of their own.
    static func begun(_ changes: [PriceChange], at now: Instant?) -> [StorefrontCode?: Money] {
        guard let now else { return [:] }
        return changes.reduce(into: [:]) { if $1.startsAt <= now { $0[$1.storefront] = $1.price } }
    }
}

/// What a product costs in a storefront at one time and another.
package struct PriceTimeline: Sendable {
    private let product: CatalogueProduct
    /// What the storefront has of its own before the first change.
    private let own: Money?
    private let isWithdrawn: Bool
    private let storefront: StorefrontRecord
    /// The moments at which a price begins that was set beforehand, and those prices, the earliest first.
    private let changes: [PriceChange]

    init(
        of product: CatalogueProduct, own: Money?, isWithdrawn: Bool, in storefront: StorefrontRecord,
        changes: [PriceChange]
    ) {
        (self.product, self.own, self.isWithdrawn, self.storefront) = (product, own, isWithdrawn, storefront)
        self.changes = changes
    }

    init(
        of product: CatalogueProduct, own: Money?, isWithdrawn: Bool, in storefront: StorefrontRecord,
        _ transaction: any ReadTransaction
    ) throws {
        self.init(
            of: product, own: own, isWithdrawn: isWithdrawn, in: storefront,
            changes: try PriceChanges.list(of: product, in: transaction))
    }

    /// That of a product of an app, as an environment sells it; nil if the app has no such product.
    package static func of(
        _ product: ProductID, app: AppID, in storefront: StorefrontRecord, _ environment: StoreEnvironment,
        _ transaction: any ReadTransaction
    ) throws -> PriceTimeline? {
        let found = try ProductPage.entries([product], of: app, storefront, environment, in: transaction)[product]
        return try found.map { try PriceTimeline(of: $0, in: storefront, transaction) }
    }

    /// That of an entry of a page.
    init(of entry: ProductPage.Entry, in storefront: StorefrontRecord, _ transaction: any ReadTransaction) throws {
        self.init(
            of: entry.product, own: entry.own, isWithdrawn: entry.isWithdrawn, in: storefront,
            changes: try entry.edition?.priceChanges ?? PriceChanges.list(of: entry.product, in: transaction))
    }

    package func price(at commerce: Instant) -> Money? {
        let begun = PriceChanges.begun(changes, at: commerce)
        return product.price(
            own: begun[StorefrontCode(storefront)] ?? own, base: begun[nil], isWithdrawn: isWithdrawn, in: storefront)
    }

    /// The highest of all its prices, at whatever time; nil if it is not sold there.
    package var highest: Money? {
        ([.earliest] + changes.map(\.startsAt)).compactMap(price).max { $0.minorUnits < $1.minorUnits }
    }

    /// When each of its changes begins.
    var moments: [Instant] { changes.map(\.startsAt) }
}
