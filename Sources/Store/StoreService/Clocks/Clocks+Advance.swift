import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreSigning

/// What happened while a clock was advanced.
package struct ClockAdvance: Sendable {
    /// The clock afterwards.
    package var clock: Clocks.Shown
    package let from: Instant
    package let goal: Instant
    /// How many turns of work there were, by kind and by how they ended.
    package let turns: [String: [String: Int]]
    /// The kind of work that was still due at the end; nil if all was quiet.
    package let keptBusyBy: String?
    /// What customers were told, the earliest first, at most ``mostEvents``; and how much it was altogether.
    package let events: [Event]
    package let eventCount: Int

    package static let mostEvents = 100

    /// Something that a customer was told.
    package struct Event: Hashable, Sendable {
        package let at: Instant
        package let customer: CustomerID
        package let kind: CustomerEventKind
        package let product: ProductID?
        package let transaction: TransactionID?
    }
}

extension Clocks {
    /// How long others stay away from an advance of which nothing is heard, and how often it is heard of.
    private static let lease = Duration.seconds(15)
    private static let renewal = Duration.seconds(5)
    /// Rounds of drains, each followed by what that makes due by the wall clock.
    private static let mostRounds = 1_000
    /// How often it is looked whether what another scheduler does has ended, and how long between.
    static let mostLooks = 500
    static let look = Duration.milliseconds(20)
    /// How often it is looked altogether whether what developers' servers are told has gone out: for half a minute.
    private static let mostDeliveryLooks = 1_500
    /// What kept an advance busy whose notifications did not go out in that time.
    package static let notifications = "notifications"

    /// Advances a clock by a step, and returns when all that becomes due by that has been done.
    ///
    /// - Parameter isConfirmed: whether it may go further than ``unaskedYears``.
    package func advance(
        _ tester: String?, by step: ClockStep, isConfirmed: Bool = false, _ cause: ChangeCause
    ) async throws -> ClockAdvance {
        try await advance(tester, "advance", isConfirmed, cause, parameter: "by") { step.end(from: $0) }
    }

    /// Advances a clock to an instant.
    package func advance(
        _ tester: String?, to goal: Instant, isConfirmed: Bool = false, _ cause: ChangeCause
    ) async throws -> ClockAdvance {
        try await advance(tester, "advance", isConfirmed, cause, parameter: "to") { _ in goal }
    }

    /// Sets a clock to a later time, and gives it when all that becomes due by that has been done.
    package func set(
        _ tester: String?, to time: Instant, isConfirmed: Bool = false, _ cause: ChangeCause
    ) async throws -> Shown {
        try await advance(tester, "set", isConfirmed, cause, parameter: "time") { _ in time }.clock
    }

    /// - Parameter act: what the history says of it.
    private func advance(
        _ tester: String?, _ act: String, _ isConfirmed: Bool, _ cause: ChangeCause, parameter: String,
        _ goal: @escaping @Sendable (Instant) -> Instant
    ) async throws -> ClockAdvance {
        try cause.require(.customers)
        try requireSandbox()
        let (wall, own, lease) = (store.clocks.wall, self, try Self.newLease(store.random))
        let state = try await store.database.write { transaction in
            var state = try own.claim(tester, transaction)
            let now = wall()
            let start = state.clock.time(at: now)
            let end = goal(start)
            try Self.require(end, notBefore: start, parameter: parameter)
            try Self.requireConfirmation(from: start, to: end, isConfirmed)
            state.clock = CustomerClock(state.clock.id, wall: now, shown: start, rate: state.clock.rate)
            state.advance = .init(goal: end, since: now, lease: lease, leasedUntil: now + Self.lease)
            try state.write(in: transaction)
            try WorkTable.reclaim(state.clock.id, in: transaction)
            try ClockHistoryEntry.append(
                act, from: start, to: state.clock, at: now, goal: end, by: cause, in: transaction)
            return state
        }
        note(state)
        return try await goOn(state)
    }

