package import StoreModel

/// The content of an app receipt: which app, which device, and what was bought.
package struct AppReceipt: Hashable, Sendable {
    package var type: ReceiptType
    package var bundleID: String
    /// `CFBundleVersion` of the app.
    package var applicationVersion: String
    /// When the receipt was made; its certificates are checked at this moment.
    package var creationDate: Instant
    /// The app's numeric store id; 0 in the sandbox.
    package var appID: Int64
    package var downloadID: Int64
    package var versionExternalIdentifier: Int64
    /// 16 random bytes that go into the device hash.
    package var opaqueValue: [UInt8]
    /// Ties the receipt to one device, see ``DeviceHash``.
    package var deviceHash: [UInt8]
    package var ageRating: String
    package var originalPurchaseDate: Instant?
    package var originalApplicationVersion: String?
    /// Volume purchases only.
    package var expirationDate: Instant?
    package var preorderDate: Instant?
    package var purchases: [PurchaseReceipt]
    /// Attributes that have no name here, in the order in which they were found.
    package var otherAttributes: [ReceiptAttribute] = []

    /// A receipt without purchases.
    package init(
        type: ReceiptType, bundleID: String, applicationVersion: String, creationDate: Instant, appID: Int64 = 0,
        opaqueValue: [UInt8], deviceHash: [UInt8]
    ) {
        self.type = type
        self.bundleID = bundleID
        self.applicationVersion = applicationVersion
        self.creationDate = creationDate
        self.appID = appID
        downloadID = 0
        versionExternalIdentifier = 0
        self.opaqueValue = opaqueValue
        self.deviceHash = deviceHash
        ageRating = "4+"
        purchases = []
    }

    /// Whether the receipt was made for the device with this identifier.
    package func belongs(toDevice identifier: [UInt8]) throws -> Bool {
        let expected = try DeviceHash.compute(identifier: identifier, opaqueValue: opaqueValue, bundleID: bundleID)
        return expected == deviceHash
    }
}

extension AppReceipt {
    /// Reads a receipt without verifying it. For inspection only: never trust the result.
    package init(unverified bytes: [UInt8]) throws {
        try self.init(reading: SignedContainer(bytes).payload)
    }

    /// Throws for a receipt of which a part cannot be read: the content, a certificate, or what its signers signed. Nothing is
    /// verified.
    package static func requireReadable(_ bytes: [UInt8]) throws {
        let container = try SignedContainer(bytes)
        _ = try AppReceipt(reading: container.payload)
        for range in container.certificateRanges {
            _ = try Certificate(derRepresentation: Array(container.certificates[range]))
        }
        for signer in container.signers {
            guard let attributes = signer.signedAttributes else { continue }
            do {
                let digest = try signer.digest.digest(container.content)
                try SignedAttributes.require(attributes, nameContentWithDigest: digest)
            } catch let error as SigningError where error.code == .invalidSignature {
                // They can be read.
            }
        }
    }
}

/// Which kind of store made an app receipt; unknown kinds are kept as they are.
package struct ReceiptType: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let production = ReceiptType(rawValue: "Production")
    package static let sandbox = ReceiptType(rawValue: "ProductionSandbox")
    package static let volumePurchase = ReceiptType(rawValue: "ProductionVPP")
    package static let volumePurchaseSandbox = ReceiptType(rawValue: "ProductionVPPSandbox")

    package init(_ environment: StoreEnvironment) {
        self = environment == .production ? .production : .sandbox
    }

    /// The environment whose `verifyReceipt` answers for the receipt; nil for other kinds, such as `Xcode`.
    package var environment: StoreEnvironment? {
        switch self {
        case .production, .volumePurchase: .production
        case .sandbox, .volumePurchaseSandbox: .sandbox
        default: nil
        }
    }
}

/// The numbers of the attributes of an app receipt.
enum AppReceiptAttribute {
    static let receiptType: Int64 = 0
    static let appID: Int64 = 1
    static let bundleID: Int64 = 2
    static let applicationVersion: Int64 = 3
    static let opaqueValue: Int64 = 4
    static let deviceHash: Int64 = 5
    static let firstReserved: Int64 = 6
    static let secondReserved: Int64 = 7
    static let reservedDate: Int64 = 8
    static let reservedID: Int64 = 9
    static let ageRating: Int64 = 10
    static let reservedZero: Int64 = 11
    static let creationDate: Int64 = 12
    static let thirdReserved: Int64 = 13
    static let fourthReserved: Int64 = 14
    static let downloadID: Int64 = 15
    static let versionExternalIdentifier: Int64 = 16
    static let purchase: Int64 = 17
    static let originalPurchaseDate: Int64 = 18
    static let originalApplicationVersion: Int64 = 19
    static let reservedText: Int64 = 20
    static let expirationDate: Int64 = 21
    static let reservedThree: Int64 = 25
    static let preorderDate: Int64 = 32

