import StoreModel

extension AppReceipt {
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

    /// What genuine receipts carry without saying why. Readers skip it; a reader that did not would be found here.
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
