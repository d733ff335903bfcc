package import StoreDatabase
package import StoreModel

extension OfferKind {
    /// The kind that a developer names.
    package static func named(_ word: String) throws(CatalogueError) -> OfferKind {
        guard let kind = OfferKind(rawValue: word) else {
            let words = allCases.map(\.rawValue).sorted().joined(separator: ", ")
            throw CatalogueError(.valueInvalid, "it is one of \(words)", field: "kind")
        }
        return kind
    }
}

extension OfferPaymentMode {
    /// The mode that a developer names.
    package static func named(_ word: String) throws(CatalogueError) -> OfferPaymentMode {
        guard let mode = OfferPaymentMode(rawValue: word) else {
            let words = allCases.map(\.rawValue).sorted().joined(separator: ", ")
            throw CatalogueError(.valueInvalid, "it is one of \(words)", field: "paymentMode")
        }
        return mode
    }
}

extension SubscriptionOffer {
    /// An offer beside the product that has it.
    fileprivate static let table = rows(of: "product_offer")
    fileprivate static let published = rows(of: "published_offer")

    private static func rows(of table: SQL) -> RowTable<(item: ItemID, offer: SubscriptionOffer)> {
        RowTable(table, columns)
    }

    @ColumnsBuilder<(item: ItemID, offer: SubscriptionOffer)>
    private static func columns() -> [Column<(item: ItemID, offer: SubscriptionOffer)>] {
        Column("item_id", .key) { $0.item }
        Column("offer_id", .key) { $0.offer.id }
        Column("kind") { $0.offer.kind.rawValue }
        Column("reference_name") { $0.offer.referenceName }
        Column("payment_mode") { $0.offer.paymentMode.rawValue }
        Column("period") { $0.offer.period }
        Column("period_count") { $0.offer.periodCount }
        Column("amount") { $0.offer.basePrice?.minorUnits }
        Column("currency") { $0.offer.basePrice?.currency }
        Column("starts_at") { $0.offer.startsAt }
        Column("ends_at") { $0.offer.endsAt }
        Column("eligibility") { OfferEligibility.text($0.offer.audience.eligibility) }
        Column("is_stackable") { $0.offer.audience.isStackable }
        Column("paid_months") { $0.offer.audience.paidMonths }
        Column("lapsed_months") { $0.offer.audience.lapsedMonths }
        Column("wait_months") { $0.offer.audience.waitMonths }
    }

    /// Reads what follows the number of the product.
    fileprivate init(_ cells: inout RowCells, prices: [String: [StorefrontCode: Money]]) throws {
        id = try cells.next()
        kind = try cells.nextWord()
        referenceName = try cells.next()
        paymentMode = try cells.nextWord()
        period = try cells.next()
        periodCount = try cells.next()
        basePrice = try cells.nextMoneyIfAny()
        startsAt = try cells.next()
        endsAt = try cells.next()
        let eligibility = try cells.next(as: String?.self) ?? ""
        audience = try Audience(
            eligibility: Set(eligibility.split(separator: ",").map { OfferEligibility(rawValue: String($0)) }),
            isStackable: cells.next(as: Bool?.self) ?? false, paidMonths: cells.next(), lapsedMonths: cells.next(),
            waitMonths: cells.next())
        self.prices = prices[id] ?? [:]
    }
}

/// An offer of a product of an app that is over.
package struct OfferEnd: Hashable, Sendable {
    package let app: BundleID
    package let product: ProductID
    package let offer: String
    package let endsAt: Instant
}