    /// The numbers that are written with their usual content and skipped in reading.
    static func isReserved(_ type: Int64) -> Bool {
        switch type {
        case firstReserved, secondReserved, reservedDate, reservedID, reservedZero, thirdReserved, fourthReserved,
            reservedText, reservedThree:
            true
        default: false
        }
    }
}

extension AppReceipt {
    /// Reads the payload of a receipt. Any bytes give a receipt or an error.
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

    /// The payload that is signed: a SET of attributes in the order of DER.
    var encoded: [UInt8] {
        get throws {
            let attributes = try namedAttributes + reservedAttributes + optionalAttributes + otherAttributes
            return DER.set((attributes + purchaseAttributes).map(\.encoded))
        }
    }

    private var namedAttributes: [ReceiptAttribute] {
        [
            ReceiptAttribute(type: AppReceiptAttribute.receiptType, value: DER.utf8String(type.rawValue)),
            ReceiptAttribute(type: AppReceiptAttribute.appID, value: DER.integer(appID)),
            ReceiptAttribute(type: AppReceiptAttribute.bundleID, value: DER.utf8String(bundleID)),
            ReceiptAttribute(type: AppReceiptAttribute.applicationVersion, value: DER.utf8String(applicationVersion)),
            // The one attribute that genuine receipts give version 2.
            ReceiptAttribute(type: AppReceiptAttribute.opaqueValue, version: 2, value: opaqueValue),
            ReceiptAttribute(type: AppReceiptAttribute.deviceHash, value: deviceHash),
            ReceiptAttribute(type: AppReceiptAttribute.ageRating, value: DER.ia5String(ageRating)),
            ReceiptAttribute(type: AppReceiptAttribute.creationDate, value: DER.date(creationDate)),
            ReceiptAttribute(type: AppReceiptAttribute.downloadID, value: DER.integer(downloadID)),
            ReceiptAttribute(
                type: AppReceiptAttribute.versionExternalIdentifier, value: DER.integer(versionExternalIdentifier)),
            ReceiptAttribute(type: AppReceiptAttribute.expirationDate, value: DER.date(expirationDate)),
        ]
    }

    /// Undocumented content of genuine receipts. Readers skip it; writing it finds readers that do not.
    private var reservedAttributes: [ReceiptAttribute] {
        get throws {
            let random = RandomBytes()
            return try [
                ReceiptAttribute(type: AppReceiptAttribute.firstReserved, value: random(64)),
                ReceiptAttribute(type: AppReceiptAttribute.secondReserved, value: random(56)),
                ReceiptAttribute(type: AppReceiptAttribute.reservedDate, value: DER.ia5String("")),
                ReceiptAttribute(type: AppReceiptAttribute.reservedID, value: DER.integer(0)),
                ReceiptAttribute(type: AppReceiptAttribute.reservedZero, value: DER.integer(0)),
                ReceiptAttribute(type: AppReceiptAttribute.thirdReserved, value: DER.integer(0)),
                ReceiptAttribute(type: AppReceiptAttribute.fourthReserved, value: DER.integer(0)),
                ReceiptAttribute(type: AppReceiptAttribute.reservedText, value: DER.utf8String("")),
                ReceiptAttribute(type: AppReceiptAttribute.reservedThree, value: DER.integer(3)),
            ]
        }
    }

    private var optionalAttributes: [ReceiptAttribute] {
        [
            originalPurchaseDate.map {
                ReceiptAttribute(type: AppReceiptAttribute.originalPurchaseDate, value: DER.date($0))
            },
            originalApplicationVersion.map {
                ReceiptAttribute(type: AppReceiptAttribute.originalApplicationVersion, value: DER.utf8String($0))
            },
            preorderDate.map { ReceiptAttribute(type: AppReceiptAttribute.preorderDate, value: DER.date($0)) },
        ].compactMap { $0 }
    }

    private var purchaseAttributes: [ReceiptAttribute] {
        purchases.map {
            ReceiptAttribute(type: AppReceiptAttribute.purchase, value: DER.set($0.attributes.map(\.encoded)))
        }
    }
}

extension DER {
    /// A date as receipts have it: RFC 3339 in an IA5String, empty if there is none.
    static func date(_ instant: Instant?) -> [UInt8] { ia5String(instant?.rfc3339 ?? "") }
}
