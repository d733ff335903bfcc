import StoreModel

extension PurchaseReceipt {
    /// Reads the attributes of one purchase.
    init(_ attributes: AttributeReader) throws {
        let unknown = Instant(millisecondsSinceEpoch: 0)
        self.init(
            productID: "", transactionID: "", originalTransactionID: "", purchaseDate: unknown,
            originalPurchaseDate: unknown)
        var attributes = attributes
        var found = Found()
        while let attribute = try attributes.next() {
            if try !take(attribute, of: attributes, &found), !PurchaseAttribute.isReserved(attribute.type) {
                try otherAttributes.append(attributes.unread(attribute))
            }
        }
        try found.requireAll()
        // A first purchase is its own original; some older receipts leave the originals out.
        if !found.originalTransactionID { originalTransactionID = transactionID }
        if !found.originalPurchaseDate { originalPurchaseDate = purchaseDate }
    }

    /// Which of the attributes that matter even when they are absent were there.
    private struct Found {
        var productID = false
        var transactionID = false
        var originalTransactionID = false
        var purchaseDate = false
        var originalPurchaseDate = false

        func requireAll() throws {
            if !productID { throw SigningError(.malformed, "attribute 1702, the product, is missing") }
            if !transactionID { throw SigningError(.malformed, "attribute 1703, the transaction, is missing") }
            if !purchaseDate { throw SigningError(.malformed, "attribute 1704, the date, is missing") }
        }
    }

    /// Reads an attribute into its property; false if it has none.
    private mutating func take(
        _ attribute: FoundAttribute, of attributes: AttributeReader, _ found: inout Found
    ) throws -> Bool {
        switch attribute.type {
        case PurchaseAttribute.quantity: quantity = try attributes.integer(of: attribute)
        case PurchaseAttribute.productID:
            productID = try attributes.text(of: attribute)
            found.productID = true
        case PurchaseAttribute.transactionID:
            transactionID = try attributes.text(of: attribute)
            found.transactionID = true
        case PurchaseAttribute.purchaseDate:
            purchaseDate = try attributes.requiredDate(of: attribute)
            found.purchaseDate = true
        case PurchaseAttribute.originalTransactionID:
            originalTransactionID = try attributes.text(of: attribute)
            found.originalTransactionID = true
        case PurchaseAttribute.originalPurchaseDate:
            guard let date = try attributes.date(of: attribute) else { break }
            originalPurchaseDate = date
            found.originalPurchaseDate = true
        default: return try takeOptional(attribute, of: attributes)
        }
        return true
    }

    private mutating func takeOptional(_ attribute: FoundAttribute, of attributes: AttributeReader) throws -> Bool {
        switch attribute.type {
        case PurchaseAttribute.productKind: kind = try Kind(rawValue: attributes.integer(of: attribute))
        case PurchaseAttribute.expirationDate: expirationDate = try attributes.date(of: attribute)
        case PurchaseAttribute.webOrderLineItemID:
            let number = try attributes.integer(of: attribute)
            webOrderLineItemID = number == 0 ? nil : number
        case PurchaseAttribute.cancellationDate: cancellationDate = try attributes.date(of: attribute)
        case PurchaseAttribute.cancellationReason: cancellationReason = try attributes.integer(of: attribute)
        case PurchaseAttribute.isTrialPeriod: isTrialPeriod = try attributes.integer(of: attribute) != 0
        case PurchaseAttribute.isInIntroductoryPeriod:
            isInIntroductoryPeriod = try attributes.integer(of: attribute) != 0
        case PurchaseAttribute.promotionalOfferID:
            let identifier = try attributes.text(of: attribute)
            promotionalOfferID = identifier.isEmpty ? nil : identifier
        default: return false
        }
        return true
    }
}
