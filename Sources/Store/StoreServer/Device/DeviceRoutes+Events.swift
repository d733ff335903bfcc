import StoreHTTP
import StoreModel
import StoreService

extension DeviceRoutes {
    var eventRoutes: [Route] {
        [
            .get("/device/v1/events", suspending: { try await events($0) })
                .described(
                    "listEvents", "What happened after a place, at once or as soon as something does.",
                    tag: "devices", token: Self.scheme,
                    parameters: [
                        .query(
                            "after", "The cursor of an earlier answer; without it, from the oldest that is kept on."),
                        .query("wait", "For so many seconds, if there is nothing yet.", schema: Self.waitSchema),
                    ], answers: [.init(.ok, "Events in their order.", .of(EventsAnswer.self))],
                    refusals: [.notSignedIn, .cursorVoid])
        ]
    }

    /// What happened after a place; with `wait`, as soon as something does.
    private func events(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wait = try Self.wait(request)
        let cursor = try request.target.query["after"].map(Self.cursor)
        let page = try await DeviceEvents(store).events(
            after: cursor, waitingUpTo: .seconds(wait), as: Self.token(request))
        return try answer(
            EventsAnswer(
                events: try page.events.map { try answer($0, page.scope) }, cursor: page.end.text,
                hasMore: page.hasMore))
    }

    private static func cursor(_ text: String) throws -> EventCursor {
        guard let cursor = EventCursor(text: text) else {
            throw APIError(
                .valueInvalid, "This is no cursor; take one from an earlier answer.",
                parameter: "after")
        }
        return cursor
    }

    private func answer(_ told: DeviceEvents.Told, _ scope: DeviceScope) throws -> EventAnswer {
        let event = told.event
        guard told.isHere else {
            return EventAnswer(
                number: event.number, kind: event.kind, date: event.at, isOwn: false,
                withdrawnTransactionId: event.transaction)
        }
        return EventAnswer(
            number: event.number, kind: event.kind, date: event.at, isOwn: event.device == scope.device,
            purchaseKey: event.key, signedTransaction: try event.told.map { try sign($0, scope) },
            restoredTransactionId: event.told?.restoredID,
            isFinished: event.told == nil ? nil : event.isFinished)
    }
}