    /// Goes on with an advance that nobody goes on with any more: its process has ended. Nil if somebody does.
    func resume(_ id: ClockID) async throws -> ClockAdvance? {
        let (wall, lease) = (store.clocks.wall, try Self.newLease(store.random))
        let state = try await store.database.write { transaction -> ClockState? in
            let now = wall()
            guard var state = try ClockState.find(id, in: transaction), let advance = state.advance,
                advance.leasedUntil <= now
            else { return nil }
            state.advance = .init(
                goal: advance.goal, since: advance.since, lease: lease, leasedUntil: now + Self.lease)
            try state.write(in: transaction)
            try WorkTable.reclaim(id, in: transaction)
            return state
        }
        guard let state else { return nil }
        note(state)
        return try await goOn(state)
    }

    static func newLease(_ random: RandomBytes) throws -> String {
        Base64.encode(try random(16), .url)
    }

    // MARK: Until all is quiet

    /// Does what is due up to the goal of an advance, and ends it.
    private func goOn(_ state: ClockState) async throws -> ClockAdvance {
        guard let advance = state.advance else { throw Self.lost }
        do {
            return try await withThrowingTaskGroup(of: ClockAdvance?.self) { group in
                group.addTask {
                    try await self.keep(advance.lease, of: state.clock.id)
                    return nil
                }
                group.addTask { try await self.end(advance, of: state, after: try await self.drain(state, advance)) }
                defer { group.cancelAll() }
                while let report = try await group.next() {
                    if let report { return report }
                }
                throw Self.lost
            }
        } catch {
            // Whoever looks next goes on at once.
            let wall = store.clocks.wall()
            _ = try? await store.database.write {
                try Self.lease(advance.lease, of: state.clock.id, until: wall, in: $0)
            }
            throw error
        }
    }

    private static var lost: ServiceError {
        ServiceError(.clockBusy, "another process goes on with the advance of this clock", parameter: "clock")
    }

    /// Keeps others away as long as the advance is under way.
    private func keep(_ lease: String, of id: ClockID) async throws {
        while true {
            try await pause(Self.renewal)
            let end = store.clocks.wall() + Self.lease
            guard try await store.database.write({ try Self.lease(lease, of: id, until: end, in: $0) }) else {
                throw Self.lost
            }
        }
    }

    /// Says until when a lease lasts; false if it is another's by now.
    @discardableResult
    private static func lease(
        _ lease: String, of id: ClockID, until end: Instant, in transaction: any WriteTransaction
    ) throws -> Bool {
        try transaction.execute(
            "UPDATE clock SET leased_until = $3 WHERE id = $1 AND advance_lease = $2", id, lease, end) == 1
    }

    struct Drained: Sendable {
        var turns: [String: [String: Int]] = [:]
        var keptBusyBy: String?
        var deliveryLooks = 0

        mutating func count(_ results: [WorkResult]) {
            for result in results {
                turns[result.turn.work.kind, default: [:]][result.ending.name, default: 0] += 1
            }
        }

        mutating func count(_ report: DrainReport) {
            for (kind, endings) in report.endings {
                for (ending, count) in endings { turns[kind, default: [:]][ending.name, default: 0] += count }
            }
        }
    }

    /// Does what is due by the clock up to the goal, and what that makes due by the wall clock, until there is no more.
    private func drain(_ state: ClockState, _ advance: ClockState.Advance) async throws -> Drained {
        let scheduler = WorkScheduler(
            store.database, handlers: handlers, name: "clock \(advance.lease)", wallTime: store.clocks.wall)
        var drained = Drained()
        for _ in 0..<Self.mostRounds {
            let report = try await scheduler.drain(
                clock: state.clock.id, from: state.clock.shown, until: advance.goal)
            drained.count(report)
            try await drainWall(scheduler, &drained)
            // What could not be delivered may be due again before the goal.
            let hasWaited = try await awaitDeliveries(for: state.clock.id, &drained)
            drained.keptBusyBy = report.keptBusyBy ?? drained.keptBusyBy
            if report.turns == 0 && !hasWaited || drained.keptBusyBy != nil { return drained }
        }
        drained.keptBusyBy = try await kindDue(state.clock.id, by: advance.goal)
        return drained
    }

