import StoreHTTP
import StoreRules
import StoreService

/// What the messages of the device interface look like.
enum DeviceSchemas {
    static let instant = JSONSchema.integer("Milliseconds since 1970.")
    static let number = JSONSchema.string(pattern: "^(0|[1-9][0-9]{0,18})$")
    static let uuid = JSONSchema.string(format: "uuid")
    static let base64 = JSONSchema.string("In Base64.", pattern: "^[A-Za-z0-9+/]*={0,2}$")
    static let jws = JSONSchema.string("A JWS under the chain of the store.")
    static let country = JSONSchema.string("Three letters.", example: "USA", pattern: "^[A-Z]{3}$")
    static let bundle = JSONSchema.string(
        example: "com.example.app", pattern: "^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$", lengths: 1...155)

    static let registration = JSONSchema.object(
        [
            "profile": .string("The provisioning profile of the app: `till provision`."), "bundleId": bundle,
            "publicKey": .string("A P-256 key, as SubjectPublicKeyInfo in DER and Base64."),
            "signature": .string(
                "ECDSA with SHA-256 in DER and Base64, over `till-device`, environment, bundle id and signedAt, a line each."
            ),
            "signedAt": instant, "deviceIdentifier": uuid, "vendorIdentifier": uuid,
            "appVersion": text, "language": text, "storefront": country, "isSimulator": .boolean(),
        ], optional: ["storefront", "isSimulator"])

    private static let text = JSONSchema.string(
        pattern: "^[!-~]+$", lengths: 1...RegistrationRequest.longestText)

    static let storefront = JSONSchema.object(["countryCode": country, "id": number, "currency": .string()])

    static let device = JSONSchema.object(
        [
            "deviceId": number, "bundleId": bundle, "environment": .string(among: ["production", "sandbox"]),
            "token": .string("Only in the answer to a registration: the secret of all other requests."),
            "tokenExpires": instant, "storefront": storefront, "language": .string(), "isSignedIn": .boolean(),
            "purchasesAllowed": .boolean(), "isSimulator": .boolean(),
        ], optional: ["token", "tokenExpires"])

    static let settings = JSONSchema.object(
        ["purchasesAllowed": .boolean(), "language": text], optional: ["purchasesAllowed", "language"])

    static let price = JSONSchema.object([
        "amount": .string(example: "0.99", pattern: "^[0-9]+(\\.[0-9]+)?$"), "currency": .string(),
        "display": .string("As people of the storefront write it."),
    ])

    static let products = JSONSchema.object([
        "products": .array(
            of: .object(
                [
                    "productId": .string(), "itemId": .integer(), "type": .string(), "title": .string(),
                    "description": .string(), "language": .string(), "price": price, "isFamilyShareable": .boolean(),
                    "subscriptionPeriod": .string(example: "P1M"), "subscriptionGroupIdentifier": .string(),
                ], optional: ["subscriptionPeriod", "subscriptionGroupIdentifier"])),
        "invalid": .array(
            of: .object(
                [
                    "productId": .string(), "reason": .string("Only in the sandbox."), "explanation": .string(),
                    "nearest": .string("The id that was probably meant."),
                ], optional: ["reason", "explanation", "nearest"])),
    ])

    static let purchaseOrder = JSONSchema.object(
        [
            "productId": .string(),
            "quantity": .integer(minimum: Sale.quantities.lowerBound, maximum: Sale.quantities.upperBound),
            "appAccountToken": uuid,
        ], optional: ["quantity", "appAccountToken"])

    static let purchase = JSONSchema.object(
        [
            "purchaseId": number, "key": uuid, "productId": .string(), "quantity": .integer(), "unitPrice": price,
            "total": price, "state": .string("See Purchases.md; later ones may be added."),
            "confirmation": .object(["code": .string(), "token": .string(), "expires": instant], optional: ["token"]),
            "actionUrl": .string("Where the customer has to go."),
            "failure": .object(
                [
                    "code": .string(), "detail": .string(), "message": .string(),
                    "storeKitCode": .integer("The code of StoreKit's error."),
                ], optional: ["detail"]),
            "signedTransaction": jws,
        ], optional: ["confirmation", "actionUrl", "failure", "signedTransaction"])

    static let events = JSONSchema.object([
        "events": .array(
            of: .object(
                [
                    "number": .integer(), "kind": .string("`transaction`, `revocation`, `purchase`; pass over others."),
                    "date": instant, "isOwn": .boolean("Whether this device brought it about."), "purchaseKey": uuid,
                    "signedTransaction": jws, "restoredTransactionId": number, "isFinished": .boolean(),
                ], optional: ["purchaseKey", "signedTransaction", "restoredTransactionId", "isFinished"])),
        "cursor": .string("Where to go on from."), "hasMore": .boolean(),
    ])

    static let transactions = JSONSchema.object([
        "signedTransactions": .array(of: jws), "unfinished": .array(of: number),
        "restored": .array(of: .object(["transactionId": number, "restoredTransactionId": number])),
        "purchases": .array(of: .object(["transactionId": number, "purchaseKey": uuid])),
        "hasMore": .boolean(),
        "cursor": .string("The place in the events up to which these are complete."),
    ])

    static let restoration = JSONSchema.object([
        "restored": .array(of: .object(["signedTransaction": jws, "originalSignedTransaction": jws]))
    ])

    static let entitlements = JSONSchema.object(["signedTransactions": .array(of: jws)])
    static let receipt = JSONSchema.object(["receipt": base64])
}