/// The offers of subscriptions.
package enum SubscriptionOffers {
    /// Of one product, of all kinds (10 promotional ones and 10 of codes).
    package static let most = 100
    /// The periods of an offer of which each is paid.
    package static let mostPeriods = 12
    /// The months in the conditions of a win-back offer.
    package static let mostMonths = 60
    package static let longestID = 100
    /// What the introductory offer is called that has no name of its own.
    package static let introductoryID = "introductory"

    /// The offers of a product, in order of their ids.
    package static func list(of item: ItemID, in transaction: any ReadTransaction) throws -> [SubscriptionOffer] {
        try list(of: [item], in: transaction)[item] ?? []
    }

    /// The offers of some products, at most ``ProductPage/width`` of them.
    static func list(
        of items: [ItemID], in transaction: any ReadTransaction
    ) throws -> [ItemID: [SubscriptionOffer]] {
        guard !items.isEmpty else { return [:] }
        let values = ProductPage.padded(items.map(\.databaseValue))
        var prices: [ItemID: [String: [StorefrontCode: Money]]] = [:]
        try transaction.forEachRow(items.count == 1 ? price : allPrices, binding: values) { row in
            var cells = row.cells
            let (item, offer) = (try cells.next(as: ItemID.self), try cells.next(as: String.self))
            prices[item, default: [:]][offer, default: [:]][try cells.next()] = try cells.nextMoney()
        }
        var found: [ItemID: [SubscriptionOffer]] = [:]
        try transaction.forEachRow(items.count == 1 ? one : all, binding: values) { row in
            var cells = row.cells
            let item = try cells.next(as: ItemID.self)
            found[item, default: []].append(try SubscriptionOffer(&cells, prices: prices[item] ?? [:]))
        }
        return found
    }

    /// Those of all apps that nobody can take any more after an instant and until another; at most `limit`.
    package static func ending(
        in span: ClosedRange<Instant>, limit: Int, _ transaction: any ReadTransaction
    ) throws -> [OfferEnd] {
        try transaction.query(
            """
            SELECT app.bundle_id, product.product_id, product_offer.offer_id, product_offer.ends_at
            FROM product_offer JOIN product ON product.item_id = product_offer.item_id
                JOIN app ON app.app_id = product.app_id
            WHERE product_offer.ends_at > $1 AND product_offer.ends_at <= $2 AND product.removed_at IS NULL
            ORDER BY product_offer.ends_at, product_offer.item_id, product_offer.offer_id LIMIT $3
            """, span.lowerBound, span.upperBound, limit
        ) { row in
            var cells = row.cells
            return try OfferEnd(
                app: cells.next(), product: cells.next(), offer: cells.next(), endsAt: cells.next())
        }
    }

    /// The offers of a product as an environment sells them, in order of their ids.
    package static func list(
        of product: CatalogueProduct, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [SubscriptionOffer] {
        let published = try ProductEditions.published(of: [product], in: environment, transaction)
        return try published[product.itemID]?.offers ?? list(of: product.itemID, in: transaction)
    }

    /// The offers of an edition of any number of products.
    static func list(
        of ids: [ItemID], in tables: EditionTables, _ transaction: any ReadTransaction
    ) throws -> [ItemID: [SubscriptionOffer]] {
        let isNewest = tables == .newest
        var prices: [ItemID: [String: [StorefrontCode: Money]]] = [:]
        _ = try transaction.query(isNewest ? newestPrices : publishedPrices, of: ids) { row in
            var cells = row.cells
            let (item, offer) = (try cells.next(as: ItemID.self), try cells.next(as: String.self))
            prices[item, default: [:]][offer, default: [:]][try cells.next()] = try cells.nextMoney()
        }
        var found: [ItemID: [SubscriptionOffer]] = [:]
        _ = try transaction.query(isNewest ? newest : published, of: ids) { row in
            var cells = row.cells
            let item = try cells.next(as: ItemID.self)
            found[item, default: []].append(try SubscriptionOffer(&cells, prices: prices[item] ?? [:]))
        }
        return found
    }

    private static let newestPrices: SQL = """
        SELECT item_id, offer_id, storefront, amount, currency FROM product_offer_price WHERE item_id IN \(.numbers)
        """
    private static let publishedPrices: SQL = """
        SELECT item_id, offer_id, storefront, amount, currency FROM published_offer_price WHERE item_id IN \(.numbers)
        """
    private static let newest: SQL = """
        SELECT \(SubscriptionOffer.table.columns) FROM product_offer WHERE item_id IN \(.numbers) ORDER BY offer_id
        """
    private static let published: SQL = """
        SELECT \(SubscriptionOffer.published.columns) FROM published_offer WHERE item_id IN \(.numbers)
        ORDER BY offer_id
        """

    private static let price: SQL =
        "SELECT item_id, offer_id, storefront, amount, currency FROM product_offer_price WHERE item_id = $1"
    private static let allPrices: SQL = """
        SELECT item_id, offer_id, storefront, amount, currency FROM product_offer_price
        WHERE item_id IN \(ProductPage.items)
        """
    private static let one: SQL =
        "SELECT \(SubscriptionOffer.table.columns) FROM product_offer WHERE item_id = $1 ORDER BY offer_id"
    private static let all: SQL =
        "SELECT \(SubscriptionOffer.table.columns) FROM product_offer WHERE item_id IN \(ProductPage.items) ORDER BY offer_id"

    /// Gives a product what a draft makes of the offer of its id, or a new one.
    package static func put(
        _ draft: SubscriptionOfferDraft, of product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        let former = try list(of: product.itemID, in: change.transaction).first { $0.id == draft.id }
        if let former { try requireKind(draft.kind, of: former) }
        try put(draft.offer(after: former), of: product, change)
    }

    private static func requireKind(_ kind: OfferKind, of former: SubscriptionOffer) throws(CatalogueError) {
        guard former.kind == kind else {
            throw CatalogueError(
                .nameTaken, "the product has an offer \(former.id) of the kind \(former.kind)", field: "offerId")
        }
    }

    /// Gives a product an offer, in the place of the one of its id.
    package static func put(
        _ offer: SubscriptionOffer, of product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        try offer.check(for: product.kind, product.period)
        let known = try list(of: product.itemID, in: change.transaction)
        let others = known.filter { $0.id != offer.id }
        guard others.count < most else {
            throw CatalogueError(.limitReached, "a product has at most \(most) offers")
        }
        if let former = known.first(where: { $0.id == offer.id }) { try requireKind(offer.kind, of: former) }
        if offer.kind == .introductory,
            let other = others.first(where: { $0.kind == .introductory && $0.overlaps(offer) })
        {
            throw CatalogueError(
                .stateWrong, "the introductory offer \(other.id) is there at the same time", field: "startsAt")
        }
        guard known.first(where: { $0.id == offer.id }) != offer else { return }
        try Catalogue.change(product, "offer \(offer.id)", change) {
            try delete(offer.id, of: product.itemID, change.transaction)
            try write(offer, of: product.itemID, change.transaction)
        }
    }

    /// Gives a product exactly these offers of a kind.
    static func replace(
        _ offers: [SubscriptionOffer], of kind: OfferKind, _ product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        let known = try list(of: product.itemID, in: change.transaction).filter { $0.kind == kind }
        for former in known where !offers.contains(where: { $0.id == former.id }) {
            try delete(former.id, of: product.itemID, change.transaction)
        }
        for offer in offers { try put(offer, of: product, change) }
    }

    /// Takes a product an offer.
    package static func remove(
        _ id: String, of product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        guard try list(of: product.itemID, in: change.transaction).contains(where: { $0.id == id }) else {
            throw CatalogueError(.nameUnknown, "the product has no offer of this id", field: "offerId")
        }
        try Catalogue.change(product, "offer \(id) removed", change) {
            try delete(id, of: product.itemID, change.transaction)
        }
    }

    private static func delete(_ id: String, of item: ItemID, _ transaction: any WriteTransaction) throws {
        try transaction.execute("DELETE FROM product_offer_price WHERE item_id = $1 AND offer_id = $2", item, id)
        try transaction.execute("DELETE FROM product_offer WHERE item_id = $1 AND offer_id = $2", item, id)
    }

    static func write(
        _ offer: SubscriptionOffer, of item: ItemID, in tables: EditionTables = .newest,
        _ transaction: any WriteTransaction
    ) throws {
        let isNewest = tables == .newest
        try transaction.insert((item, offer), into: isNewest ? SubscriptionOffer.table : SubscriptionOffer.published)
        for (storefront, price) in offer.prices {
            try transaction.insert(
                into: isNewest ? "product_offer_price" : "published_offer_price",
                [
                    "item_id": item, "offer_id": offer.id, "storefront": storefront, "amount": price.minorUnits,
                    "currency": price.currency,
                ])
        }
    }
}

extension SubscriptionOffer {
    /// Whether there is a moment at which both can be had.
    fileprivate func overlaps(_ other: SubscriptionOffer) -> Bool {
        let startsFirst = { (one: SubscriptionOffer, other: SubscriptionOffer) in
            guard let start = one.startsAt, let end = other.endsAt else { return true }
            return start < end
        }
        return startsFirst(self, other) && startsFirst(other, self)
    }
}
