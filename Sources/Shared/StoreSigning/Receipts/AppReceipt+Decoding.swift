import StoreModel

extension AppReceipt {
    /// Reads the payload of a receipt. Whatever the bytes, this ends: with a receipt or with an error.
    package init(decoding payload: [UInt8]) throws {
        try self.init(reading: BERReader(payload))
    }

    /// Reads the payload of a receipt in its place.
    init(reading payload: BERReader) throws {
        var reader = payload
        // Xcode's local receipts wrap the payload in one more octet string.
        if reader.nextTag == .octetString || reader.nextTag == .constructedOctetString {
            reader = try reader.contents(ofOctets: reader.next(), "the payload")
        }
        let set = try reader.enter(.set, "the set of attributes")
        try reader.requireEnd(of: "the set of attributes")
        try self.init(AttributeReader(set))
    }

    private init(_ attributes: AttributeReader) throws {
        self.init(
            type: ReceiptType(rawValue: ""), bundleID: "", applicationVersion: "",
            creationDate: Instant(millisecondsSinceEpoch: 0), opaqueValue: [], deviceHash: [])
        var attributes = attributes
        var found = Found()
        while let attribute = try attributes.next() {
            if try !take(attribute, of: attributes, &found), !AppReceiptAttribute.isReserved(attribute.type) {
                try otherAttributes.append(attributes.unread(attribute))
            }
        }
        try found.requireAll()
    }

    /// Which of the attributes that every receipt must have were there.
    private struct Found {
        var bundleID = false
        var creationDate = false

        func requireAll() throws {
            if !bundleID { throw SigningError(.malformed, "attribute 2, the bundle identifier, is missing") }
            if !creationDate { throw SigningError(.malformed, "attribute 12, the date, is missing") }
        }
    }

    /// Reads an attribute into its property; false if it has none.
    private mutating func take(
        _ attribute: FoundAttribute, of attributes: AttributeReader, _ found: inout Found
    ) throws -> Bool {
        switch attribute.type {
        case AppReceiptAttribute.receiptType: type = try ReceiptType(rawValue: attributes.text(of: attribute))
        case AppReceiptAttribute.bundleID:
            bundleID = try attributes.text(of: attribute)
            found.bundleID = true
        case AppReceiptAttribute.applicationVersion: applicationVersion = try attributes.text(of: attribute)
        case AppReceiptAttribute.opaqueValue: opaqueValue = try attributes.octets(of: attribute)
        case AppReceiptAttribute.deviceHash: deviceHash = try attributes.octets(of: attribute)
        case AppReceiptAttribute.creationDate:
            creationDate = try attributes.requiredDate(of: attribute)
            found.creationDate = true
        case AppReceiptAttribute.purchase:
            try purchases.append(PurchaseReceipt(attributes.attributes(of: attribute)))
        default: return try takeOptional(attribute, of: attributes)
        }
        return true
    }

    private mutating func takeOptional(_ attribute: FoundAttribute, of attributes: AttributeReader) throws -> Bool {
        switch attribute.type {
        case AppReceiptAttribute.appID: appID = try attributes.integer(of: attribute)
        case AppReceiptAttribute.ageRating: ageRating = try attributes.text(of: attribute)
        case AppReceiptAttribute.downloadID: downloadID = try attributes.integer(of: attribute)
        case AppReceiptAttribute.versionExternalIdentifier:
            versionExternalIdentifier = try attributes.integer(of: attribute)
        case AppReceiptAttribute.originalPurchaseDate: originalPurchaseDate = try attributes.date(of: attribute)
        case AppReceiptAttribute.originalApplicationVersion:
            originalApplicationVersion = try attributes.text(of: attribute)
        case AppReceiptAttribute.expirationDate: expirationDate = try attributes.date(of: attribute)
        case AppReceiptAttribute.preorderDate: preorderDate = try attributes.date(of: attribute)
        default: return false
        }
        return true
    }
}
