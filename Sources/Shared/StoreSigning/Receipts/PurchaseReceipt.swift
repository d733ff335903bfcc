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
    /// 1 for an issue with the app; 0 for another reason.
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

/// The numbers of the attributes of one purchase within an app receipt.
enum PurchaseAttribute {
    static let quantity: Int64 = 1701
    static let productID: Int64 = 1702
    static let transactionID: Int64 = 1703
    static let purchaseDate: Int64 = 1704
    static let originalTransactionID: Int64 = 1705
    static let originalPurchaseDate: Int64 = 1706
    static let productKind: Int64 = 1707
    static let expirationDate: Int64 = 1708
    static let reservedText: Int64 = 1709
    static let reservedZero: Int64 = 1710
    static let webOrderLineItemID: Int64 = 1711
    static let cancellationDate: Int64 = 1712
    static let isTrialPeriod: Int64 = 1713
    static let reservedTexts: ClosedRange<Int64> = 1714...1718
    static let isInIntroductoryPeriod: Int64 = 1719
    static let cancellationReason: Int64 = 1720
    static let promotionalOfferID: Int64 = 1721
    static let lastReservedZero: Int64 = 1722

    /// The numbers that are written with their usual content and skipped in reading.
    static func isReserved(_ type: Int64) -> Bool {
        switch type {
        case reservedText, reservedZero, lastReservedZero, reservedTexts: true
        default: false
        }
    }
}

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
