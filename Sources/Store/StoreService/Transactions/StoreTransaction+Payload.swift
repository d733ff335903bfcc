package import StoreModel

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
                payload.revocationType = .fullRefund
                payload.revocationPercentage = Self.wholePercentage
            }
        }
        return payload
    }

    /// All of it, in thousandths of a percent.
    private static let wholePercentage = 100_000
}
