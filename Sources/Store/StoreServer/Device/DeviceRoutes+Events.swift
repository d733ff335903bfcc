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
                    ], answers: [.init(.ok, "Events in their order.", .of(EventsAnswer.self))],
                    refusals: [.notSignedIn, .cursorVoid])
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
        let token = try Self.token(request)
        var found = try await read(after: cursor, as: token)
        for _ in 0..<Self.takings where !found.toTake.isEmpty {
            let (ids, patience) = (found.toTake, store.patience)
            try await store.write(as: token, isHeard: false) { scope, change in
                try Holding.take(ids, on: scope, patience, change)
            }
            found = try await read(after: cursor, as: token)
            // What is elsewhere is looked after now.
            if found.isAnyFree == false { break }
        }
        if found.events.contains(where: { $0.kind == .revocation }) {
            await store.steps.see(.refund, of: found.scope.app)
        }
        let page = EventsAnswer(
            events: try found.events.map { try answer($0, found) }, cursor: found.end.text,
            hasMore: found.events.count == Self.eventPage)
        return (page, found.scope.customer)
    }

    /// How often it is tried to take what others let go of at the same time.
    private static let takings = 3

    /// Events with the moment at which they were read.
    private struct Found: Sendable {
        let events: [CustomerEvent]
        let end: EventCursor
        let scope: DeviceScope
        let wall: Instant
        let patience: Duration

        func place(_ event: CustomerEvent) -> Holding.Place { event.place(on: scope.device, at: wall, patience) }

        /// What this device may have, and what is to be offered to it later.
        var toTake: [TransactionID] { events.filter { place($0) != .here }.compactMap(\.transaction) }
        var isAnyFree: Bool { events.contains { place($0) == .free } }
    }

    private func read(after cursor: EventCursor?, as token: DeviceToken) async throws -> Found {
        let (wall, patience) = (store.clocks.wall(), store.patience)
        return try await store.read(as: token, isHeard: false) { scope, transaction in
            let (events, end) = try CustomerEvents.page(
                after: cursor, of: scope.requireCustomerScope(), on: scope.device, limit: Self.eventPage,
                in: transaction)
            return Found(events: events, end: end, scope: scope, wall: wall, patience: patience)
        }
    }

    private func answer(_ event: CustomerEvent, _ found: Found) throws -> EventAnswer {
        guard found.place(event) == .here else {
            return EventAnswer(
                number: event.number, kind: event.kind, date: event.at, isOwn: false,
                withdrawnTransactionId: event.transaction)
        }
        return EventAnswer(
            number: event.number, kind: event.kind, date: event.at, isOwn: event.device == found.scope.device,
            purchaseKey: event.key, signedTransaction: try event.told.map { try sign($0, found.scope) },
            restoredTransactionId: event.told?.restoredID,
            isFinished: event.told == nil ? nil : event.isFinished)
    }
}
