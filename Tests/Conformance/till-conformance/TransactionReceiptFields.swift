import StoreModel
import StoreSigning

/// A transaction receipt in JSON, field by field.
struct TransactionReceiptFields: Codable {
    var quantity: Int64
    var productID: String
    var transactionID: String
    var originalTransactionID: String
    var purchaseDate: Instant
    var originalPurchaseDate: Instant
    var itemID: String
    var bundleID: String
    var applicationVersion: String
    var uniqueIdentifier: String
    var uniqueVendorIdentifier: String
    var appItemID: String?
    var versionExternalIdentifier: String?
    var expirationDate: Instant?
    var webOrderLineItemID: String?
    var isTrialPeriod: Bool?
    var otherEntries: [String: String]

    init(_ receipt: TransactionReceipt) {
        quantity = receipt.quantity
        productID = receipt.productID
        transactionID = receipt.transactionID
        originalTransactionID = receipt.originalTransactionID
        purchaseDate = receipt.purchaseDate
        originalPurchaseDate = receipt.originalPurchaseDate
        itemID = receipt.itemID
        bundleID = receipt.bundleID
        applicationVersion = receipt.applicationVersion
        uniqueIdentifier = receipt.uniqueIdentifier
        uniqueVendorIdentifier = receipt.uniqueVendorIdentifier
        appItemID = receipt.appItemID
        versionExternalIdentifier = receipt.versionExternalIdentifier
        expirationDate = receipt.expirationDate
        webOrderLineItemID = receipt.webOrderLineItemID
        isTrialPeriod = receipt.isTrialPeriod
        otherEntries = receipt.otherEntries
    }

    var receipt: TransactionReceipt {
        var receipt = TransactionReceipt(
            quantity: quantity, productID: productID, transactionID: transactionID,
            originalTransactionID: originalTransactionID, purchaseDate: purchaseDate,
            originalPurchaseDate: originalPurchaseDate, itemID: itemID, bundleID: bundleID,
            applicationVersion: applicationVersion, uniqueIdentifier: uniqueIdentifier,
            uniqueVendorIdentifier: uniqueVendorIdentifier)
        receipt.appItemID = appItemID
        receipt.versionExternalIdentifier = versionExternalIdentifier
        receipt.expirationDate = expirationDate
        receipt.webOrderLineItemID = webOrderLineItemID
        receipt.isTrialPeriod = isTrialPeriod
        receipt.otherEntries = otherEntries
        return receipt
    }
}
