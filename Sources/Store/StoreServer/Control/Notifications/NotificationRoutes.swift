import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// What servers of developers are told: where it goes, and whether it arrived.
struct NotificationRoutes: Sendable {
    private let store: EnvironmentStore
    private let control: ControlStore
    private let settings: NotificationSettings
    private let lists: NotificationLists
    private let forms: NotificationForms

    init(_ control: ControlStore, _ sales: EnvironmentStore) {
        (self.control, store) = (control, sales)
        (settings, lists) = (NotificationSettings(sales), NotificationLists(sales))
        forms = NotificationForms(sales, receipt: VerifyReceiptAnswer.unified)
    }

    private static let tag = "notifications"
    private static let app = CatalogueRoutes.app
    private static let id = PathParameter<NotificationID>("notificationUUID", rule: "the id of a notification") {
        NotificationID($0)
    }
    private static let one: [OperationDocumentation.Parameter] = [app, .path(id, schema: NotificationID.schema)]

    var routes: [Route] { [listSettings, readSetting, putSetting, removeSetting, list, show, resend, test] }

    // MARK: Where they go

    private static let setting: RoutePattern = "/control/v1/apps/{bundleId}/notification-settings"

    private var listSettings: Route {
        .get("/control/v1/notification-settings") { request in
            let wanted = try PageRequest<BundleID>(request)
            let found = try await settings.list(by: request.actor, after: wanted.after, limit: wanted.rows)
            return try .json(wanted.page(of: found, by: \.app.bundleID, NotificationSettingReport.init))
        }
        .described(
            "listNotificationSettings", "Where the notifications of all apps go in this environment.", tag: Self.tag,
            parameters: .page(by: BundleID.schema),
            answers: [.init(.ok, "A page of them.", .of(Page<NotificationSettingReport>.self))])
    }

    private var readSetting: Route {
        .get(Self.setting) { request in
            try .json(
                NotificationSettingReport(
                    try await settings.show(app: request[CataloguePaths.bundleID], by: request.actor)))
        }
        .described(
            "readNotificationSetting", "Where the notifications of an app go in this environment.", tag: Self.tag,
            parameters: [Self.app],
            answers: [.init(.ok, "Without a url they go nowhere.", .of(NotificationSettingReport.self))],
            refusals: [.appUnknown])
    }

    private var putSetting: Route {
        .put(Self.setting) { request in
            let draft = try request.decode(NotificationSettingRequest.self).draft
            return try .json(
                NotificationSettingReport(
                    try await settings.set(draft, app: request[CataloguePaths.bundleID], cause(request))))
        }
        .described(
            "setNotifications", "Set where the notifications of an app go from now on.", tag: Self.tag,
            parameters: [Self.app], body: .of(NotificationSettingRequest.self),
            answers: [.init(.ok, "The setting.", .of(NotificationSettingReport.self))], refusals: [.appUnknown])
    }

    private var removeSetting: Route {
        .delete(Self.setting) { request in
            _ = try await settings.remove(app: request[CataloguePaths.bundleID], cause(request))
            return HTTPResponse(.noContent)
        }
        .described(
            "removeNotifications",
            "Send the notifications of an app nowhere any more. What was not delivered has failed.",
            tag: Self.tag, parameters: [Self.app], answers: [.init(.noContent, "They go nowhere.")],
            refusals: [.appUnknown])
    }

    // MARK: What was told

    private static let states = NotificationState.allCases.map(\.rawValue) + ["failures"]

