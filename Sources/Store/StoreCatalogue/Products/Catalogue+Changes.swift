import StoreDatabase
package import StoreModel
import StoreRules

extension Catalogue {
    /// Enters a product, or brings the one of its id up to the draft. Texts and prices that the draft does not have stay, but
    /// for own prices in the currency of its base price, in whose place that holds. Nor does a product come back to a
    /// storefront that it was taken out of.
    ///
    /// Throws ``CatalogueError`` if the id belongs to a product of another kind or to one that was removed.
    ///
    /// - Parameters:
    ///   - number: gives the number of a product that is new.
    ///   - isApproved: whether production sells it from now on. It never takes an approval back.
    ///   - isCounted: whether it was checked that the app may have this product too.
    @discardableResult
    package static func put(
        _ draft: ProductDraft, of app: AppID, number: () throws -> ItemID, isApproved: Bool, isCounted: Bool = false,
        _ change: CatalogueChange
    ) throws -> ProductChange {
        guard let product = try product(draft.productID, of: app, in: change.transaction) else {
            if !isCounted { try requirePlaces(for: 1, in: app, change.transaction) }
            let item = try number()
            let noted = try CatalogueAudit.note(.product(item), "entered", change) {
                try add(draft, of: app, as: item, change.at, change.transaction)
                try ProductReviews.advance(.edited, item, change)
                try settle(draft.rest, of: item, change.part)
                if isApproved { try ProductReviews.advance(.approvedAtOnce, item, change) }
            }
            return ProductChange(before: noted.before, after: noted.after)
        }
        guard !product.awaitsRemoval else {
            throw CatalogueError(
                .stateWrong,
                "\(product.productID) was removed, which waits for its publication; till catalogue discard takes that back"
            )
        }
        guard product.removedAt == nil else {
            throw CatalogueError(
                .productRemoved,
                "the id \(draft.productID) belonged to a product that was removed, and is never used again")
        }
        guard product.kind == draft.kind else {
            throw CatalogueError(
                .kindFixed, "\(draft.productID) is of the kind \(product.kind), which never changes")
        }
        let noted = try CatalogueAudit.note(.product(product.itemID), "changed", change) {
            try update(product, by: draft, isApproved: isApproved, change)
            try settle(draft.rest, of: product.itemID, change.part)
            if isApproved { try ProductReviews.advance(.approvedAtOnce, product.itemID, change) }
        }
        let made = ProductChange(before: noted.before, after: noted.after)
        guard !made.changedNothing else { return made }
        try change.transaction.update("product", ["changed_at": change.at], where: ["item_id": product.itemID])
        return made
    }

    private static func update(
        _ product: CatalogueProduct, by draft: ProductDraft, isApproved: Bool, _ change: CatalogueChange
    ) throws {
        let details = try details(of: product, in: change.transaction)
        let hasNewRow =
            (product.referenceName, product.isFamilyShareable, product.period, product.groupID) != (
                draft.referenceName, draft.isFamilyShareable, draft.period, draft.groupID
            )
        let newTexts = draft.texts.filter { details.newestTexts[$0.key] != $0.value }
        let newPrices = draft.prices.filter { details.ownPrices[$0.key] != $0.value }
        let basePrice = draft.basePrice ?? product.basePrice
        let stale = details.ownPrices.filter { code, price in
            (draft.rest.hasAllPrices || price.currency == draft.basePrice?.currency) && draft.prices[code] == nil
        }
        guard
            hasNewRow || basePrice != product.basePrice || !newTexts.isEmpty || !newPrices.isEmpty || !stale.isEmpty
        else { return }
        if let group = draft.groupID { try SubscriptionGroups.ensure(group, of: product.appID, in: change.transaction) }
        try change.transaction.update(
            "product",
            [
                "reference_name": draft.referenceName, "is_family_shareable": draft.isFamilyShareable,
                "period": draft.period, "group_id": draft.groupID, "base_amount": basePrice?.minorUnits,
                "base_currency": basePrice?.currency,
            ], where: ["item_id": product.itemID])
        for storefront in stale.keys { try removePrice(of: product.itemID, in: storefront, change.transaction) }
        try write([:], newPrices, of: product.itemID, change.transaction)
        try ProductReviews.setTexts(newTexts, of: product, isApproved: isApproved, change)
    }

    /// Throws if an app may not have so many more products.
    static func requirePlaces(for more: Int, in app: AppID, _ transaction: any ReadTransaction) throws {
        let count = try transaction.value("SELECT count(*) FROM product WHERE app_id = $1", app, as: Int.self)
        guard count + more <= CatalogueLimits.products else {
            throw CatalogueError(.limitReached, "an app has at most \(CatalogueLimits.products) products")
        }
    }

    private static func add(
        _ draft: ProductDraft, of app: AppID, as item: ItemID, _ now: Instant, _ transaction: any WriteTransaction
    ) throws {
        if let group = draft.groupID { try SubscriptionGroups.ensure(group, of: app, in: transaction) }
        try transaction.insert(
            into: "product",
            [
                "item_id": item, "app_id": app, "product_id": draft.productID, "kind": draft.kind,
                "reference_name": draft.referenceName, "state": ProductState.missingMetadata, "is_live": false,
                "is_cleared_for_sale": true, "is_family_shareable": draft.isFamilyShareable, "period": draft.period,
                "group_id": draft.groupID, "created_at": now, "changed_at": now,
                "base_amount": draft.basePrice?.minorUnits, "base_currency": draft.basePrice?.currency,
                "hosts_content": false, "shelved_at": now,
            ])
        try write(draft.texts, draft.prices, of: item, transaction)
    }

