import StoreHTTP
import StoreModel
import StoreService

/// What developers' servers ask about their notifications.
extension ServerAPIRoutes {
    var notifying: [Route] { [requestTest, testStatus, history] }

    private var requestTest: Route {
        route(
            .post, "/inApps/v1/notifications/test", id: "requestTestNotification",
            "Have a notification sent as a test.",
            answer: .object(["testNotificationToken": .string()]), errors: [.notificationURLNotFound]
        ) { call in
            let token = try await ServerNotifications(call.store).requestTest(
                of: call.caller.app, call.caller.bundle, call.cause)
            return .serverAPI(JSONValue.members(["testNotificationToken": .string(token)]).bytes)
        }
    }

    private var testStatus: Route {
        route(
            .get, "/inApps/v1/notifications/test/{testNotificationToken}", id: "testNotificationStatus",
            "What came of a notification that was sent as a test.",
            parameters: [
                .path(
                    PathParameter<String>("testNotificationToken", rule: "what the request was answered with") { $0 })
            ],
            answer: Self.item, errors: [.invalidTestNotificationToken, .testNotificationNotFound]
        ) { call in
            let token = call.request.parameters.text("testNotificationToken") ?? ""
            let found = try await ServerNotifications(call.store).test(token, of: call.caller.app)
            return .serverAPI(Self.json(found).bytes)
        }
    }

    private var history: Route {
        route(
            .post, "/inApps/v1/notifications/history", id: "notificationHistory",
            "The notifications that were sent, the newest first.",
            parameters: [.query("paginationToken", "What the page before was answered with.")],
            body: .object(
                [
                    "startDate": .integer(), "endDate": .integer(), "transactionId": .string(),
                    "notificationType": .string(), "notificationSubtype": .string(),
                    "onlyFailures": .boolean(),
                ],
                optional: ["transactionId", "notificationType", "notificationSubtype", "onlyFailures"]),
            answer: .object(
                [
                    "notificationHistory": .array(of: Self.item), "hasMore": .boolean(),
                    "paginationToken": .string(),
                ], optional: ["paginationToken"]),
            errors: [
                .startDateTooFarInPast, .startDateAfterEndDate, .invalidPaginationToken, .invalidStartDate,
                .invalidEndDate, .paginationTokenExpired, .invalidNotificationType,
                .multipleFiltersSupplied,
                .invalidTransactionID,
            ]
        ) { call in
            let body = try ServerBody(call.request)
            let query = try ServerNotifications.Query(
                start: body.integer("startDate", or: .invalidStartDate),
                end: body.integer("endDate", or: .invalidEndDate),
                transaction: body.text("transactionId", or: .invalidTransactionID),
                type: body.text("notificationType", or: .invalidNotificationType),
                subtype: body.text("notificationSubtype", or: .invalidNotificationType),
                onlyFailures: body.flag("onlyFailures", or: .generalBadRequest) ?? false)
            let token = call.request.target.query["paginationToken"].flatMap { $0.isEmpty ? nil : $0 }
            let page = try await ServerNotifications(call.store).history(
                query, asked: body.canonicalText, after: token, of: call.caller.app)
            return .serverAPI(
                JSONValue.members([
                    "notificationHistory": .array(page.items.map(Self.json)),
                    "hasMore": .bool(page.token != nil),
                    "paginationToken": page.token.map { .string($0) },
                ]).bytes)
        }
    }

    private static let item = JSONSchema.object([
        "signedPayload": .string(),
        "sendAttempts": .array(
            of: .object(["attemptDate": .integer(), "sendAttemptResult": .string()])),
    ])

    private static func json(_ item: ServerNotifications.Item) -> JSONValue {
        .members([
            "signedPayload": .string(item.signedPayload),
            "sendAttempts": .array(
                item.attempts.map {
                    .members([
                        "attemptDate": .integer(Int($0.at.millisecondsSinceEpoch)),
                        "sendAttemptResult": .string($0.result.rawValue),
                    ])
                }),
        ])
    }
}
