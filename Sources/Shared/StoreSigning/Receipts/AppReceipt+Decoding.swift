import StoreModel

extension AppReceipt {
    /// Reads the payload of a receipt. Whatever the bytes, this ends: with a receipt or with an error.
    package init(decoding payload: [UInt8]) throws {
        var reader = BERReader(payload)
        // Xcode's local receipts wrap the payload in one more octet string.
        if reader.nextTag == .octetString || reader.nextTag == .constructedOctetString {
            reader = try BERReader(Array(reader.octets(reader.next(), "the payload")))
        }
        let set = try reader.enter(.set, "the set of attributes")
        try reader.requireEnd(of: "the set of attributes")
        var attributes = AttributeReader(set)
        var draft = Draft()
        while let attribute = try attributes.next() { try draft.take(attribute) }
        self = try draft.receipt()
    }

    /// A receipt while its attributes are being read.
    private struct Draft {
        var bundleID: String?
        var creationDate: Instant?
        var rest = AppReceipt(
            type: ReceiptType(rawValue: ""), bundleID: "", applicationVersion: "",
            creationDate: Instant(millisecondsSinceEpoch: 0), opaqueValue: [], deviceHash: [])

        mutating func take(_ attribute: FoundAttribute) throws {
            switch attribute.type {
            case AppReceiptAttribute.receiptType: rest.type = try ReceiptType(rawValue: attribute.text())
            case AppReceiptAttribute.appID: rest.appID = try attribute.integer()
            case AppReceiptAttribute.bundleID: bundleID = try attribute.text()
            case AppReceiptAttribute.applicationVersion: rest.applicationVersion = try attribute.text()
            case AppReceiptAttribute.opaqueValue: rest.opaqueValue = try attribute.octets()
            case AppReceiptAttribute.deviceHash: rest.deviceHash = try attribute.octets()
            case AppReceiptAttribute.ageRating: rest.ageRating = try attribute.text()
            case AppReceiptAttribute.creationDate: creationDate = try attribute.requiredDate()
            case AppReceiptAttribute.downloadID: rest.downloadID = try attribute.integer()
            case AppReceiptAttribute.versionExternalIdentifier:
                rest.versionExternalIdentifier = try attribute.integer()
            case AppReceiptAttribute.purchase: try rest.purchases.append(PurchaseReceipt(attribute.attributes()))
            case AppReceiptAttribute.originalPurchaseDate: rest.originalPurchaseDate = try attribute.date()
            case AppReceiptAttribute.originalApplicationVersion:
                rest.originalApplicationVersion = try attribute.text()
            case AppReceiptAttribute.expirationDate: rest.expirationDate = try attribute.date()
            case AppReceiptAttribute.preorderDate: rest.preorderDate = try attribute.date()
            default:
                if !AppReceiptAttribute.reserved.contains(attribute.type) {
                    try rest.otherAttributes.append(attribute.unread())
                }
            }
        }

        consuming func receipt() throws -> AppReceipt {
            guard let bundleID else { throw SigningError(.malformed, "attribute 2, the bundle identifier, is missing") }
            guard let creationDate else { throw SigningError(.malformed, "attribute 12, the date, is missing") }
            rest.bundleID = bundleID
            rest.creationDate = creationDate
            return rest
        }
    }
}