    static func write(
        _ texts: [String: ProductText], _ prices: [StorefrontCode: Money], of item: ItemID,
        _ transaction: any WriteTransaction
    ) throws {
        for (language, text) in texts {
            try transaction.insertOrUpdate(
                "product_text", ["title": text.title, "description": text.description],
                key: ["item_id": item, "language": language])
        }
        for (storefront, price) in prices {
            try transaction.insertOrUpdate(
                "product_price", ["amount": price.minorUnits, "currency": price.currency],
                key: ["item_id": item, "storefront": storefront])
        }
    }
}

extension Catalogue {
    /// Sets what a product costs in a storefront, or takes it out of there.
    package static func setPrice(
        _ price: StorefrontPrice, of product: CatalogueProduct, in storefront: StorefrontRecord,
        _ change: CatalogueChange
    ) throws {
        let code = StorefrontCode(storefront)
        if case .own(let price) = price {
            try ProductDraft.check(price, in: storefront, field: "amount")
            try product.kind.checkFree(price, field: "amount")
        }
        try Self.change(product, "price in \(code)", change) {
            try PriceChanges.forgetPast(of: product, in: storefront, at: change.at, change.transaction)
            try change.transaction.execute(
                "DELETE FROM product_withdrawal WHERE item_id = $1 AND storefront = $2", product.itemID, code)
            switch price {
            case .own(let price):
                try write([:], [code: price], of: product.itemID, change.transaction)
            case .derived:
                try removePrice(of: product.itemID, in: code, change.transaction)
            case .notSold:
                try removePrice(of: product.itemID, in: code, change.transaction)
                try change.transaction.insert(
                    into: "product_withdrawal", ["item_id": product.itemID, "storefront": code])
            }
            try ProductReviews.complete(product.itemID, change)
        }
    }

    /// Sets what a product costs everywhere but where storefronts have a price of their own in another currency.
    package static func setBasePrice(
        _ price: Money, of product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        try ProductDraft.check(price, field: "amount")
        try product.kind.checkFree(price, field: "amount")
        try Self.change(product, "price", change) {
            try PriceChanges.forgetPast(of: product, in: nil, at: change.at, change.transaction)
            try change.transaction.update(
                "product", ["base_amount": price.minorUnits, "base_currency": price.currency],
                where: ["item_id": product.itemID])
            try change.transaction.execute(
                "DELETE FROM product_price WHERE item_id = $1 AND currency = $2", product.itemID, price.currency)
            try ProductReviews.complete(product.itemID, change)
        }
    }

    private static func removePrice(
        of item: ItemID, in storefront: StorefrontCode, _ transaction: any WriteTransaction
    ) throws {
        try transaction.execute(
            "DELETE FROM product_price WHERE item_id = $1 AND storefront = $2", item, storefront)
    }

    /// Lets production sell a product, without a review.
    package static func approve(
        _ product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        try change.require(.review, in: .production)
        guard product.state != .approved else { return }
        let missing = try ItemShelf.item(of: product.itemID, in: change.transaction).map {
            try ItemFiles.missing(of: $0, in: change.transaction)
        }
        if let missing, !missing.isEmpty {
            // Whoever bought it would have nothing.
            throw CatalogueError(.stateWrong, "\(product.productID) lacks " + missing.joined(separator: ", "))
        }
        try Self.change(product, "approved", change) {
            try ProductReviews.advance(.approvedAtOnce, product.itemID, change)
        }
    }

    /// Clears a product for sale, or withdraws it.
    package static func setClearedForSale(
        _ isCleared: Bool, _ product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        guard product.isClearedForSale != isCleared else { return }
        try Self.change(product, isCleared ? "cleared for sale" : "withheld", change) {
            try change.transaction.update(
                "product", ["is_cleared_for_sale": isCleared], where: ["item_id": product.itemID])
            if isCleared {
                try change.transaction.update("product", ["shelved_at": change.at], where: ["item_id": product.itemID])
            }
            try ProductReviews.advance(.cleared(isCleared), product.itemID, change)
        }
    }

    /// Removes a product for good. Customers keep what they bought; its id is never used again.
    package static func remove(
        _ product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        try Self.change(product, "removed", change) {
            try change.transaction.execute(
                "UPDATE product SET removed_at = $2 WHERE item_id = $1 AND removed_at IS NULL", product.itemID,
                change.at
            )
        }
    }

    /// Makes a change of a product, and notes it.
    static func change(
        _ product: CatalogueProduct, _ action: String, _ change: CatalogueChange,
        _ body: () throws -> Void
    ) throws {
        try CatalogueAudit.audit(.product(product.itemID), action, change) {
            try body()
            try change.transaction.update("product", ["changed_at": change.at], where: ["item_id": product.itemID])
        }
    }
}

/// What a product costs in one storefront.
package enum StorefrontPrice: Hashable, Sendable {
    // Closed: these are the three things that can be said of it.
    case own(Money)
    /// What its base price comes to.
    case derived
    /// It is not sold there.
    case notSold
}

/// What putting a product into the catalogue did: what was and what is, in JSON.
package struct ProductChange: Hashable, Sendable {
    let before: String?
    let after: String?

    package var isNew: Bool { before == nil }
    package var changedNothing: Bool { before == after }
}
