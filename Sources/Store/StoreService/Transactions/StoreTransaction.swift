package import StoreModel

/// What a customer got, as the books have it: a row of `store_transaction`, and whether it was taken back since.
///
/// ```swift
/// let mine = try transaction.query(StoreTransaction.selection + " WHERE store_transaction.customer_id = $1", customer) {
///     try StoreTransaction($0)
/// }
/// ```
package struct StoreTransaction: Hashable, Sendable {
    package var id: TransactionID
    /// The first transaction of the series; its own id, if it is that.
    package var originalID: TransactionID
    /// The purchase it came of; nil for what no purchase precedes, as a restore.
    package var purchaseID: PurchaseID?
    /// The transaction that this one restored; nil for all that are not restores.
    package var restoredID: TransactionID?
    package var customerID: CustomerID
    package var deviceID: DeviceID
    package var appID: AppID
    package var bundleID: BundleID
    package var itemID: ItemID
    package var productID: ProductID
    package var kind: ProductKind
    package var quantity: Int
    package var purchaseDate: Instant
    package var originalPurchaseDate: Instant
    /// The end of the paid period; auto-renewable subscriptions only, as are the two below.
    package var expiresDate: Instant?
    package var webOrderLineItemID: WebOrderLineItemID?
    package var groupID: SubscriptionGroupID?
    package var storefront: StorefrontCode
    /// What the customer paid, for the whole quantity.
    package var price: Money
    package var accountToken: AppAccountToken?
    package var reason: TransactionReason
    /// Whether it was taken back; never written with the transaction, which stays as it is.
    package var revocation: TransactionRevocation?

    package init(
        id: TransactionID, originalID: TransactionID, purchaseID: PurchaseID?, restoredID: TransactionID? = nil,
        customerID: CustomerID, deviceID: DeviceID, appID: AppID, bundleID: BundleID, itemID: ItemID,
        productID: ProductID, kind: ProductKind, quantity: Int, purchaseDate: Instant, originalPurchaseDate: Instant,
        expiresDate: Instant? = nil, webOrderLineItemID: WebOrderLineItemID? = nil,
        groupID: SubscriptionGroupID? = nil, storefront: StorefrontCode, price: Money,
        accountToken: AppAccountToken? = nil, reason: TransactionReason = .purchase
    ) {
        self.id = id
        self.originalID = originalID
        self.purchaseID = purchaseID
        self.restoredID = restoredID
        self.customerID = customerID
        self.deviceID = deviceID
        self.appID = appID
        self.bundleID = bundleID
        self.itemID = itemID
        self.productID = productID
        self.kind = kind
        self.quantity = quantity
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.expiresDate = expiresDate
        self.webOrderLineItemID = webOrderLineItemID
        self.groupID = groupID
        self.storefront = storefront
        self.price = price
        self.accountToken = accountToken
        self.reason = reason
    }
}
