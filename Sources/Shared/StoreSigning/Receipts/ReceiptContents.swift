/// What stands in an app receipt, attribute by attribute, whether or not it is to be believed.
package struct ReceiptContents: Sendable {
    /// One attribute, with its value as far as it can be read without knowing what it means.
    package struct Attribute: Hashable, Sendable {
        package let type: Int64
        package let version: Int64
        package let value: Value
    }

    /// A value.
    // Closed: receipts have these kinds of values, and everything else is bytes.
    package enum Value: Hashable, Sendable {
        case integer(Int64)
        case text(String)
        case bytes([UInt8])
        /// The attributes of a purchase.
        case purchase([Attribute])
    }

    /// In the order in which they stand there.
    package let attributes: [Attribute]
    package let certificates: [Certificate]

    /// Reads a receipt without judging its signature. Whatever the bytes, this ends: with contents or with an error.
    package init(_ bytes: [UInt8]) throws {
        let container = try SignedContainer(bytes)
        var payload = container.payload
        if payload.nextTag == .octetString || payload.nextTag == .constructedOctetString {
            payload = try payload.contents(ofOctets: payload.next(), "the payload")
        }
        let set = try payload.enter(.set, "the set of attributes")
        attributes = try Self.attributes(AttributeReader(set), areOfPurchase: false)
        certificates = try container.certificateRanges.map {
            try Certificate(derRepresentation: Array(container.certificates[$0]))
        }
    }

    private static func attributes(_ reader: AttributeReader, areOfPurchase: Bool) throws -> [Attribute] {
        var reader = reader
        var attributes: [Attribute] = []
        while let found = try reader.next() {
            let value: Value
            if !areOfPurchase, found.type == AppReceiptAttribute.purchase {
                value = .purchase(try self.attributes(reader.attributes(of: found), areOfPurchase: true))
            } else {
                value = try self.value(of: found, in: reader)
            }
            attributes.append(Attribute(type: found.type, version: found.version, value: value))
        }
        return attributes
    }

    private static func value(of found: FoundAttribute, in reader: AttributeReader) throws -> Value {
        let isOpaque = found.type == AppReceiptAttribute.opaqueValue || found.type == AppReceiptAttribute.deviceHash
        if !isOpaque {
            if let text = try? reader.text(of: found) { return .text(text) }
            if let number = try? reader.integer(of: found) { return .integer(number) }
        }
        return .bytes(try reader.octets(of: found))
    }
}

extension ReceiptContents {
    /// What an attribute is called; nil for numbers without a name here.
    package static func name(ofAttribute type: Int64) -> String? {
        names[type] ?? (AppReceiptAttribute.isReserved(type) || PurchaseAttribute.isReserved(type) ? "reserved" : nil)
    }

    private static let names: [Int64: String] = [
        AppReceiptAttribute.receiptType: "receipt type", AppReceiptAttribute.appID: "app id",
        AppReceiptAttribute.bundleID: "bundle id", AppReceiptAttribute.applicationVersion: "application version",
        AppReceiptAttribute.opaqueValue: "opaque value", AppReceiptAttribute.deviceHash: "device hash",
        AppReceiptAttribute.ageRating: "age rating", AppReceiptAttribute.creationDate: "creation date",
        AppReceiptAttribute.downloadID: "download id",
        AppReceiptAttribute.versionExternalIdentifier: "version external identifier",
        AppReceiptAttribute.purchase: "purchase", AppReceiptAttribute.originalPurchaseDate: "original purchase date",
        AppReceiptAttribute.originalApplicationVersion: "original application version",
        AppReceiptAttribute.expirationDate: "expiration date", AppReceiptAttribute.preorderDate: "preorder date",
        PurchaseAttribute.quantity: "quantity", PurchaseAttribute.productID: "product id",
        PurchaseAttribute.transactionID: "transaction id", PurchaseAttribute.purchaseDate: "purchase date",
        PurchaseAttribute.originalTransactionID: "original transaction id",
        PurchaseAttribute.originalPurchaseDate: "original purchase date",
        PurchaseAttribute.productKind: "product kind", PurchaseAttribute.expirationDate: "expiration date",
        PurchaseAttribute.webOrderLineItemID: "web order line item id",
        PurchaseAttribute.cancellationDate: "cancellation date", PurchaseAttribute.isTrialPeriod: "is trial period",
        PurchaseAttribute.isInIntroductoryPeriod: "is in introductory period",
        PurchaseAttribute.cancellationReason: "cancellation reason",
        PurchaseAttribute.promotionalOfferID: "promotional offer id",
    ]
}
