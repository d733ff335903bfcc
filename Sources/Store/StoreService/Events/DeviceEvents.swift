import StoreDatabase
import StoreModel

/// What a device is told of its customer's purchases in its app. What it is told to deliver it takes for itself, where another
/// device could have it.
package struct DeviceEvents: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// The most events of one page.
    package static let page = 100

    /// How often it is tried to take what others let go of at the same time.
    private static let takings = 3

    /// An event as the device is told of it.
    package struct Told: Sendable {
        package let event: CustomerEvent
        /// Whether what it tells of may be delivered on the device; if not, another device has it.
        package let isHere: Bool
    }

    /// Some of the events.
    package struct Page: Sendable {
        package let events: [Told]
        /// The place after them.
        package let end: EventCursor
        package let hasMore: Bool
        package let scope: DeviceScope
    }

    /// The events after a place, at once or as soon as there are any.
    ///
    /// - Parameters:
    ///   - cursor: the place; nil for the oldest event that is kept.
    ///   - time: how long to wait if there is nothing yet.
    package func events(
        after cursor: EventCursor?, waitingUpTo time: Duration, as token: DeviceToken
    ) async throws -> Page {
        let customer = try await store.scope(of: token).requireCustomer()
        let found = try await store.waiters.wait(for: customer.description, on: .customerEvents, upTo: time) {
            let page = try await page(after: cursor, as: token)
            // Whoever is signed in by now has news of his own to wait for.
            return page.events.isEmpty && time > .zero && page.scope.customer == customer ? nil : page
        }
        if let found { return found }
        return try await page(after: cursor, as: token)
    }

    private func page(after cursor: EventCursor?, as token: DeviceToken) async throws -> Page {
        var found = try await read(after: cursor, as: token)
        for _ in 0..<Self.takings where !found.toTake.isEmpty {
            let (ids, patience) = (found.toTake, store.policy.patience)
            try await store.write(as: token, countsAsSeen: false) { scope, change in
                try DeviceHold.take(ids, on: scope, patience, change)
            }
            found = try await read(after: cursor, as: token)
            // What is elsewhere is looked after now.
            if found.isAnyFree == false { break }
        }
        if found.events.contains(where: { $0.kind == .revocation }) {
            await store.steps.see(.refund, of: found.scope.app)
        }
        return Page(
            events: found.events.map { Told(event: $0, isHere: found.place($0) == .here) }, end: found.end,
            hasMore: found.events.count == Self.page, scope: found.scope)
    }

    /// Events with the moment at which they were read.
    private struct Found: Sendable {
        let events: [CustomerEvent]
        let end: EventCursor
        let scope: DeviceScope
        let wall: Instant
        let patience: Duration

        func place(_ event: CustomerEvent) -> DeviceHold.Place { event.place(on: scope.device, at: wall, patience) }

        /// What this device may have, and what is to be offered to it later.
        var toTake: [TransactionID] { events.filter { place($0) != .here }.compactMap(\.transaction) }
        var isAnyFree: Bool { events.contains { place($0) == .free } }
    }

    private func read(after cursor: EventCursor?, as token: DeviceToken) async throws -> Found {
        let (wall, patience) = (store.clocks.wall(), store.policy.patience)
        return try await store.read(as: token, countsAsSeen: false) { scope, transaction in
            let (events, end) = try CustomerEvents.page(
                after: cursor, of: scope.requireCustomerScope(), on: scope.device, limit: Self.page, in: transaction)
            return Found(events: events, end: end, scope: scope, wall: wall, patience: patience)
        }
    }
}