    private var list: Route {
        .get("/control/v1/apps/{bundleId}/notifications", suspending: { try await list($0) })
            .described(
                "listNotifications", "What the server of an app was told, the newest first.", tag: Self.tag,
                parameters: [
                    Self.app,
                    .query(
                        "type", "Only of this type.",
                        schema: .string(among: NotificationType.known.map(\.rawValue).sorted())),
                    .query(
                        "state", "Only those in this state; failures are those that the server did not take.",
                        schema: .string(among: Self.states)),
                    .ofCustomer, .query("transaction", "Only about this purchase.", schema: TransactionID.schema),
                ] + .page(by: .string("A cursor.")),
                answers: [.init(.ok, "A page of them.", .of(Page<NotificationReport>.self))],
                refusals: [.appUnknown, .customerUnknown])
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let query = request.target.query
        var filter = NotificationFilter(app: try await app(request).id)
        filter.type = try query["type"].map { name in
            let type = NotificationType(rawValue: name)
            guard type.isKnown else {
                throw APIError(.valueInvalid, "There is no type \(name) of notifications.", parameter: "type")
            }
            return type
        }
        filter.transaction = try query["transaction"].map { try TransactionID(parsing: $0) }
        if let state = query["state"] {
            guard state == "failures" || NotificationState(rawValue: state) != nil else {
                throw APIError(.valueInvalid, "A state is \(Self.states.joined(separator: ", ")).", parameter: "state")
            }
            filter.states = NotificationState(rawValue: state).map { [$0] } ?? NotificationFilter.failures
        }
        if let name = query["customer"] { filter.customer = try await Accounts(store).account(named: name).customer.id }
        let wanted = try PageRequest<NotificationCursor>(request)
        let found = try await lists.page(filter, after: wanted.after, limit: wanted.rows - 1)
        return try .json(Page(found.found.map(NotificationReport.init), next: found.next?.description))
    }

    private var show: Route {
        .get("/control/v1/apps/{bundleId}/notifications/{notificationUUID}") { request in
            try .json(try await details(of: try await listed(request)))
        }
        .described(
            "showNotification", "A notification with all that was tried, and what it says.", tag: Self.tag,
            parameters: Self.one, answers: [.init(.ok, "The notification.", .of(NotificationDetails.self))],
            refusals: [.appUnknown, .notificationUnknown])
    }

    private var resend: Route {
        .post(
            "/control/v1/apps/{bundleId}/notifications/{notificationUUID}/resend", body: BodyPolicy.none,
            suspending: { request in
                let known = try await listed(request).notification
                return try .json(try await details(of: lists.resend(known.uuid, cause(request))))
            }
        )
        .described(
            "resendNotification", "Make another attempt now, of the same notification under the same id.",
            tag: Self.tag,
            parameters: Self.one, answers: [.init(.ok, "The notification.", .of(NotificationDetails.self))],
            refusals: [.appUnknown, .notificationUnknown, .noNotificationAddress])
    }

    private var test: Route {
        .post(
            "/control/v1/apps/{bundleId}/notifications/test", body: BodyPolicy.none,
            suspending: { request in
                let asked = try await TestNotifications(store).request(
                    for: request[CataloguePaths.bundleID], cause(request))
                return try .json(NotificationReport(asked), status: .created)
            }
        )
        .described(
            "testNotifications", "Send a test notification to the server of an app.", tag: Self.tag,
            parameters: [Self.app], answers: [.init(.created, "It is on its way.", .of(NotificationReport.self))],
            refusals: [.appUnknown, .noNotificationAddress])
    }

    /// The notification of the path, if it is of the app there.
    private func listed(_ request: HTTPRequest) async throws -> ListedNotification {
        let (app, id) = (try await app(request), try request[Self.id])
        let found = try await lists.show(id, by: request.actor)
        guard found.notification.app == app.id else {
            throw APIError(
                .notificationUnknown, "The app has no notification \(id).", parameter: "notificationUUID")
        }
        return found
    }

    private func details(of listed: ListedNotification) async throws -> NotificationDetails {
        NotificationDetails(
            listed, body: try await forms.body(of: listed.notification), store.signers.jwsVerifier)
    }

    private func app(_ request: HTTPRequest) async throws -> CatalogueApp {
        try await control.editing(request).app(request[CataloguePaths.bundleID])
    }

    private func cause(_ request: HTTPRequest) -> ChangeCause { store.cause(request.actor, request: request.name) }
}
