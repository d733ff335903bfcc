package import StoreHTTP
package import StoreModel
import StoreService

// What the types of the messages of `/device/v1` do not say of their members.

extension DeviceRegistrationRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "profile": .string("The provisioning profile of the app: `till provision`."),
            "publicKey": .string("A P-256 key, as SubjectPublicKeyInfo in DER and Base64."),
            "signature": .string(
                "ECDSA with SHA-256 in DER and Base64, over a line each, as they are sent: `till-device`, the environment, "
                    + "bundleId, signedAt, publicKey, deviceIdentifier, vendorIdentifier, appVersion, language, storefront "
                    + "(empty if left out), isSimulator, profile. It is good once."
            ),
            "deviceIdentifier": .string(format: "uuid"), "vendorIdentifier": .string(format: "uuid"),
            "appVersion": visible, "language": visible,
        ]
    }

    fileprivate static let visible = JSONSchema.string(
        pattern: "^[!-~]+$", lengths: 1...RegistrationRequest.longestText)
}

extension DeviceSettings: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["language": DeviceRegistrationRequest.visible] }
}

extension DeviceAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["token": .string("Only in the answer to a registration: the secret of all other requests.")]
    }
}

extension ProductsRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["productIds": .array(of: .string(), lengths: 0...longest)] }
}

extension PriceAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["amount": .amount, "display": .string("As people of the storefront write it.")]
    }
}

extension InvalidProductAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["reason": .string("Only in the sandbox."), "nearest": .string("The id that was probably meant.")]
    }
}

extension PurchaseRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "quantity": .quantity, "discount": .of(DiscountRequest.self),
            "offerCode": .string("The code that is redeemed; not together with a discount."),
        ]
    }
}

extension DiscountRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "nonce": .string("A UUID that was never signed before."),
            "signature": .string("ECDSA with SHA-256 in DER and Base64."),
            "timestamp": .integer("When it was signed, in milliseconds since 1970.", minimum: 0),
            "applicationUsername": .string("The user name that was signed, where it is no appAccountToken."),
        ]
    }
}

extension PurchaseAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "state": .string("See Purchases.md; later ones may be added."),
            "actionUrl": .string("Where the customer has to go."), "signedTransaction": .jws,
        ]
    }
}

extension PurchaseFailureAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["storeKitCode": .integer("The code of StoreKit's error.")] }
}

extension EventsAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["cursor": .string("Where to go on from.")] }
}

extension EventAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "kind": .string(
                "`transaction`, `revocation`, `purchase`, `price-consent`, `subscription`; pass over others."),
            "isOwn": .boolean("Whether this device brought it about."), "signedTransaction": .jws,
        ]
    }
}

extension TransactionsAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "signedTransactions": .array(of: .jws),
            "cursor": .string("The place in the events up to which these are complete."),
        ]
    }
}

extension RestoredTransactionAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["signedTransaction": .jws, "originalSignedTransaction": .jws] }
}

extension PriceConsentAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["text": .string("All of it in a sentence, in the language of the device.")]
    }
}

extension VisitRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "itemId": .string("The number of an item; a link to it will do too."),
            "productId": .string("The product of the app that the page is to begin with."),
        ]
    }
}

extension VisitAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "page": .string("The path of the page, for one person's browser; missing where there are no pages."),
            "products": .array(of: .of(VisitProductAnswer.self)),
        ]
    }
}

extension VisitStateAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["state": .string("`open`, `closed`, `bought`, `chosen`, `expired`; others are an end, too.")]
    }
}

extension EntitlementsAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["signedTransactions": .array(of: .jws)] }
}

extension SubscriptionStatusAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "subscriptionGroupIdentifier": .string(
                "The group of the product; the product itself where that is in none."),
            "status": .integer(
                "1 for what runs, 2 for what is over, 3 for what is tried to be charged, 4 in its grace period, 5 for what was revoked."
            ),
            "signedTransaction": .jws, "signedRenewalInfo": .jws,
        ]
    }
}

extension AppTransactionAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["signedAppTransaction": .jws] }
}

extension ReceiptAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["receipt": .string("In Base64.", pattern: base64)]
    }

    fileprivate static let base64 = "^[A-Za-z0-9+/]*={0,2}$"
}

extension ReceiptsRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["transactionIds": .array(of: TransactionID.schema, lengths: 0...longest)]
    }
}

extension TransactionReceiptAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["receipt": .string("In Base64.", pattern: ReceiptAnswer.base64)]
    }
}
