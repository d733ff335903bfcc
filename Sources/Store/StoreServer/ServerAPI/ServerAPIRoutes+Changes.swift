import StoreHTTP
import StoreModel
import StoreService

/// What developers' servers change: renewal dates, what was consumed, tokens of accounts, transactions that are finished.
extension ServerAPIRoutes {
    var changing: [Route] {
        [
            extend, extendAll, extensionStatus, consumption(.secondVersion), consumption(.firstVersion), accountToken,
            finish,
        ]
    }

    // MARK: Extensions

    private var extend: Route {
        route(
            .put, "/inApps/v1/subscriptions/extend/{originalTransactionId}", id: "extendRenewalDate",
            "Put off when a subscription renews.", parameters: [Self.original], body: Self.extension,
            answer: .object(
                [
                    "originalTransactionId": .string(), "webOrderLineItemId": .string(), "success": .boolean(),
                    "effectiveDate": .integer(),
                ], optional: ["webOrderLineItemId"]),
            errors: [
                .invalidOriginalTransactionID, .invalidExtendByDays, .invalidExtendReason, .invalidRequestIdentifier,
                .extensionIneligible, .maximumExtensions, .familyExtensionIneligible, .originalNotFound,
            ]
        ) { [errors] call in
            let original = try call.transaction("originalTransactionId", or: .invalidOriginalTransactionID)
            let asked = try ExtensionRequest(ServerBody(call.request))
            let extended = try await SubscriptionExtensions(call.store).extend(
                original, of: call.caller.app, by: asked, call.cause)
            var response = HTTPResponse.serverAPI(
                JSONValue.members([
                    "originalTransactionId": .string(original.description),
                    "webOrderLineItemId": extended.orderLine.map { .string($0.description) },
                    "success": .bool(true),
                    "effectiveDate": .integer(Int(extended.stored.newEnd.millisecondsSinceEpoch)),
                ]).bytes)
            if let reason = asked.reason(answeredBy: extended.stored.request) {
                errors.add(reason, to: &response, for: call.request)
            }
            return response
        }
    }

    private var extendAll: Route {
        route(
            .post, "/inApps/v1/subscriptions/extend/mass", id: "massExtendRenewalDate",
            "Put off when a subscription renews, for all active subscribers.",
            body: .object(
                [
                    "extendByDays": .integer("1 to 90."), "extendReasonCode": .integer("0 to 3."),
                    "requestIdentifier": .string("A UUID."), "productId": .string(),
                    "storefrontCountryCodes": .array(of: .string()),
                ], optional: ["storefrontCountryCodes"]),
            answer: .object(["requestIdentifier": .string()]),
            errors: [
                .invalidExtendByDays, .invalidExtendReason, .invalidRequestIdentifier, .invalidProductID,
                .emptyStorefronts, .invalidStorefront,
            ]
        ) { [errors] call in
            let body = try ServerBody(call.request)
            let asked = try ExtensionRequest(body)
            let begun = try await MassExtensions(call.store).begin(
                body.text("productId", or: .invalidProductID), of: call.caller.app, by: asked,
                in: body.texts("storefrontCountryCodes", or: .invalidStorefront), call.cause)
            var response = HTTPResponse.serverAPI(
                JSONValue.members(["requestIdentifier": .string(begun.request.identifier)]).bytes)
            if let reason = asked.reason(answeredBy: begun.request) {
                errors.add(reason, to: &response, for: call.request)
            }
            return response
        }
    }

    private var extensionStatus: Route {
        route(
            .get, "/inApps/v1/subscriptions/extend/mass/{productId}/{requestIdentifier}",
            id: "massExtensionStatus", "How far an extension of all active subscribers has come.",
            parameters: [
                .path(PathParameter<String>("productId", rule: "the id of a product") { $0 }),
                .path(PathParameter<String>("requestIdentifier", rule: "what it was asked for under") { $0 }),
            ],
            answer: .object(
                [
                    "requestIdentifier": .string(), "complete": .boolean(), "completeDate": .integer(),
                    "succeededCount": .integer(), "failedCount": .integer(),
                ], optional: ["completeDate"]),
            errors: [.invalidProductID, .statusRequestNotFound]
        ) { call in
            let parts = call.request.parameters
            guard let product = ProductID(parts.text("productId") ?? "") else {
                throw ServerAPIError(.invalidProductID, "productId has not the form of a product's id")
            }
            let found = try await MassExtensions(call.store).find(
                parts.text("requestIdentifier") ?? "", for: product, of: call.caller.app)
            return .serverAPI(
                JSONValue.members([
                    "requestIdentifier": .string(found.request.identifier),
                    "complete": .bool(found.completedAt != nil),
                    "completeDate": found.completedAt.map { .integer(Int($0.millisecondsSinceEpoch)) },
                    "succeededCount": .integer(found.succeeded), "failedCount": .integer(found.failed),
                ]).bytes)
        }
    }

    private static let original = OperationDocumentation.Parameter.path(
        PathParameter<TransactionID>("originalTransactionId", rule: "the first transaction of a series"))
    private static let transaction = OperationDocumentation.Parameter.path(
        PathParameter<TransactionID>("transactionId", rule: "a transaction"))
    private static let `extension` = JSONSchema.object([
        "extendByDays": .integer("1 to 90."), "extendReasonCode": .integer("0 to 3."), "requestIdentifier": .string(),
    ])

    // MARK: Consumption

