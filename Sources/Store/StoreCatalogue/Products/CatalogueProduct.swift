import StoreDatabase
package import StoreModel
package import StoreRules

/// A product, without its texts and prices.
package struct CatalogueProduct: Hashable, Sendable {
    /// The number by which links and receipts name it.
    package let itemID: ItemID
    package let appID: AppID
    package let productID: ProductID
    /// Never changes.
    package let kind: ProductKind
    /// What its developer calls it; customers never see it.
    package let referenceName: String
    /// How far it is on its way to production.
    package private(set) var review: ProductReview
    package private(set) var isClearedForSale: Bool
    package private(set) var isFamilyShareable: Bool
    /// Of a subscription that renews.
    package private(set) var period: BillingPeriod?
    /// Of a subscription that renews.
    package private(set) var groupID: SubscriptionGroupID?
    package let createdAt: Instant
    package let changedAt: Instant
    /// A product that was removed keeps its row, so that its id is never used again.
    package private(set) var removedAt: Instant?
    /// What it costs wherever no storefront has a price of its own: this, or what ``PriceTable`` makes of it.
    package private(set) var basePrice: Money?
    /// What it is, as its developer said when it was submitted.
    package let category: ProductCategory?
    /// What customers get for it, in the developer's words to the reviewer.
    package let delivers: String?
    package let reviewNote: String?
    /// Its rank in the group, 1 for the highest service; several may share one.
    package private(set) var level: Int?
    package private(set) var taxCategory: TaxCategory?
    package let hostsContent: Bool
    /// When it last came onto the shelves, and into production: changes reach customers only after a while.
    package private(set) var shelvedAt: Instant?
    package let liveAt: Instant?
    /// When the first of its scheduled prices began or begins; nil without any.
    package private(set) var firstPriceChangeAt: Instant?

    /// When it was first changed after its last publication; nil if both environments sell it alike.
    package let draftedAt: Instant?

    package var state: ProductState { review.state }

    /// Whether production does not know that it was removed: that waits for its publication.
    package var awaitsRemoval: Bool { removedAt != nil && draftedAt != nil }

    /// The same as production sells it.
    ///
    /// - Parameter edition: what was published last; nil if that is what is written here.
    func published(by edition: ProductEdition?) -> CatalogueProduct {
        guard let edition else { return self }
        var product = self
        product.review = review.cleared(edition.isClearedForSale)
        product.isClearedForSale = edition.isClearedForSale
        product.isFamilyShareable = edition.isFamilyShareable
        (product.period, product.groupID, product.level) = (edition.period, edition.groupID, edition.level)
        (product.taxCategory, product.basePrice) = (edition.taxCategory, edition.basePrice)
        (product.shelvedAt, product.removedAt) = (edition.shelvedAt, edition.removedAt)
        product.firstPriceChangeAt = edition.priceChanges.first?.startsAt
        return product
    }

    /// When its last change reaches the customers of an environment.
    func reachesCustomers(of environment: StoreEnvironment, after delay: Duration) -> Instant? {
        guard delay > .zero else { return nil }
        let changes = environment == .production ? [shelvedAt, liveAt] : [shelvedAt]
        return changes.compactMap(\.self).max().map { $0 + delay }
    }

    /// What it costs in a storefront; nil if it is not sold there.
    ///
    /// - Parameters:
    ///   - own: the storefront's own price, which wins.
    ///   - base: the base price, if it is not ``basePrice`` any more.
    ///   - isWithdrawn: whether it was taken out of the storefront.
    func price(
        own: Money?, base: Money? = nil, isWithdrawn: Bool, in storefront: StorefrontRecord
    ) -> Money? {
        guard !isWithdrawn else { return nil }
        let price = own ?? (base ?? basePrice).flatMap { PriceTable.price(of: $0, in: storefront.currency) }
        return price.flatMap { $0.minorUnits <= CatalogueLimits.price ? $0 : nil }
    }
}

extension CatalogueProduct {
    static let columns: SQL = """
        product.item_id, app_id, product_id, kind, reference_name, state, is_live, review_version,
        is_cleared_for_sale, is_family_shareable, period, group_id, created_at, changed_at, removed_at, base_amount,
        base_currency, category, delivers, review_note, level, tax_category, hosts_content, shelved_at, live_at,
        first_price_change_at, held_state, drafted_at
        """

    init(_ row: Row) throws {
        var cells = row.cells
        try self.init(&cells)
    }

    init(_ cells: inout RowCells) throws {
        itemID = try cells.next()
        appID = try cells.next()
        productID = try cells.next()
        kind = try cells.next()
        referenceName = try cells.next()
        let (state, isLive, version) = try (
            cells.next(as: ProductState.self), cells.next(as: Bool.self), cells.next(as: String?.self)
        )
        isClearedForSale = try cells.next()
        isFamilyShareable = try cells.next()
        period = try cells.next()
        groupID = try cells.next()
        createdAt = try cells.next()
        changedAt = try cells.next()
        removedAt = try cells.next()
        basePrice = try cells.nextMoneyIfAny()
        category = try cells.next(as: String?.self).map(ProductCategory.init)
        delivers = try cells.next()
        reviewNote = try cells.next()
        level = try cells.next()
        taxCategory = try cells.next(as: String?.self).map(TaxCategory.init)
        hostsContent = try cells.next()
        shelvedAt = try cells.next()
        liveAt = try cells.next()
        firstPriceChangeAt = try cells.next()
        review = ProductReview(
            state: state, isLive: isLive, version: version, held: try cells.next(as: ProductState?.self))
        draftedAt = try cells.next()
    }
}

