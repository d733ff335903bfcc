import StoreModel
import StoreSigning

extension TransactionReceipt {
    /// A transaction in the form of iOS 6.
    init(_ transaction: StoreTransaction, on device: ReceiptDevice, in environment: StoreEnvironment) throws {
        self.init(
            productID: "", transactionID: "", originalTransactionID: "", purchaseDate: transaction.purchaseDate,
            originalPurchaseDate: transaction.originalPurchaseDate, itemID: "",
            bundleID: transaction.bundleID.text, applicationVersion: device.appVersion,
            // The form asks for forty hexadecimal digits, however long identifiers of devices are.
            uniqueIdentifier: Hexadecimal.encode(try DigestAlgorithm.sha1.digest(device.identifier)),
            uniqueVendorIdentifier: device.vendorIdentifier)
        take(transaction)
        if environment == .production {
            appItemID = transaction.appID.description
            versionExternalIdentifier = "0"
        }
    }

    /// Tells of another transaction, for the same app on the same device.
    mutating func take(_ transaction: StoreTransaction) {
        quantity = Int64(transaction.quantity)
        productID = transaction.productID.text
        transactionID = transaction.id.description
        originalTransactionID = transaction.originalID.description
        purchaseDate = transaction.purchaseDate
        originalPurchaseDate = transaction.originalPurchaseDate
        itemID = transaction.itemID.description
        expirationDate = transaction.expiresDate
        webOrderLineItemID = transaction.webOrderLineItemID?.description
        isTrialPeriod = transaction.kind == .autoRenewable ? false : nil
    }
}