    private func consumption(_ form: ConsumptionForm) -> Route {
        route(
            .put, form.path, id: form.id, "Say what was delivered and consumed of a purchase.",
            parameters: [Self.transaction], body: form.schema, answer: nil, status: .accepted,
            errors: [
                .invalidTransactionID, .transactionNotFound, .transactionTypeNotSupported,
                .familyTransactionNotSupported,
            ] + form.errors
        ) { [errors] call in
            let id = try call.transaction("transactionId", or: .invalidTransactionID)
            let told = try form.read(ServerBody(call.request))
            let unkept = try await ServerConsumption(call.store).send(told, about: id, of: call.caller.app, call.cause)
            var response = HTTPResponse(.accepted)
            if let unkept { errors.add(unkept, to: &response, for: call.request) }
            return response
        }
    }

    // MARK: Transactions

    private var accountToken: Route {
        route(
            .put, "/inApps/v1/transactions/{originalTransactionId}/appAccountToken", id: "setAppAccountToken",
            "Give a purchase and all that follows of it another token of the account.", parameters: [Self.original],
            body: .object(["appAccountToken": .string("A UUID.")]), answer: nil,
            errors: [
                .invalidTransactionID, .transactionNotFound, .appAccountTokenNoUUID, .familyTransactionNotSupported,
                .transactionIDIsNoOriginal,
            ]
        ) { call in
            let original = try call.transaction("originalTransactionId", or: .invalidTransactionID)
            let token = try ServerBody(call.request).text("appAccountToken", or: .appAccountTokenNoUUID)
            try await ServerTransactionChanges(call.store).setAccountToken(
                token, of: original, of: call.caller.app, call.cause)
            return HTTPResponse(.ok)
        }
    }

    private var finish: Route {
        route(
            .post, "/inApps/v1/transactions/{transactionId}/finish", id: "finishTransactionByServer",
            "Note that the customer got what a transaction stands for.", parameters: [Self.transaction], answer: nil,
            errors: [.invalidTransactionID, .transactionNotFound]
        ) { call in
            let id = try call.transaction("transactionId", or: .invalidTransactionID)
            try await ServerTransactionChanges(call.store).finish(id, of: call.caller.app, call.cause)
            return HTTPResponse(.ok)
        }
    }
}

extension ServerCall {
    /// The transaction in a part of the path.
    func transaction(_ name: String, or code: ServerAPIError.Code) throws(ServerAPIError) -> TransactionID {
        guard let id = request.parameters.text(name).flatMap({ TransactionID($0) }) else {
            throw ServerAPIError(code, "\(name) in the path has not the form of a transaction's id")
        }
        return id
    }
}

extension ExtensionRequest {
    fileprivate init(_ body: ServerBody) throws(ServerAPIError) {
        try self.init(
            days: body.integer("extendByDays", or: .invalidExtendByDays),
            reason: body.integer("extendReasonCode", or: .invalidExtendReason),
            identifier: body.text("requestIdentifier", or: .invalidRequestIdentifier))
    }
}

/// A version of the message about consumption.
private struct ConsumptionForm: Sendable {
    let path: RoutePattern
    let id: String
    let schema: JSONSchema
    let errors: [ServerAPIError.Code]
    let read: @Sendable (ServerBody) throws(ServerAPIError) -> Consumption

    static let secondVersion = ConsumptionForm(
        path: "/inApps/v2/transactions/consumption/{transactionId}", id: "sendConsumptionInformation",
        schema: .object(
            [
                "customerConsented": .boolean("Has to be true."), "sampleContentProvided": .boolean(),
                "deliveryStatus": .string(), "consumptionPercentage": .integer(), "refundPreference": .string(),
            ], optional: ["consumptionPercentage", "refundPreference"]),
        errors: [.invalidCustomerConsented, .invalidSampleContent, .invalidDeliveryStatus]
    ) { body throws(ServerAPIError) in
        try ServerConsumption.secondVersion(
            customerConsented: body.flag("customerConsented", or: .invalidCustomerConsented),
            sampleContentProvided: body.flag("sampleContentProvided", or: .invalidSampleContent),
            deliveryStatus: body.text("deliveryStatus", or: .invalidDeliveryStatus),
            consumptionPercentage: body.integer("consumptionPercentage", or: .generalBadRequest),
            refundPreference: body.text("refundPreference", or: .generalBadRequest))
    }

    static let firstVersion = ConsumptionForm(
        path: "/inApps/v1/transactions/consumption/{transactionId}", id: "sendConsumptionInformationV1",
        schema: .object(
            [
                (name: "customerConsented", schema: .boolean("Has to be true.")),
                (name: "sampleContentProvided", schema: .boolean()),
                (name: "appAccountToken", schema: .string("A UUID, or empty.")),
            ] + ConsumptionFirstVersion.fields.map { (name: $0.name, schema: .integer()) },
            optional: ["refundPreference"]),
        errors: [.invalidCustomerConsented, .invalidSampleContent, .invalidAppAccountToken]
            + ConsumptionFirstVersion.fields.map(\.code).filter { $0 != .generalBadRequest }
    ) { body throws(ServerAPIError) in
        var numbers: [String: Int] = [:]
        for field in ConsumptionFirstVersion.fields {
            numbers[field.name] = try body.integer(field.name, or: field.code)
        }
        return try ServerConsumption.firstVersion(
            customerConsented: body.flag("customerConsented", or: .invalidCustomerConsented),
            sampleContentProvided: body.flag("sampleContentProvided", or: .invalidSampleContent),
            accountToken: body.text("appAccountToken", or: .invalidAppAccountToken), numbers)
    }
}
