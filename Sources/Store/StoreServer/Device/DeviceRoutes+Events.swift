import StoreHTTP
import StoreModel
import StoreService

extension DeviceRoutes {
    /// The most events of one answer.
    static let eventPage = 100

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
                    ], answers: [.init(.ok, "Events in their order.", .of(EventsAnswer.self))], refusals: [.gone])
        ]
    }

    /// What happened after a place; with `wait`, as soon as something does.
    private func events(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wait = try Self.wait(request)
        let customer = try await store.scope(of: Self.token(request)).requireCustomer()
        let cursor = try request.target.query["after"].map(Self.cursor)
        let found = try await store.wakes.wait(
            for: customer.description, on: .customerEvents, upTo: .seconds(wait)
        ) {
            let (page, present) = try await page(after: cursor, request)
            // Whoever is signed in by now has news of his own to wait for.
            return page.events.isEmpty && wait > 0 && present == customer ? nil : page
        }
        if let found { return try answer(found) }
        return try await answer(page(after: cursor, request).page)
    }

    private static func cursor(_ text: String) throws -> EventCursor {
        guard let cursor = EventCursor(text: text) else {
            throw APIError(
                .valueInvalid, "This is no cursor; take one from an earlier answer.",
                parameter: "after")
        }
        return cursor
    }

    private func page(
        after cursor: EventCursor?, _ request: HTTPRequest
    ) async throws -> (page: EventsAnswer, customer: CustomerID?) {
        let (events, end, scope) = try await store.read(as: Self.token(request)) { scope, transaction in
            let owner = try scope.requireCustomerScope()
            let (events, end) = try CustomerEvents.page(
                after: cursor, of: owner, on: scope.device, limit: Self.eventPage, in: transaction)
            return (events, end, scope)
        }
        let page = EventsAnswer(
            events: try events.map { try answer($0, scope) }, cursor: end.text,
            hasMore: events.count == Self.eventPage)
        return (page, scope.customer)
    }

    private func answer(_ event: CustomerEvent, _ scope: DeviceScope) throws -> EventAnswer {
        EventAnswer(
            number: event.number, kind: event.kind, date: event.at, isOwn: event.device == scope.device,
            purchaseKey: event.key, signedTransaction: try event.told.map { try sign($0, scope) },
            restoredTransactionId: event.told?.restoredID,
            isFinished: event.told == nil ? nil : event.isFinished)
    }
}
