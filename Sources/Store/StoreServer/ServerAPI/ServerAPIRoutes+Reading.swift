import StoreHTTP
import StoreModel
import StoreService

extension ServerAPIRoutes {
    /// What servers read of the customers of an app.
    var readingRoutes: [Route] {
        [transactionInfo, history(version: 1), history(version: 2), subscriptions, appTransaction, order]
            + [refunds(version: 1), refunds(version: 2)]
    }

    private var transactions: ServerTransactions { ServerTransactions(store) }

    /// The id of a path: that of a transaction, of the first of its series, or of the customer's download of the app.
    static let anyID = PathParameter<String>("transactionId", rule: "the id of a transaction or an app transaction") {
        $0
    }

    private static let ofCustomer: [ServerAPIError.Code] = [
        .invalidTransactionID, .accountNotFound, .accountNotFoundRetryable, .transactionNotFound,
    ]

    private var transactionInfo: Route {
        route(
            .get, "/inApps/v1/transactions/{transactionId}", id: "getTransactionInfo", "A transaction.",
            parameters: [.path(Self.anyID)], answer: .object(["signedTransactionInfo": .jws]),
            errors: [.invalidTransactionID, .appTransactionIDNotSupported, .transactionNotFound]
        ) { [transactions] call in
            let signed = try await transactions.info(call.id, for: call.caller)
            return .serverAPI { $0.text("signedTransactionInfo", signed) }
        }
    }

    private func history(version: Int) -> Route {
        route(
            .get, RoutePattern("/inApps/v\(version)/history/{transactionId}"),
            id: version == 1 ? "getTransactionHistoryV1" : "getTransactionHistory",
            version == 1
                ? "What a customer has of an app, without consumables that were finished; the next version has them."
                : "What a customer has of an app, in the order in which it was changed.",
            parameters: [.path(Self.anyID)] + ServerAPISchemas.historyQuery, answer: ServerAPISchemas.history,
            errors: Self.ofCustomer + [
                .invalidRequestRevision, .startDateAfterEndDate, .invalidStartDate, .invalidEndDate, .invalidSort,
                .invalidProductType, .invalidProductID, .invalidSubscriptionGroup, .invalidExcludeRevoked,
                .invalidOwnershipType, .invalidRevoked,
            ]
        ) { [transactions, store] call in
            let query = ServerQuery(call.request)
            let page = try await transactions.history(
                of: call.id, HistoryFilter(query, isFirstVersion: version == 1),
                after: query.text("revision", else: .invalidRequestRevision), for: call.caller)
            return .serverAPI { writer in
                writer.text("revision", page.revision)
                writer.flag("hasMore", page.hasMore)
                writer.app(of: call, in: store.environment)
                writer.texts("signedTransactions", page.signed)
            }
        }
    }

    private var subscriptions: Route {
        route(
            .get, "/inApps/v1/subscriptions/{transactionId}", id: "getAllSubscriptionStatuses",
            "How the subscriptions of a customer in an app stand.",
            parameters: [
                .path(Self.anyID),
                .query(
                    "status", "Those with one of these statuses; may stand several times.",
                    schema: .array(of: .integer(minimum: 1, maximum: 5))),
            ], answer: ServerAPISchemas.statuses, errors: Self.ofCustomer + [.invalidStatus]
        ) { [transactions, store] call in
            let statuses = try ServerQuery(call.request).words(
                "status", among: ServerAPISchemas.statusWords, else: .invalidStatus)
            let found = try await transactions.subscriptions(of: call.id, in: statuses, for: call.caller)
            var groups: [String] = []
            for one in found where !groups.contains(one.group) { groups.append(one.group) }
            return .serverAPI { writer in
                writer.app(of: call, in: store.environment)
                writer.array("data") { writer in
                    for group in groups {
                        writer.object { $0.group(group, found.filter { $0.group == group }) }
                    }
                }
            }
        }
    }

    private var appTransaction: Route {
        route(
            .get, "/inApps/v1/transactions/appTransactions/{transactionId}", id: "getAppTransactionInfo",
            "A customer's download of an app.", parameters: [.path(Self.anyID)],
            answer: .object(["signedAppTransactionInfo": .jws]), errors: Self.ofCustomer + [.noAppTransaction]
        ) { [transactions] call in
            let signed = try await transactions.appTransaction(of: call.id, for: call.caller)
            return .serverAPI { $0.text("signedAppTransactionInfo", signed) }
        }
    }

    private static let order = PathParameter<String>("orderId", rule: "the id of an order") { $0 }

    private var order: Route {
        route(
            .get, "/inApps/v1/lookup/{orderId}", id: "lookUpOrderId", "The transactions of an order.",
            parameters: [.path(Self.order)],
            answer: .object(
                [
                    "status": .integer("0 for an order of the app, 1 for none.", minimum: 0, maximum: 1),
                    "signedTransactions": .array(of: .jws),
                ], optional: ["signedTransactions"]),
            errors: []
        ) { [transactions] call in
            let found = try await transactions.order(call.request[Self.order], for: call.caller)
            return .serverAPI { writer in
                writer.number("status", found == nil ? 1 : 0)
                if let found { writer.texts("signedTransactions", found) }
            }
        }
    }

