import StoreDatabase
package import StoreModel

/// What of a product a sale has to know, as the catalogue said it.
package struct SoldItem: Hashable, Sendable {
    package let id: ItemID
    package let product: ProductID
    package let kind: ProductKind
    /// Of subscriptions.
    package let period: BillingPeriod?
    package let group: SubscriptionGroupID?
    package let unitPrice: Money
    package let storefront: StorefrontCode

    package init(
        id: ItemID, product: ProductID, kind: ProductKind, period: BillingPeriod?, group: SubscriptionGroupID?,
        unitPrice: Money, storefront: StorefrontCode
    ) {
        self.id = id
        self.product = product
        self.kind = kind
        self.period = period
        self.group = group
        self.unitPrice = unitPrice
        self.storefront = storefront
    }

    /// A product as a storefront sells it.
    init(_ offer: ProductOffer, _ storefront: StorefrontCode) {
        self.init(
            id: offer.product.itemID, product: offer.product.productID, kind: offer.product.kind,
            period: offer.product.period, group: offer.product.groupID, unitPrice: offer.price,
            storefront: storefront)
    }

    /// The columns `item_id, product_id, kind, period, group_id`.
    struct Product {
        let id: ItemID
        let product: ProductID
        let kind: ProductKind
        let period: BillingPeriod?
        let group: SubscriptionGroupID?

        init(_ cells: inout RowCells) throws {
            id = try cells.next()
            product = try cells.next()
            kind = try cells.next()
            period = try cells.next(as: String?.self).flatMap { try? BillingPeriod(parsing: $0) }
            group = try cells.next()
        }
    }

    /// Reads the columns `storefront, unit_price, currency`, which follow those of the product.
    init(_ product: Product, _ cells: inout RowCells) throws {
        let storefront = try cells.next(as: StorefrontCode.self)
        self.init(
            id: product.id, product: product.product, kind: product.kind, period: product.period,
            group: product.group, unitPrice: try cells.nextMoney(), storefront: storefront)
    }
}

extension ProductKind {
    /// Whether an account has one of it: it is not sold again while it is owned, and not sold twice at once.
    package var isOwnedOnce: Bool { self != .consumable && self != .nonRenewing }
    /// Whether a restore brings it back.
    package var isRestored: Bool { self == .nonConsumable || self == .autoRenewable }
}
