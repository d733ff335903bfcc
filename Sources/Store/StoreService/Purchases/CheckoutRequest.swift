package import StoreModel
import StoreRules
import StoreSigning

/// What a device wants to buy, at the price it was told.
package struct CheckoutRequest: Sendable {
    package let key: PurchaseKey
    package let item: SoldItem
    package let quantity: Int
    package let accountToken: AppAccountToken?
    /// The hash of the secret that confirms it, and the code for people.
    package let confirmation: Confirmation

    package init(
        key: PurchaseKey, item: SoldItem, quantity: Int, accountToken: AppAccountToken?, confirmation: Confirmation
    ) {
        self.key = key
        self.item = item
        self.quantity = quantity
        self.accountToken = accountToken
        self.confirmation = confirmation
    }

    /// What a repeated request has to be the same in. A device stands for its app; whoever buys for customers names both.
    func fingerprint(in scope: DeviceScope) throws -> [UInt8] {
        let buyer = scope.isOperator ? "\n\(scope.app)\n\(scope.customer?.description ?? "-")" : ""
        return try DigestAlgorithm.sha256.digest(
            "\(item.product)\n\(quantity)\n\(accountToken?.description ?? "-")\(buyer)".utf8)
    }
}

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
}

extension ProductKind {
    /// Whether an account has one of it: it is not sold again while it is owned, and not sold twice at once.
    package var isOwnedOnce: Bool { self != .consumable && self != .nonRenewing }
    /// Whether a restore brings it back.
    package var isRestored: Bool { self == .nonConsumable || self == .autoRenewable }
}