    private func drainWall(_ scheduler: WorkScheduler, _ drained: inout Drained) async throws {
        var looks = 0
        for _ in 0..<Self.mostRounds {
            let results = try await scheduler.runRound(clock: .wall, at: store.clocks.wall())
            drained.count(results)
            guard results.isEmpty else { continue }
            guard let kind = try await kindDue(.wall, by: store.clocks.wall()) else { return }
            // Another scheduler has it in hand.
            looks += 1
            guard looks < Self.mostLooks else {
                drained.keptBusyBy = kind
                return
            }
            try await pause(Self.look)
        }
        drained.keptBusyBy = try await kindDue(.wall, by: store.clocks.wall())
    }

    /// Waits until what concerns a clock is delivered, or has failed for now; returns whether there was anything to wait for.
    ///
    /// Where nothing is sent in this process, as by a command that has opened the store for itself, nothing is waited for.
    func awaitDeliveries(for clock: ClockID, _ drained: inout Drained) async throws -> Bool {
        var hasWaited = false
        while store.notifying.isSending,
            try await store.database.read({ try NotificationDeliveries.areWaiting(for: clock, in: $0) })
        {
            hasWaited = true
            drained.deliveryLooks += 1
            guard drained.deliveryLooks < Self.mostDeliveryLooks else {
                drained.keptBusyBy = Self.notifications
                break
            }
            try await pause(Self.look)
        }
        return hasWaited
    }

    func kindDue(_ clock: ClockID, by instant: Instant) async throws -> String? {
        try await store.database.read { try WorkTable.earliest(clock: clock, in: $0) }
            .flatMap { $0.dueAt <= instant ? $0.kind : nil }
    }

    /// Lets the clock show the goal, and tells what happened.
    private func end(
        _ advance: ClockState.Advance, of begun: ClockState, after drained: Drained
    ) async throws -> ClockAdvance {
        let (wall, cause) = (store.clocks.wall, store.cause(.store))
        let report = try await store.database.write { transaction in
            guard var state = try ClockState.find(begun.clock.id, in: transaction), let current = state.advance,
                current.lease == advance.lease
            else { throw Self.lost }
            let (now, before) = (wall(), state.clock)
            let shown = max(advance.goal, before.time(at: now))
            state.clock = CustomerClock(before.id, wall: now, shown: shown, rate: before.rate)
            state.advance = nil
            try state.write(in: transaction)
            try ClockHistoryEntry.append(
                "advanced", from: before.shown, to: state.clock, at: now, by: cause, in: transaction)
            if let tester = state.tester { try CustomerEvents.wake(tester, in: transaction) }
            let (events, count) = try Self.events(of: state.clock.id, since: advance.since, in: transaction)
            return ClockAdvance(
                clock: Shown(
                    state: state, time: shown, wall: now,
                    history: try ClockHistoryEntry.newest(Self.entries, of: state.clock.id, in: transaction)),
                from: before.shown, goal: advance.goal, turns: drained.turns, keptBusyBy: drained.keptBusyBy,
                events: events, eventCount: count)
        }
        note(report.clock.state)
        return report
    }

    /// What the customers of a clock were told since an instant of the wall clock.
    private static func events(
        of clock: ClockID, since wall: Instant, in transaction: any ReadTransaction
    ) throws -> ([ClockAdvance.Event], Int) {
        let count = try transaction.value(
            """
            SELECT count(*) FROM customer_event JOIN customer ON customer.id = customer_event.customer_id
            WHERE customer.clock_id = $1 AND customer_event.written_at >= $2
            """, clock, wall, as: Int.self)
        let events = try transaction.query(
            """
            SELECT customer_event.at, customer_event.customer_id, customer_event.kind, store_transaction.product_id,
                customer_event.transaction_id
            FROM customer_event JOIN customer ON customer.id = customer_event.customer_id
                LEFT JOIN store_transaction ON store_transaction.id = customer_event.transaction_id
            WHERE customer.clock_id = $1 AND customer_event.written_at >= $2
            ORDER BY customer_event.at, customer_event.customer_id, customer_event.app_id, customer_event.number
            LIMIT $3
            """, clock, wall, ClockAdvance.mostEvents
        ) { row in
            var cells = row.cells
            return ClockAdvance.Event(
                at: try cells.next(), customer: try cells.next(), kind: try cells.next(), product: try cells.next(),
                transaction: try cells.next())
        }
        return (events, count)
    }
}