extension ProductState: ColumnValue {}

/// A product with everything that belongs to it.
package struct ProductDetails: Hashable, Sendable {
    package private(set) var product: CatalogueProduct
    /// By language, `zh-Hans`.
    package let texts: [String: ProductText]
    /// By storefront: what was set there; it wins over what the base price comes to.
    package private(set) var ownPrices: [StorefrontCode: Money]
    /// The storefronts that it was taken out of.
    package private(set) var withdrawn: Set<StorefrontCode>
    /// Texts that production shows once they are approved; the sandbox shows them now.
    package let textChanges: [String: ProductText]
    /// Every price that was set beforehand, the earliest first; those that have begun hold now.
    package private(set) var priceChanges: [PriceChange]
    package let images: [ProductImage]
    /// A picture that production shows once it is approved; the sandbox shows it now.
    package let imageChange: ProductImage?
    /// The moment of which ``prices`` tells.
    let readAt: Instant?

    /// The same as production sells it.
    func published(by edition: ProductEdition) -> ProductDetails {
        var details = self
        details.product = product.published(by: edition)
        (details.ownPrices, details.withdrawn) = (edition.ownPrices, edition.withdrawn)
        details.priceChanges = edition.priceChanges
        return details
    }

    /// The texts as their developer left them.
    package var newestTexts: [String: ProductText] { texts.merging(textChanges) { $1 } }

    /// The pictures as their developer left them.
    package var newestImages: [ProductImage] {
        guard let imageChange else { return images }
        return (images.filter { $0.kind != imageChange.kind } + [imageChange]).sorted {
            $0.kind.rawValue < $1.kind.rawValue
        }
    }

    /// What customers see of an environment: production shows what is approved, the sandbox what is newest.
    package func texts(in environment: StoreEnvironment) -> [String: ProductText] {
        environment == .sandbox ? newestTexts : texts
    }

    package func picture(in environment: StoreEnvironment) -> ProductImage? {
        (environment == .sandbox ? newestImages : images).first { $0.kind == .promotional }
    }

    /// What it costs in every storefront that sells it.
    package var prices: [StorefrontCode: Money] {
        let begun = PriceChanges.begun(priceChanges, at: readAt)
        let prices = StorefrontRecord.all.compactMap { storefront in
            let code = StorefrontCode(storefront)
            return product.price(
                own: begun[code] ?? ownPrices[code], base: begun[nil], isWithdrawn: withdrawn.contains(code),
                in: storefront
            ).map { (code, $0) }
        }
        return Dictionary(uniqueKeysWithValues: prices)
    }

    /// The storefronts that do not sell it because it has no price there, in order of their codes.
    package var unpriced: [StorefrontCode] {
        let priced = prices
        return StorefrontRecord.all.map(StorefrontCode.init).filter { priced[$0] == nil && !withdrawn.contains($0) }
            .sorted { $0.rawValue < $1.rawValue }
    }
}

/// Checks the texts of people before the catalogue keeps them.
package enum CatalogueText {
    /// A text on one line that is not empty.
    package static func line(_ text: String, atMost limit: Int, field: String) throws(CatalogueError) -> String {
        guard !text.isEmpty else { throw CatalogueError(.valueInvalid, "it is empty", field: field) }
        if let flaw = NameRule.flaw(of: text) { throw CatalogueError(.valueInvalid, "it has \(flaw)", field: field) }
        return try bounded(text, atMost: limit, field)
    }

    /// An id that people choose. Letters that look alike are in several scripts, so it has those of ASCII alone.
    static func id(_ text: String, atMost limit: Int, field: String) throws(CatalogueError) -> String {
        guard text.unicodeScalars.allSatisfy(\.isASCII) else {
            throw CatalogueError(.valueInvalid, "it has only characters of ASCII", field: field)
        }
        return try line(text, atMost: limit, field: field)
    }

    /// The title of a product, which may be empty: tests on a Mac do without.
    static func title(
        _ text: String, atMost limit: Int = CatalogueLimits.title, field: String
    ) throws(CatalogueError) -> String {
        text.isEmpty ? text : try line(text, atMost: limit, field: field)
    }

    /// A text of any number of lines.
    package static func lines(_ text: String, atMost limit: Int, field: String) throws(CatalogueError) -> String {
        let isBad = { (scalar: Unicode.Scalar) in
            scalar.properties.generalCategory == .control && !["\n", "\r", "\t"].contains(scalar)
        }
        guard !text.unicodeScalars.contains(where: isBad) else {
            throw CatalogueError(.valueInvalid, "it has a control character", field: field)
        }
        return try bounded(text, atMost: limit, field)
    }

    /// The tag of a language, `zh-Hans`; as files for Xcode write it, `zh_Hans`, too.
    static func language(_ text: String, field: String) throws(CatalogueError) -> String {
        let tag = text.replacing("_", with: "-")
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        let isTag = parts.enumerated().allSatisfy { index, part in
            (index == 0 ? 2...3 : 1...8).contains(part.utf8.count)
                && part.utf8.allSatisfy { isLetter($0) || (index > 0 && (0x30...0x39).contains($0)) }
        }
        guard isTag, tag.utf8.count <= CatalogueLimits.language else {
            throw CatalogueError(.valueInvalid, "it is the tag of a language such as en-US or zh-Hans", field: field)
        }
        return tag
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func bounded(_ text: String, atMost limit: Int, _ field: String) throws(CatalogueError) -> String {
        guard text.unicodeScalars.count <= limit else {
            throw CatalogueError(.valueInvalid, "it has more than \(limit) characters", field: field)
        }
        return text
    }
}
