import StoreDatabase
import StoreModel
import StoreRules

/// Where an edition of products is kept.
// Closed: one is what the sandbox sells, the other is what production does while that was not published.
enum EditionTables: Sendable {
    case newest, published

    fileprivate var products: SQL {
        self == .newest
            ? "SELECT \(Self.columns) FROM product WHERE item_id IN \(.numbers)"
            : "SELECT \(Self.columns) FROM published_product WHERE item_id IN \(.numbers)"
    }

    private static let columns: SQL = """
        item_id, is_cleared_for_sale, is_family_shareable, period, group_id, level, tax_category, base_amount,
        base_currency, shelved_at, removed_at
        """

    fileprivate var product: SQL { self == .newest ? "product" : "published_product" }
    fileprivate var price: SQL { self == .newest ? "product_price" : "published_price" }
    fileprivate var withdrawal: SQL { self == .newest ? "product_withdrawal" : "published_withdrawal" }
    fileprivate var priceChange: SQL { self == .newest ? "product_price_change" : "published_price_change" }

    fileprivate var prices: SQL {
        self == .newest
            ? "SELECT item_id, storefront, amount, currency FROM product_price WHERE item_id IN \(.numbers)"
            : "SELECT item_id, storefront, amount, currency FROM published_price WHERE item_id IN \(.numbers)"
    }

    fileprivate var withdrawals: SQL {
        self == .newest
            ? "SELECT item_id, storefront FROM product_withdrawal WHERE item_id IN \(.numbers)"
            : "SELECT item_id, storefront FROM published_withdrawal WHERE item_id IN \(.numbers)"
    }

    /// The tables of what a product has several of, in an order in which their rows may be dropped.
    fileprivate var parts: [SQL] {
        self == .newest
            ? ["product_offer_price", "product_offer", "product_price_change", "product_withdrawal", "product_price"]
            : [
                "published_offer_price", "published_offer", "published_price_change", "published_withdrawal",
                "published_price",
            ]
    }
}

extension ProductEdition {
    fileprivate init(_ cells: inout RowCells) throws {
        isClearedForSale = try cells.next()
        isFamilyShareable = try cells.next()
        period = try cells.next()
        groupID = try cells.next()
        level = try cells.next()
        taxCategory = try cells.next(as: String?.self).map(TaxCategory.init)
        basePrice = try cells.nextMoneyIfAny()
        shelvedAt = try cells.next()
        removedAt = try cells.next()
    }

    fileprivate var row: RowValues {
        [
            "is_cleared_for_sale": isClearedForSale, "is_family_shareable": isFamilyShareable, "period": period,
            "group_id": groupID, "level": level, "tax_category": taxCategory?.rawValue,
            "base_amount": basePrice?.minorUnits, "base_currency": basePrice?.currency, "shelved_at": shelvedAt,
            "removed_at": removedAt,
        ]
    }
}

/// Editions of products, read and written as a whole.
enum ProductEditions {
    /// The editions of some products; six statements, however many these are.
    static func list(
        of ids: some Sequence<ItemID>, in tables: EditionTables, _ transaction: any ReadTransaction
    ) throws -> [ItemID: ProductEdition] {
        let ids = Array(ids)
        var found: [ItemID: ProductEdition] = [:]
        guard !ids.isEmpty else { return found }
        _ = try transaction.query(tables.products, of: ids) { row in
            var cells = row.cells
            let item = try cells.next(as: ItemID.self)
            found[item] = try ProductEdition(&cells)
        }
        _ = try transaction.query(tables.prices, of: ids) { row in
            var cells = row.cells
            let (item, storefront) = (try cells.next(as: ItemID.self), try cells.next(as: StorefrontCode.self))
            found[item]?.ownPrices[storefront] = try cells.nextMoney()
        }
        _ = try transaction.query(tables.withdrawals, of: ids) { row in
            var cells = row.cells
            found[try cells.next(as: ItemID.self)]?.withdrawn.insert(try cells.next())
        }
        for (item, changes) in try PriceChanges.list(of: ids, in: tables, transaction) {
            found[item]?.priceChanges = changes
        }
        for (item, offers) in try SubscriptionOffers.list(of: ids, in: tables, transaction) {
            found[item]?.offers = offers
        }
        return found
    }

    static func edition(
        of item: ItemID, in tables: EditionTables, _ transaction: any ReadTransaction
    ) throws -> ProductEdition? {
        try list(of: [item], in: tables, transaction)[item]
    }

    /// What production sells otherwise than it is written in the products; nothing of what has no draft, nor in the sandbox.
    static func published(
        of products: some Sequence<CatalogueProduct>, in environment: StoreEnvironment,
        _ transaction: any ReadTransaction
    ) throws -> [ItemID: ProductEdition] {
        guard environment == .production else { return [:] }
        return try list(
            of: products.filter { $0.draftedAt != nil }.map(\.itemID), in: .published, transaction)
    }

    /// Keeps an edition as what production sells.
    static func publish(
        _ edition: ProductEdition, of item: ItemID, by author: String, _ transaction: any WriteTransaction
    ) throws {
        try transaction.insert(
            into: "published_product", edition.row + ["item_id": item, "drafted_by": author, "revision": 0])
        try writeParts(of: edition, item, in: .published, transaction)
    }

    /// Makes an edition the newest one.
    static func restore(
        _ edition: ProductEdition, of item: ItemID, _ transaction: any WriteTransaction
    ) throws {
        var row = edition.row
        row = row + ["first_price_change_at": edition.priceChanges.first?.startsAt]
        try transaction.update("product", row, where: ["item_id": item])
        for part in EditionTables.newest.parts {
            try transaction.execute("DELETE FROM \(part) WHERE item_id = $1", item)
        }
        try writeParts(of: edition, item, in: .newest, transaction)
    }

    /// Forgets what production sold before: from now on it sells what is newest.
    static func forget(_ items: [ItemID], _ transaction: any WriteTransaction) throws {
        for part in EditionTables.published.parts + ["published_product"] {
            for item in items { try transaction.execute("DELETE FROM \(part) WHERE item_id = $1", item) }
        }
    }

    private static func writeParts(
        of edition: ProductEdition, _ item: ItemID, in tables: EditionTables, _ transaction: any WriteTransaction
    ) throws {
        for (storefront, price) in edition.ownPrices {
            try transaction.insert(
                into: tables.price,
                [
                    "item_id": item, "storefront": storefront, "amount": price.minorUnits,
                    "currency": price.currency,
                ])
        }
        for storefront in edition.withdrawn {
            try transaction.insert(into: tables.withdrawal, ["item_id": item, "storefront": storefront])
        }
        for change in edition.priceChanges {
            try transaction.insert(
                into: tables.priceChange,
                [
                    "item_id": item, "storefront": change.storefront?.rawValue ?? "", "starts_at": change.startsAt,
                    "amount": change.price.minorUnits, "currency": change.price.currency,
                ])
        }
        for offer in edition.offers { try SubscriptionOffers.write(offer, of: item, in: tables, transaction) }
    }
}
