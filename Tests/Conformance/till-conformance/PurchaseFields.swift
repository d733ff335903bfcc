import Foundation
import StoreModel
import StoreSigning

/// One purchase of an app receipt in JSON, field by field.
struct PurchaseFields: Codable {
    var quantity: Int64
    var productID: String
    var transactionID: String
    var originalTransactionID: String
    var purchaseDate: Instant
    var originalPurchaseDate: Instant
    var kind: Int64?
    var expirationDate: Instant?
    var webOrderLineItemID: Int64?
    var cancellationDate: Instant?
    var cancellationReason: Int64?
    var isTrialPeriod: Bool?
    var isInIntroductoryPeriod: Bool?
    var promotionalOfferID: String?
    var otherAttributes: [AttributeFields]

    init(_ purchase: PurchaseReceipt) {
        quantity = purchase.quantity
        productID = purchase.productID
        transactionID = purchase.transactionID
        originalTransactionID = purchase.originalTransactionID
        purchaseDate = purchase.purchaseDate
        originalPurchaseDate = purchase.originalPurchaseDate
        kind = purchase.kind?.rawValue
        expirationDate = purchase.expirationDate
        webOrderLineItemID = purchase.webOrderLineItemID
        cancellationDate = purchase.cancellationDate
        cancellationReason = purchase.cancellationReason
        isTrialPeriod = purchase.isTrialPeriod
        isInIntroductoryPeriod = purchase.isInIntroductoryPeriod
        promotionalOfferID = purchase.promotionalOfferID
        otherAttributes = purchase.otherAttributes.map(AttributeFields.init)
    }

    var purchase: PurchaseReceipt {
        var purchase = PurchaseReceipt(
            quantity: quantity, productID: productID, transactionID: transactionID,
            originalTransactionID: originalTransactionID, purchaseDate: purchaseDate,
            originalPurchaseDate: originalPurchaseDate, kind: kind.map(PurchaseReceipt.Kind.init),
            expirationDate: expirationDate, webOrderLineItemID: webOrderLineItemID,
            cancellationDate: cancellationDate, cancellationReason: cancellationReason,
            isTrialPeriod: isTrialPeriod, isInIntroductoryPeriod: isInIntroductoryPeriod,
            promotionalOfferID: promotionalOfferID)
        purchase.otherAttributes = otherAttributes.map(\.attribute)
        return purchase
    }
}
