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
    /// The order it was made for; nil for what a restore brought back.
    package var orderID: PurchaseID?
    /// The transaction that this one restored; nil for all that are not restores.
    package var restoredID: TransactionID?
    package var customerID: CustomerID
    /// The device that asked for it; nil for what no device asked for.
    package var deviceID: DeviceID?
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
        id: TransactionID, originalID: TransactionID, orderID: PurchaseID?, restoredID: TransactionID? = nil,
        customerID: CustomerID, deviceID: DeviceID?, appID: AppID, bundleID: BundleID, itemID: ItemID,
        productID: ProductID, kind: ProductKind, quantity: Int, purchaseDate: Instant, originalPurchaseDate: Instant,
        expiresDate: Instant? = nil, webOrderLineItemID: WebOrderLineItemID? = nil,
        groupID: SubscriptionGroupID? = nil, storefront: StorefrontCode, price: Money,
        accountToken: AppAccountToken? = nil, reason: TransactionReason = .purchase
    ) {
        self.id = id
        self.originalID = originalID
        self.orderID = orderID
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

/// That a transaction was revoked: a row of `transaction_revocation`.
package struct TransactionRevocation: Hashable, Sendable {
    package let reason: RevocationReason
    package let revokedAt: Instant
    /// The refund it came with; nil if it was revoked without one.
    package let refund: Int64?
    /// What the refund gave back of the price, in thousandths of a percent.
    package let percentage: Int?

    package init(reason: RevocationReason, revokedAt: Instant, refund: Int64? = nil, percentage: Int? = nil) {
        self.reason = reason
        self.revokedAt = revokedAt
        self.refund = refund
        self.percentage = percentage
    }

    /// All of a price, in thousandths of a percent.
    static let wholePercentage = 100_000
}

extension StoreTransaction {
    /// The transaction as the store signs it.
    ///
    /// - Parameters:
    ///   - appTransaction: the customer's download of the app.
    ///   - instant: when it is signed.
    package func payload(
        in environment: StoreEnvironment, appTransaction: AppTransactionID?, signedAt instant: Instant
    ) -> TransactionPayload {
        var payload = TransactionPayload(
            transactionId: id, originalTransactionId: originalID, bundleId: bundleID, productId: productID, type: kind,
            purchaseDate: purchaseDate, originalPurchaseDate: originalPurchaseDate, quantity: quantity,
            inAppOwnershipType: .purchased, environment: WireEnvironment(environment), signedDate: instant,
            storefront: storefront, storefrontId: storefront.storefront?.id, transactionReason: reason,
            // Left out rather than rounded: a sale that was paid must not fail for the form of its price.
            price: try? price.milliunits(), currency: CurrencyCode(price.currency), appTransactionId: appTransaction,
            webOrderLineItemId: webOrderLineItemID, subscriptionGroupIdentifier: groupID, expiresDate: expiresDate,
            appAccountToken: accountToken)
        if let revocation {
            payload.revocationDate = revocation.revokedAt
            payload.revocationReason = revocation.reason
            if revocation.refund != nil {
                let percentage = revocation.percentage ?? TransactionRevocation.wholePercentage
                payload.revocationType =
                    percentage == TransactionRevocation.wholePercentage ? .fullRefund : .proratedRefund
                payload.revocationPercentage = percentage
            }
        }
        return payload
    }
}
