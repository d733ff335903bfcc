package import StoreModel

/// One purchase within an app receipt.
package struct PurchaseReceipt: Hashable, Sendable {
    package var quantity: Int64
    package var productID: String
    package var transactionID: String
    package var originalTransactionID: String
    package var purchaseDate: Instant
    package var originalPurchaseDate: Instant
    /// The kind of product as receipts number it; nil if the receipt does not say.
    package var kind: Kind?
    /// The end of the paid period; subscriptions only.
    package var expirationDate: Instant?
    package var webOrderLineItemID: Int64?
    package var cancellationDate: Instant?
    /// 1: an issue with the app; 0: another reason.
    package var cancellationReason: Int64?
    package var isTrialPeriod: Bool?
    package var isInIntroductoryPeriod: Bool?
    package var promotionalOfferID: String?
    /// Attributes that have no name here, in the order in which they were found.
    package var otherAttributes: [ReceiptAttribute] = []

    package init(
        quantity: Int64 = 1, productID: String, transactionID: String, originalTransactionID: String,
        purchaseDate: Instant, originalPurchaseDate: Instant, kind: Kind? = nil, expirationDate: Instant? = nil,
        webOrderLineItemID: Int64? = nil, cancellationDate: Instant? = nil, cancellationReason: Int64? = nil,
        isTrialPeriod: Bool? = nil, isInIntroductoryPeriod: Bool? = nil, promotionalOfferID: String? = nil
    ) {
        self.quantity = quantity
        self.productID = productID
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.kind = kind
        self.expirationDate = expirationDate
        self.webOrderLineItemID = webOrderLineItemID
        self.cancellationDate = cancellationDate
        self.cancellationReason = cancellationReason
        self.isTrialPeriod = isTrialPeriod
        self.isInIntroductoryPeriod = isInIntroductoryPeriod
        self.promotionalOfferID = promotionalOfferID
    }

    /// The kinds of products as receipts number them; numbers unknown here are kept.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int64

        package init(rawValue: Int64) {
            self.rawValue = rawValue
        }

        package static let nonConsumable = Kind(rawValue: 0)
        package static let consumable = Kind(rawValue: 1)
        package static let nonRenewing = Kind(rawValue: 2)
        package static let autoRenewable = Kind(rawValue: 3)
    }
}
