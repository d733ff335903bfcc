import StoreModel

extension PurchaseReceipt {
    /// Reads the attributes of one purchase.
    init(_ attributes: AttributeReader) throws {
        var attributes = attributes
        var draft = Draft()
        while let attribute = try attributes.next() { try draft.take(attribute) }
        self = try draft.purchase()
    }

    /// A purchase while its attributes are being read.
    private struct Draft {
        var productID: String?
        var transactionID: String?
        var originalTransactionID: String?
        var purchaseDate: Instant?
        var originalPurchaseDate: Instant?
        var rest = PurchaseReceipt(
            productID: "", transactionID: "", originalTransactionID: "",
            purchaseDate: Instant(millisecondsSinceEpoch: 0), originalPurchaseDate: Instant(millisecondsSinceEpoch: 0))

        mutating func take(_ attribute: FoundAttribute) throws {
            switch attribute.type {
            case PurchaseAttribute.quantity: rest.quantity = try attribute.integer()
            case PurchaseAttribute.productID: productID = try attribute.text()
            case PurchaseAttribute.transactionID: transactionID = try attribute.text()
            case PurchaseAttribute.purchaseDate: purchaseDate = try attribute.requiredDate()
            case PurchaseAttribute.originalTransactionID: originalTransactionID = try attribute.text()
            case PurchaseAttribute.originalPurchaseDate: originalPurchaseDate = try attribute.date()
            case PurchaseAttribute.productKind: rest.kind = try Kind(rawValue: attribute.integer())
            case PurchaseAttribute.expirationDate: rest.expirationDate = try attribute.date()
            case PurchaseAttribute.webOrderLineItemID:
                let number = try attribute.integer()
                rest.webOrderLineItemID = number == 0 ? nil : number
            case PurchaseAttribute.cancellationDate: rest.cancellationDate = try attribute.date()
            case PurchaseAttribute.cancellationReason: rest.cancellationReason = try attribute.integer()
            case PurchaseAttribute.isTrialPeriod: rest.isTrialPeriod = try attribute.integer() != 0
            case PurchaseAttribute.isInIntroductoryPeriod: rest.isInIntroductoryPeriod = try attribute.integer() != 0
            case PurchaseAttribute.promotionalOfferID:
                let identifier = try attribute.text()
                rest.promotionalOfferID = identifier.isEmpty ? nil : identifier
            default:
                if !PurchaseAttribute.reserved.contains(attribute.type) {
                    try rest.otherAttributes.append(attribute.unread())
                }
            }
        }

        consuming func purchase() throws -> PurchaseReceipt {
            guard let productID else { throw SigningError(.malformed, "attribute 1702, the product, is missing") }
            guard let transactionID else {
                throw SigningError(.malformed, "attribute 1703, the transaction, is missing")
            }
            guard let purchaseDate else { throw SigningError(.malformed, "attribute 1704, the date, is missing") }
            rest.productID = productID
            rest.transactionID = transactionID
            rest.purchaseDate = purchaseDate
            // A first purchase is its own original; some older receipts leave the originals out.
            rest.originalTransactionID = originalTransactionID ?? transactionID
            rest.originalPurchaseDate = originalPurchaseDate ?? purchaseDate
            return rest
        }
    }
}
