import StoreDatabase
import StoreFoundation
import StoreModel
package import StoreRules

extension Catalogue {
    /// Says what a product is to a tax office.
    package static func setTaxCategory(
        _ category: TaxCategory, of product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        guard category.isKnown else {
            let known = TaxCategory.known.map(\.rawValue).sorted().joined(separator: ", ")
            throw CatalogueError(.valueInvalid, "it is one of \(known)", field: "taxCategory")
        }
        guard category != product.taxCategory ?? .standard else { return }
        try Self.change(product, "tax category \(category)", change) {
            try change.transaction.update(
                "product", ["tax_category": category.rawValue], where: ["item_id": product.itemID])
        }
    }

    /// Lets the store host the content of a product, or not. It can be decided until the product goes live.
    package static func setHosting(
        _ isHosted: Bool, of product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        guard product.kind == .nonConsumable else {
            throw CatalogueError(.valueInvalid, "the store hosts content of non-consumables only", field: "hosting")
        }
        guard try ItemShelf.item(of: product.itemID, in: change.transaction) == nil else {
            throw CatalogueError(
                .valueInvalid, "what is bought of an item of the storefront is its file", field: "hosting")
        }
        guard !product.review.isLive else {
            throw CatalogueError(
                .stateWrong,
                "\(product.productID) is or was on sale, and whether the store hosts content stays as it is")
        }
        guard isHosted != product.hostsContent else { return }
        try Self.change(product, isHosted ? "hosting on" : "hosting off", change) {
            try change.transaction.update("product", ["hosts_content": isHosted], where: ["item_id": product.itemID])
            if !isHosted { try HostedContent.unhostAll(of: product.itemID, change) }
            try ProductReviews.advance(.edited, product.itemID, change)
        }
    }

    /// Gives a product what else a file says of it.
    ///
    /// - Parameter cause: of a part of a change that is noted as a whole.
    static func settle(
        _ rest: ProductDraft.Rest, of item: ItemID, _ change: CatalogueChange
    ) throws {
        guard rest.saysAnything, let product = try product(item, in: change.transaction) else { return }
        if let level = rest.level, level != product.level {
            try change.transaction.update("product", ["level": level], where: ["item_id": item])
        }
        if let category = rest.taxCategory { try setTaxCategory(category, of: product, change) }
        if let isHosted = rest.hostsContent, isHosted != product.hostsContent {
            try setHosting(isHosted, of: product, change)
        }
        if let isCleared = rest.isClearedForSale {
            try setClearedForSale(isCleared, product, change)
        }
        if let withdrawn = rest.withdrawn { try setWithdrawn(withdrawn, of: item, in: change.transaction) }
        if let changes = rest.priceChanges { try PriceChanges.replace(changes, of: product, change) }
        for (kind, offers) in rest.offers {
            try SubscriptionOffers.replace(offers, of: kind, product, change)
        }
        let said: [RowValues?] = [
            rest.category.map { ["category": $0.rawValue] }, rest.delivers.map { ["delivers": $0] },
            rest.reviewNote.map { ["review_note": $0] }, rest.original.map { ["storekit_members": $0.text] },
        ]
        for row in said.compactMap(\.self) { try change.transaction.update("product", row, where: ["item_id": item]) }
    }

    private static func setWithdrawn(
        _ withdrawn: Set<StorefrontCode>, of item: ItemID, in transaction: any WriteTransaction
    ) throws {
        try transaction.execute("DELETE FROM product_withdrawal WHERE item_id = $1", item)
        for storefront in withdrawn {
            try transaction.insert(into: "product_withdrawal", ["item_id": item, "storefront": storefront])
        }
    }
}
