import StoreHTTP
import StoreRules
import StoreService

/// What the messages about customers and sales look like.
enum SaleSchemas {
    private static let instant = DeviceSchemas.instant
    private static let number = DeviceSchemas.number
    static let money = JSONSchema.object(["amount": .string(), "currency": .string()])

    static let customerOrder = JSONSchema.object(
        [
            "email": .string(), "password": .string(), "firstName": .string(), "lastName": .string(),
            "storefront": DeviceSchemas.country, "birthDate": .string(format: "date"), "secretQuestion": .string(),
            "secretAnswer": .string(), "paymentMethod": .string("The processor's token of what the account pays with."),
        ],
        optional: [
            "password", "firstName", "lastName", "storefront", "birthDate", "secretQuestion", "secretAnswer",
            "paymentMethod",
        ])

    static let customer = JSONSchema.object(
        [
            "customerId": number, "email": .string(), "kind": .string(), "firstName": .string(), "lastName": .string(),
            "storefront": DeviceSchemas.country, "purchasesAllowed": .boolean(), "interruptsPurchases": .boolean(),
            "createdAt": instant, "deletedAt": instant,
            "paymentMethods": .array(
                of: .object(["id": .integer(), "processor": .string(), "token": .string(), "label": .string()])),
        ], optional: ["deletedAt"])

    static let customers = JSONSchema.object(["customers": .array(of: customer), "hasMore": .boolean()])

    static let customerChange = JSONSchema.object(
        [
            "purchasesAllowed": .boolean(), "interruptsPurchases": .boolean(), "storefront": DeviceSchemas.country,
            "password": .string(),
        ], optional: ["purchasesAllowed", "interruptsPurchases", "storefront", "password"])

    static let paymentMethod = JSONSchema.object(["token": .string(), "label": .string()], optional: ["label"])
    static let recovery = JSONSchema.object(["token": .string(), "expires": instant])
    static let recoveryOrder = JSONSchema.object(["token": .string(), "password": .string()])

    static let device = JSONSchema.object(
        [
            "deviceId": number, "bundleId": .string(), "customerId": number, "storefront": .string(),
            "language": .string(), "appVersion": .string(), "purchasesAllowed": .boolean(), "isSimulator": .boolean(),
            "registeredAt": instant, "seenAt": instant,
        ], optional: ["customerId"])

    static let devices = JSONSchema.object(["devices": .array(of: device), "hasMore": .boolean()])

    static let deviceChange = JSONSchema.object(
        ["purchasesAllowed": .boolean(), "isSimulator": .boolean()], optional: ["purchasesAllowed", "isSimulator"])

    static let voidSettlement = JSONSchema.object([
        "because": .string(
            "How the money was let go of, and who says so; it stays in the history.",
            lengths: 1...ChargeDriver.longestReason)
    ])

    static let purchaseOrder = JSONSchema.object(
        [
            "customer": .string("The number or the e-mail address of the account."), "bundleId": DeviceSchemas.bundle,
            "productId": .string(),
            "quantity": .integer(minimum: Sale.quantities.lowerBound, maximum: Sale.quantities.upperBound),
            "appAccountToken": DeviceSchemas.uuid,
        ], optional: ["quantity", "appAccountToken"])

    static let approval = JSONSchema.object(
        ["code": .string(), "customer": .string(), "isApproved": .boolean("No, if it is false.")],
        optional: ["customer", "isApproved"])

    static let purchase = JSONSchema.object(
        [
            "purchaseId": number, "state": .string(),
            "failure": .object(
                ["code": .string(), "detail": .string(), "message": .string(), "storeKitCode": .integer()],
                optional: ["detail"]),
            "customerId": number, "deviceId": number, "bundleId": .string(), "productId": .string(),
            "quantity": .integer(), "storefront": .string(), "unitPrice": money, "total": money, "code": .string(),
            "actionUrl": .string(), "transactionId": number, "openedAt": instant, "changedAt": instant,
            "expiresAt": instant, "authorisation": .string(), "capture": .string(), "history": .array(of: history),
        ],
        optional: [
            "failure", "customerId", "deviceId", "code", "actionUrl", "transactionId", "authorisation", "capture",
            "history",
        ])

    private static let history = JSONSchema.object(
        [
            "number": .integer(), "date": instant, "event": .string(), "state": .string(), "detail": .string(),
            "actor": .string("Whose act it was: customer, operator, store."), "requestId": .string(),
        ], optional: ["detail", "requestId"])

    static let purchases = JSONSchema.object(["purchases": .array(of: purchase), "hasMore": .boolean()])

    static let transaction = JSONSchema.object(
        [
            "transactionId": number, "originalTransactionId": number, "purchaseId": number,
            "restoredTransactionId": number, "customerId": number, "deviceId": number, "bundleId": .string(),
            "productId": .string(), "type": .string(), "quantity": .integer(), "price": money, "storefront": .string(),
            "purchaseDate": instant, "expiresDate": instant, "appAccountToken": DeviceSchemas.uuid,
            "finishedDate": instant, "revocationDate": instant, "revocationReason": .integer(),
        ],
        optional: [
            "purchaseId", "restoredTransactionId", "deviceId", "expiresDate", "appAccountToken", "finishedDate",
            "revocationDate",
            "revocationReason",
        ])

    static let transactions = JSONSchema.object(["transactions": .array(of: transaction), "hasMore": .boolean()])

    static let refund = JSONSchema.object(
        [
            "refundId": .integer(), "transactionId": number,
            "state": .string(among: ["refunding", "refunded", "failed"]), "failure": .string(), "amount": money,
            "requestedAt": instant,
        ], optional: ["failure"])

    static let refundOrder = JSONSchema.object(
        ["reason": .integer("1: an issue with the app; 0: another reason.", minimum: 0, maximum: 1)],
        optional: ["reason"])

    static let entry = JSONSchema.object([
        "entryId": .integer(), "kind": .string(), "subject": .integer(), "transactionId": number, "date": instant,
        "lines": .array(of: .object(["account": .string(), "amount": money])),
    ])

    static let ledger = JSONSchema.object(["entries": .array(of: entry), "hasMore": .boolean()])

    static let ledgerCheck = JSONSchema.object(
        [
            "isInOrder": .boolean(), "entries": .integer(),
            "sums": .array(of: .object(["account": .string(), "amount": money])),
            "movements": .integer("How many movements of the processor were held against the books."),
            "underWay": .integer(), "problemCount": .integer(),
            "problems": .array(of: .object(["code": .string(), "message": .string()])),
        ], optional: ["movements"])

    static let details = JSONSchema.object(
        [
            "transaction": transaction, "purchase": purchase, "refunds": .array(of: refund),
            "ledger": .array(of: entry), "signedTransaction": DeviceSchemas.jws,
        ], optional: ["purchase"])

    static let customerQuery = OperationDocumentation.Parameter.query(
        "customer", "Only of this account, by its number or e-mail address.")
    static let afterQuery = OperationDocumentation.Parameter.query(
        "after", "The number of the last one seen.", schema: number)
}
