package import StoreModel

/// The receipt of one transaction in the form of iOS 6 and before: what `transactionReceipt` of a payment holds.
package struct TransactionReceipt: Hashable, Sendable {
    package var quantity: Int64
    package var productID: String
    package var transactionID: String
    package var originalTransactionID: String
    package var purchaseDate: Instant
    package var originalPurchaseDate: Instant
    /// The numeric store id of the product.
    package var itemID: String
    package var bundleID: String
    /// `CFBundleVersion` of the app.
    package var applicationVersion: String
    /// 40 hexadecimal digits that name the device.
    package var uniqueIdentifier: String
    package var uniqueVendorIdentifier: String
    /// Numeric store id of the app; production only.
    package var appItemID: String?
    /// Production only.
    package var versionExternalIdentifier: String?
    /// The end of the paid period; auto-renewable subscriptions only, as are the two below.
    package var expirationDate: Instant?
    package var webOrderLineItemID: String?
    package var isTrialPeriod: Bool?
    /// Entries that have no name here, which stay as they are.
    package var otherEntries: [String: String] = [:]

    package init(
        quantity: Int64 = 1, productID: String, transactionID: String, originalTransactionID: String,
        purchaseDate: Instant, originalPurchaseDate: Instant, itemID: String, bundleID: String,
        applicationVersion: String, uniqueIdentifier: String, uniqueVendorIdentifier: String
    ) {
        self.quantity = quantity
        self.productID = productID
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.itemID = itemID
        self.bundleID = bundleID
        self.applicationVersion = applicationVersion
        self.uniqueIdentifier = uniqueIdentifier
        self.uniqueVendorIdentifier = uniqueVendorIdentifier
    }
}
