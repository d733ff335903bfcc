package import StoreDatabase
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
        _ cause: CatalogueCause, in transaction: any WriteTransaction
    ) throws -> ProductChange {
        guard let product = try product(draft.productID, of: app, in: transaction) else {
            if !isCounted { try requirePlaces(for: 1, in: app, transaction) }
            let item = try number()
            let noted = try CatalogueAudit.note(.product(item), "entered", cause, in: transaction) {
                try add(draft, of: app, as: item, cause.at, transaction)
                try ProductReviews.advance(.edited, item, cause, in: transaction)
                try settle(draft.rest, of: item, cause.part, in: transaction)
                if isApproved { try ProductReviews.advance(.approvedAtOnce, item, cause, in: transaction) }
            }
            return ProductChange(before: noted.before, after: noted.after)
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
        let noted = try CatalogueAudit.note(.product(product.itemID), "changed", cause, in: transaction) {
            try update(product, by: draft, isApproved: isApproved, cause, transaction)
            try settle(draft.rest, of: product.itemID, cause.part, in: transaction)
            if isApproved { try ProductReviews.advance(.approvedAtOnce, product.itemID, cause, in: transaction) }
        }
        let change = ProductChange(before: noted.before, after: noted.after)
        guard !change.changedNothing else { return change }
        try transaction.update("product", ["changed_at": cause.at], where: ["item_id": product.itemID])
        return change
    }

    private static func update(
        _ product: CatalogueProduct, by draft: ProductDraft, isApproved: Bool, _ cause: CatalogueCause,
        _ transaction: any WriteTransaction
    ) throws {
        let details = try details(of: product, in: transaction)
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
        if let group = draft.groupID { try SubscriptionGroups.ensure(group, of: product.appID, in: transaction) }
        try transaction.update(
            "product",
            [
                "reference_name": draft.referenceName, "is_family_shareable": draft.isFamilyShareable,
                "period": draft.period, "group_id": draft.groupID, "base_amount": basePrice?.minorUnits,
                "base_currency": basePrice?.currency,
            ], where: ["item_id": product.itemID])
        for storefront in stale.keys { try removePrice(of: product.itemID, in: storefront, transaction) }
        try write([:], newPrices, of: product.itemID, transaction)
        try ProductReviews.setTexts(newTexts, of: product, isApproved: isApproved, cause, in: transaction)
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
        _ cause: CatalogueCause, in transaction: any WriteTransaction
    ) throws {
        let code = StorefrontCode(storefront)
        if case .own(let price) = price {
            try ProductDraft.check(price, in: storefront, field: "amount")
            try product.kind.checkFree(price, field: "amount")
        }
        try change(product, "price in \(code)", cause, in: transaction) {
            try PriceChanges.forgetPast(of: product, in: storefront, at: cause.at, transaction)
            try transaction.execute(
                "DELETE FROM product_withdrawal WHERE item_id = $1 AND storefront = $2", product.itemID, code)
            switch price {
            case .own(let price):
                try write([:], [code: price], of: product.itemID, transaction)
            case .derived:
                try removePrice(of: product.itemID, in: code, transaction)
            case .notSold:
                try removePrice(of: product.itemID, in: code, transaction)
                try transaction.insert(
                    into: "product_withdrawal", ["item_id": product.itemID, "storefront": code])
            }
            try ProductReviews.complete(product.itemID, cause, in: transaction)
        }
    }

    /// Sets what a product costs everywhere but where storefronts have a price of their own in another currency.
    package static func setBasePrice(
        _ price: Money, of product: CatalogueProduct, _ cause: CatalogueCause, in transaction: any WriteTransaction
    ) throws {
        try ProductDraft.check(price, field: "amount")
        try product.kind.checkFree(price, field: "amount")
        try change(product, "price", cause, in: transaction) {
            try PriceChanges.forgetPast(of: product, in: nil, at: cause.at, transaction)
            try transaction.update(
                "product", ["base_amount": price.minorUnits, "base_currency": price.currency],
                where: ["item_id": product.itemID])
            try transaction.execute(
                "DELETE FROM product_price WHERE item_id = $1 AND currency = $2", product.itemID, price.currency)
            try ProductReviews.complete(product.itemID, cause, in: transaction)
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
        _ product: CatalogueProduct, _ cause: CatalogueCause, in transaction: any WriteTransaction
    ) throws {
        try cause.require(.review, in: .production)
        guard product.state != .approved else { return }
        try change(product, "approved", cause, in: transaction) {
            try ProductReviews.advance(.approvedAtOnce, product.itemID, cause, in: transaction)
        }
    }

    /// Clears a product for sale, or withdraws it.
    package static func setClearedForSale(
        _ isCleared: Bool, _ product: CatalogueProduct, _ cause: CatalogueCause, in transaction: any WriteTransaction
    ) throws {
        guard product.isClearedForSale != isCleared else { return }
        try change(product, isCleared ? "cleared for sale" : "withheld", cause, in: transaction) {
            try transaction.update(
                "product", ["is_cleared_for_sale": isCleared], where: ["item_id": product.itemID])
            if isCleared {
                try transaction.update("product", ["shelved_at": cause.at], where: ["item_id": product.itemID])
            }
            try ProductReviews.advance(.cleared(isCleared), product.itemID, cause, in: transaction)
        }
    }

    /// Removes a product for good. Customers keep what they bought; its id is never used again.
    package static func remove(
        _ product: CatalogueProduct, _ cause: CatalogueCause, in transaction: any WriteTransaction
    ) throws {
        try change(product, "removed", cause, in: transaction) {
            try transaction.execute(
                "UPDATE product SET removed_at = $2 WHERE item_id = $1 AND removed_at IS NULL", product.itemID, cause.at
            )
        }
    }

    /// Makes a change of a product, and notes it.
    static func change(
        _ product: CatalogueProduct, _ action: String, _ cause: CatalogueCause, in transaction: any WriteTransaction,
        _ body: () throws -> Void
    ) throws {
        try CatalogueAudit.audit(.product(product.itemID), action, cause, in: transaction) {
            try body()
            try transaction.update("product", ["changed_at": cause.at], where: ["item_id": product.itemID])
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