    private func refunds(version: Int) -> Route {
        let revision = OperationDocumentation.Parameter.query(
            "revision", "What the page before this one had as revision.")
        return route(
            .get, RoutePattern("/inApps/v\(version)/refund/lookup/{transactionId}"),
            id: version == 1 ? "getRefundHistoryV1" : "getRefundHistory",
            "What a customer got money back for, by when it was revoked.",
            parameters: [.path(Self.anyID)] + (version == 1 ? [] : [revision]),
            answer: ServerAPISchemas.refunds(isPaged: version > 1),
            errors: Self.ofCustomer + (version == 1 ? [] : [.invalidRequestRevision])
        ) { [transactions] call in
            let after = try ServerQuery(call.request).text("revision", else: .invalidRequestRevision)
            let page = try await transactions.refunds(
                of: call.id, after: version == 1 ? nil : after, isPaged: version > 1, for: call.caller)
            return .serverAPI { writer in
                writer.texts("signedTransactions", page.signed)
                if version > 1 {
                    writer.text("revision", page.revision)
                    writer.flag("hasMore", page.hasMore)
                }
            }
        }
    }
}

extension ServerCall {
    /// The id of the path.
    var id: String {
        get throws { try request[ServerAPIRoutes.anyID] }
    }
}

extension AnswerWriter {
    /// Which app an answer is about; the sandbox has no numbers of apps.
    mutating func app(of call: ServerCall, in environment: StoreEnvironment) {
        text("bundleId", call.caller.bundle.text)
        if environment == .production { number("appAppleId", call.caller.app.number) }
        text("environment", WireEnvironment(environment).rawValue)
    }

    /// The subscriptions of a group.
    fileprivate mutating func group(_ group: String, _ subscriptions: [ServerTransactions.SubscriptionStatus]) {
        text("subscriptionGroupIdentifier", group)
        array("lastTransactions") { writer in
            for one in subscriptions {
                writer.object { writer in
                    writer.number("status", Int64(one.status.rawValue))
                    writer.text("originalTransactionId", one.original.description)
                    writer.text("signedTransactionInfo", one.signedTransaction)
                    writer.text("signedRenewalInfo", one.signedRenewal)
                }
            }
        }
    }
}

extension HTTPResponse {
    /// An answer whose members are written once.
    static func serverAPI(_ members: (inout AnswerWriter) -> Void) -> HTTPResponse {
        var writer = AnswerWriter(reserving: 4096)
        writer.object(nil, members)
        return .serverAPI(writer.bytes)
    }
}

/// What the messages of the App Store Server API look like.
enum ServerAPISchemas {
    static let historyQuery: [OperationDocumentation.Parameter] = [
        .query("revision", "What the page before this one had as revision; the filters are the same."),
        .query("startDate", "Bought at this moment or later, in milliseconds since 1970.", schema: .integer()),
        .query("endDate", "Bought before this moment, in milliseconds since 1970.", schema: .integer()),
        .query("productId", "One of these products; may stand several times.", schema: .array(of: .string())),
        .query(
            "productType", "One of these types; may stand several times.",
            schema: .array(of: .string(among: HistoryFilter.kindWords.map(\.key)))),
        .query(
            "subscriptionGroupIdentifier", "One of these groups; may stand several times.",
            schema: .array(of: .string())),
        .query(
            "inAppOwnershipType", "Bought, or had from the family.",
            schema: .string(among: HistoryFilter.ownershipWords.map(\.key))),
        .query("revoked", "Only what was taken back, or only what was not.", schema: .boolean()),
        .query("sort", "By the last change.", schema: .string(among: ["ASCENDING", "DESCENDING"])),
    ]

    static let history = JSONSchema.object(
        [
            "revision": .string("What to ask for to get what follows, now or later."), "hasMore": .boolean(),
            "bundleId": .string(), "appAppleId": .integer("In production."), "environment": environment,
            "signedTransactions": .array(of: .jws),
        ], optional: ["appAppleId"])

    static let environment = JSONSchema.string(among: ["Production", "Sandbox"])

    static let statusWords: KeyValuePairs<String, WireSubscriptionStatus> = [
        "1": .active, "2": .expired, "3": .billingRetry, "4": .gracePeriod, "5": .revoked,
    ]

    static let statuses = JSONSchema.object(
        [
            "environment": environment, "bundleId": .string(), "appAppleId": .integer("In production."),
            "data": .array(
                of: .object([
                    "subscriptionGroupIdentifier": .string(),
                    "lastTransactions": .array(
                        of: .object([
                            "status": .integer("1 to 5: active, expired, retried, in grace, revoked."),
                            "originalTransactionId": .string(), "signedTransactionInfo": .jws,
                            "signedRenewalInfo": .jws,
                        ])),
                ])),
        ], optional: ["appAppleId"])

    static func refunds(isPaged: Bool) -> JSONSchema {
        isPaged
            ? .object(["signedTransactions": .array(of: .jws), "revision": .string(), "hasMore": .boolean()])
            : .object(["signedTransactions": .array(of: .jws)])
    }
}
