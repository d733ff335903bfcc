import StoreModel

extension PurchaseReceipt {
    /// Every attribute that a genuine receipt has, in the order of their numbers, reserved ones with their usual content.
    var attributes: [ReceiptAttribute] {
        let empty = DER.utf8String("")
        var attributes = [
            ReceiptAttribute(type: PurchaseAttribute.quantity, value: DER.integer(quantity)),
            ReceiptAttribute(type: PurchaseAttribute.productID, value: DER.utf8String(productID)),
            ReceiptAttribute(type: PurchaseAttribute.transactionID, value: DER.utf8String(transactionID)),
            ReceiptAttribute(type: PurchaseAttribute.purchaseDate, value: DER.date(purchaseDate)),
            ReceiptAttribute(
                type: PurchaseAttribute.originalTransactionID, value: DER.utf8String(originalTransactionID)),
            ReceiptAttribute(type: PurchaseAttribute.originalPurchaseDate, value: DER.date(originalPurchaseDate)),
            ReceiptAttribute(type: PurchaseAttribute.expirationDate, value: DER.date(expirationDate)),
            ReceiptAttribute(type: PurchaseAttribute.reservedText, value: empty),
            ReceiptAttribute(type: PurchaseAttribute.reservedZero, value: DER.integer(0)),
            ReceiptAttribute(type: PurchaseAttribute.webOrderLineItemID, value: DER.integer(webOrderLineItemID ?? 0)),
            ReceiptAttribute(type: PurchaseAttribute.cancellationDate, value: DER.date(cancellationDate)),
            ReceiptAttribute(type: PurchaseAttribute.lastReservedZero, value: DER.integer(0)),
        ]
        attributes += PurchaseAttribute.reservedTexts.map { ReceiptAttribute(type: $0, value: empty) }
        attributes += optionalAttributes + otherAttributes
        return attributes
    }

    private var optionalAttributes: [ReceiptAttribute] {
        let numbers: [(Int64, Int64?)] = [
            (PurchaseAttribute.productKind, kind?.rawValue), (PurchaseAttribute.cancellationReason, cancellationReason),
            (PurchaseAttribute.isTrialPeriod, isTrialPeriod.map { $0 ? 1 : 0 }),
            (PurchaseAttribute.isInIntroductoryPeriod, isInIntroductoryPeriod.map { $0 ? 1 : 0 }),
        ]
        let offer = promotionalOfferID.map {
            ReceiptAttribute(type: PurchaseAttribute.promotionalOfferID, value: DER.utf8String($0))
        }
        return numbers.compactMap { type, number in
            number.map { ReceiptAttribute(type: type, value: DER.integer($0)) }
        } + [offer].compactMap { $0 }
    }
}
