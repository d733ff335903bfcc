import StoreDatabase
package import StoreModel
import StoreRules

/// What a product costs in every storefront, as one table: what follows the base price, what was set there, and where it is not
/// sold.
package struct PriceList: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package let storefront: StorefrontRecord
        /// What the base price comes to there.
        package let derived: Money?
        /// What was set for the storefront, which wins.
        package let own: Money?
        package let isWithdrawn: Bool
        /// What customers pay; nil where it is not sold.
        package let price: Money?
        /// The next moment at which they pay something else, and what.
        package let next: PriceChange?

        package var code: StorefrontCode { StorefrontCode(storefront) }

        /// Whether it is neither withdrawn nor has a price of its own.
        package var followsBase: Bool { own == nil && !isWithdrawn }
    }

    package let product: CatalogueProduct
    /// Nil before one was set.
    package let base: Money?
    /// What differs from the base comes first; else in the order of their names.
    package let rows: [Row]
    /// The prices that were set for a moment to come, the earliest first.
    package let changes: [PriceChange]
    package let readAt: Instant

    /// The table of a product at a moment of the clock by which it is sold.
    init(_ details: ProductDetails, at moment: Instant) {
        let begun = PriceChanges.begun(details.priceChanges, at: moment)
        let base = begun[nil] ?? details.product.basePrice
        let rows = StorefrontRecord.all.map { storefront in
            Row(of: details, in: storefront, base: base, own: begun[StorefrontCode(storefront)], at: moment)
        }
        product = details.product
        self.base = base
        self.rows = rows.sorted {
            ($0.followsBase ? 1 : 0, $0.storefront.englishName) < ($1.followsBase ? 1 : 0, $1.storefront.englishName)
        }
        changes = details.priceChanges.filter { $0.startsAt > moment }
        readAt = moment
    }

    package subscript(code: StorefrontCode) -> Row? { rows.first { $0.code == code } }

    package var ownCount: Int { rows.count { $0.own != nil && !$0.isWithdrawn } }
    package var withdrawnCount: Int { rows.count(where: \.isWithdrawn) }
    package var followingCount: Int { rows.count(where: \.followsBase) }
}

extension PriceList.Row {
    /// - Parameter begun: the price of those set beforehand that holds there now.
    fileprivate init(
        of details: ProductDetails, in storefront: StorefrontRecord, base: Money?, own begun: Money?, at moment: Instant
    ) {
        let code = StorefrontCode(storefront)
        let isWithdrawn = details.withdrawn.contains(code)
        let changes = details.priceChanges.filter { $0.storefront == nil || $0.storefront == code }
        // By the same timeline as sales.
        let timeline = PriceTimeline(
            of: details.product, own: details.ownPrices[code], isWithdrawn: isWithdrawn, in: storefront,
            changes: changes)
        let price = timeline.price(at: moment)
        let next = changes.lazy.filter { $0.startsAt > moment }.compactMap { change -> PriceChange? in
            guard let later = timeline.price(at: change.startsAt), later != price else { return nil }
            return PriceChange(storefront: code, startsAt: change.startsAt, price: later)
        }.first
        self.init(
            storefront: storefront,
            derived: details.product.price(own: nil, base: base, isWithdrawn: false, in: storefront),
            own: begun ?? details.ownPrices[code], isWithdrawn: isWithdrawn, price: price, next: next)
    }
}

/// What becomes of the prices of a product, all at once. What it does not name stays.
package struct PriceEdits: Hashable, Sendable {
    /// What storefronts without a price of their own follow; nil leaves it.
    package var base: Money?
    package var storefronts: [StorefrontCode: StorefrontPrice]

    package init(base: Money? = nil, storefronts: [StorefrontCode: StorefrontPrice] = [:]) {
        self.base = base
        self.storefronts = storefronts
    }

    package var isEmpty: Bool { base == nil && storefronts.isEmpty }

    /// An amount as somebody wrote it; the error says what to write instead where that can be seen.
    package static func money(
        _ text: String, in currency: Currency, field: String
    ) throws(CatalogueError) -> Money {
        do {
            return try Money(decimal: text, currency: currency)
        } catch {
            let plain = String(text.replacing(",", with: ".").filter { $0.isASCII && $0.isNumber || $0 == "." })
            let meant = (try? Money(decimal: plain, currency: currency))?.decimalText
            throw CatalogueError(
                .valueInvalid, "it \(error.rule)\(meant.map { "; write \($0)" } ?? "")", field: field)
        }
    }
}

/// What edits of prices did, or would do.
package struct PriceListChange: Hashable, Sendable {
    package let before: PriceList
    package let after: PriceList

    /// The rows that differ, as they were and as they are, in the order of the table.
    package var rows: [(before: PriceList.Row, after: PriceList.Row)] {
        let former = Dictionary(uniqueKeysWithValues: before.rows.map { ($0.code, $0) })
        return after.rows.compactMap { row in
            guard let old = former[row.code] else { return nil }
            let isSame = (old.own, old.isWithdrawn, old.price) == (row.own, row.isWithdrawn, row.price)
            return isSame ? nil : (old, row)
        }
    }

    package var changedNothing: Bool { before.base == after.base && rows.isEmpty }
}
