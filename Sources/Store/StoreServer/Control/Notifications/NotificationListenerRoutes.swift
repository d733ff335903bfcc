import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// Receivers on developers' machines, which ask for what servers are told.
struct NotificationListenerRoutes: Sendable {
    private let store: EnvironmentStore
    private let control: ControlStore
    private let listeners: NotificationListeners

    init(_ control: ControlStore, _ sales: EnvironmentStore) {
        self.control = control
        store = sales
        listeners = NotificationListeners(
            sales, body: NotificationForms(sales, receipt: VerifyReceiptAnswer.unified).body)
    }

    private static let tag = "notifications"
    private static let listener = PathParameter<NotificationListenerID>("listener", rule: "the number of a listener")
    private static let one: [OperationDocumentation.Parameter] = [.path(listener, schema: .integer(minimum: 0))]

    var routes: [Route] { [begin, hear, answer, end] }

    private var begin: Route {
        .post(
            "/control/v1/notification-listeners",
            suspending: { request in
                let wanted = try request.decode(ListenerRequest.self)
                try await control.editing(request).requireOwn(team: nil, app: wanted.bundleId)
                let begun = try await listeners.begin(
                    of: wanted.bundleId, name: wanted.name, after: wanted.formerListenerId, cause(request))
                return try .json(ListenerReport(begun, roots: store.signers.jwsRoots), status: .created)
            }
        )
        .described(
            "listen", "Begin to hear what servers of apps are told, beside them.",
            description: "A listener that is not heard of for a while has ended: one that was killed needs no end.",
            tag: Self.tag, body: .of(ListenerRequest.self),
            answers: [.init(.created, "It listens.", .of(ListenerReport.self))],
            refusals: [.appUnknown, .limitReached, .nameTaken])
    }

    private var hear: Route {
        .get(
            "/control/v1/notification-listeners/{listener}/notifications",
            suspending: { request in
                let wait = try request.target.query["wait"].map(Self.seconds) ?? 0
                let heard = try await listeners.heard(
                    by: request[Self.listener], waitingUpTo: .seconds(wait), cause(request))
                return try .json(HeardNotifications(items: heard.map(HeardNotificationReport.init)))
            }
        )
        .described(
            "hearNotifications", "What a listener has not answered yet, at once or as soon as there is something.",
            tag: Self.tag,
            parameters: Self.one + [
                .query(
                    "wait", "For so many seconds, if there is nothing yet.",
                    schema: .integer(minimum: 0, maximum: Self.longestWait))
            ], answers: [.init(.ok, "Those of a stream in their order.", .of(HeardNotifications.self))],
            refusals: [.nameUnknown])
    }

    private var answer: Route {
        .post(
            "/control/v1/notification-listeners/{listener}/answers",
            suspending: { request in
                let wanted = try request.decode(HeardAnswerRequest.self)
                let outcome = NotificationOutcome(
                    wanted.result, status: wanted.status, detail: wanted.detail, milliseconds: wanted.milliseconds)
                try await listeners.answer(
                    wanted.notificationUUID, by: request[Self.listener], outcome, cause(request))
                return HTTPResponse(.noContent)
            }
        )
        .described(
            "answerNotification", "Say what became of a notification at a listener, which is not told of it again.",
            tag: Self.tag, parameters: Self.one, body: .of(HeardAnswerRequest.self),
            answers: [.init(.noContent, "It is kept.")], refusals: [.nameUnknown])
    }

    private var end: Route {
        .delete(
            "/control/v1/notification-listeners/{listener}",
            suspending: { request in
                try await listeners.end(request[Self.listener], cause(request))
                return HTTPResponse(.noContent)
            }
        )
        .described(
            "stopListening", "End a listener, and with it what waits for it.", tag: Self.tag, parameters: Self.one,
            answers: [.init(.noContent, "It has ended.")], refusals: [.nameUnknown])
    }

    private static let longestWait = Int(NotificationListeners.longestWait.components.seconds)

    private static func seconds(_ text: String) throws(APIError) -> Int {
        guard let seconds = Int(text), (0...longestWait).contains(seconds) else {
            throw APIError(.valueInvalid, "it waits 0 to \(longestWait) seconds", parameter: "wait")
        }
        return seconds
    }

    private func cause(_ request: HTTPRequest) -> ChangeCause { store.cause(request.actor, request: request.name) }
}
