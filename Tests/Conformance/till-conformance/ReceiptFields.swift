import Foundation
import StoreModel
import StoreSigning

/// An app receipt in JSON, field by field.
struct ReceiptFields: Codable {
    var type: String
    var bundleID: String
    var applicationVersion: String
    var creationDate: Instant
    var appID: Int64
    var downloadID: Int64
    var versionExternalIdentifier: Int64
    var opaqueValue: Data
    var deviceHash: Data
    var ageRating: String
    var originalPurchaseDate: Instant?
    var originalApplicationVersion: String?
    var expirationDate: Instant?
    var preorderDate: Instant?
    var purchases: [PurchaseFields]
    var otherAttributes: [AttributeFields]

    init(_ receipt: AppReceipt) {
        type = receipt.type.rawValue
        bundleID = receipt.bundleID
        applicationVersion = receipt.applicationVersion
        creationDate = receipt.creationDate
        appID = receipt.appID
        downloadID = receipt.downloadID
        versionExternalIdentifier = receipt.versionExternalIdentifier
        opaqueValue = Data(receipt.opaqueValue)
        deviceHash = Data(receipt.deviceHash)
        ageRating = receipt.ageRating
        originalPurchaseDate = receipt.originalPurchaseDate
        originalApplicationVersion = receipt.originalApplicationVersion
        expirationDate = receipt.expirationDate
        preorderDate = receipt.preorderDate
        purchases = receipt.purchases.map(PurchaseFields.init)
        otherAttributes = receipt.otherAttributes.map(AttributeFields.init)
    }

    var receipt: AppReceipt {
        var receipt = AppReceipt(
            type: ReceiptType(rawValue: type), bundleID: bundleID, applicationVersion: applicationVersion,
            creationDate: creationDate, appID: appID, opaqueValue: Array(opaqueValue), deviceHash: Array(deviceHash))
        receipt.downloadID = downloadID
        receipt.versionExternalIdentifier = versionExternalIdentifier
        receipt.ageRating = ageRating
        receipt.originalPurchaseDate = originalPurchaseDate
        receipt.originalApplicationVersion = originalApplicationVersion
        receipt.expirationDate = expirationDate
        receipt.preorderDate = preorderDate
        receipt.purchases = purchases.map(\.purchase)
        receipt.otherAttributes = otherAttributes.map(\.attribute)
        return receipt
    }
}
