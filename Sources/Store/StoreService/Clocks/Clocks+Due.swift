import StoreDatabase
package import StoreModel

/// Work that is due by the clocks as they run by themselves.
extension Clocks {
    /// A clock and when its first work is due by it.
    private struct Due: Sendable {
        let state: ClockState
        let first: Instant
    }

    /// One look of a process that has begun: what is due by the clocks now is done, and advances that were left behind go on.
    ///
    /// - Returns: when there is something to do again, by the wall clock; nil if there is more at once or nothing at all.
    @discardableResult
    package func goOn() async throws -> Instant? {
        let scheduler = WorkScheduler(
            store.database, handlers: handlers, name: "clocks \(try Self.newLease(store.random))",
            wallTime: store.clocks.wall)
        return try await runDue(scheduler).next
    }

    /// Does what is due now, by the clocks and on the wall, and what becomes due by that, and returns when all is quiet: also
    /// what another scheduler has in hand is done then. It gives up after a while on what never becomes quiet.
    package func settle() async throws {
        let scheduler = WorkScheduler(
            store.database, handlers: handlers, name: "clocks \(try Self.newLease(store.random))",
            wallTime: store.clocks.wall)
        for _ in 0..<Self.mostLooks {
            var turns = try await runDue(scheduler).results.count
            turns += try await scheduler.runRound(clock: .wall, at: store.clocks.wall()).count
            guard turns == 0 else { continue }
            let kinds = [
                try await kindDue(.wall, by: store.clocks.wall()),
                try await kindDue(.environment, by: store.clocks.commerce()),
            ]
            guard kinds.contains(where: { $0 != nil }) else { return }
            try await pause(Self.look)
        }
    }

    /// Returns when what developers' servers are to be told by the clock of the environment is delivered, or has failed for now.
    ///
    /// Where nothing is sent in this process nothing is waited for.
    package func awaitDeliveries() async throws {
        var drained = Drained()
        _ = try await awaitDeliveries(for: .environment, &drained)
    }

    /// Does what is due by the clocks of the environment and its testers, and goes on with advances that were left behind.
    ///
    /// Turns take place at the time they were due where a clock was ever set, because it may run faster than they are done.
    ///
    /// - Returns: what became of each turn, and when there is something to do again, by the wall clock.
    func runDue(_ scheduler: WorkScheduler) async throws -> (results: [WorkResult], next: Instant?) {
        let wall = store.clocks.wall()
        let (environment, states) = try await store.database.read { transaction in
            (
                try CustomerClock.find(.environment, in: transaction),
                try Self.due(in: transaction)
            )
        }
        store.clocks.own.note(environment)
        var results: [WorkResult] = []
        var next: Instant?
        func wait(until instant: Instant?) {
            if let instant { next = min(next ?? instant, instant) }
        }
        if environment == nil {
            results += try await scheduler.runRound(at: store.clocks.commerce())
            if results.isEmpty, let due = try await scheduler.nextDue() {
                wait(until: wall + (due - store.clocks.commerce()))
            }
        }
        for due in states {
            let clock = due.state.clock
            if let advance = due.state.advance {
                wait(until: advance.leasedUntil)
                if advance.leasedUntil <= wall { _ = try await resume(clock.id) }
            } else if due.first <= clock.time(at: wall) {
                let done = Collected()
                _ = try await scheduler.drain(clock: clock.id, from: due.first, until: clock.time(at: wall)) {
                    await done.add($0)
                }
                results += await done.results
            } else {
                wait(until: clock.wall(showing: due.first))
            }
        }
        return (results, next)
    }

    /// The clocks that were ever set and have work, or are being advanced.
    private static func due(in transaction: any ReadTransaction) throws -> [Due] {
        try transaction.query(
            """
            SELECT \(ClockState.columns), (SELECT min(work.due_at) FROM work WHERE work.clock_id = clock.id)
            FROM clock ORDER BY clock.id
            """
        ) { row -> Due? in
            var cells = row.cells
            guard let state = try ClockState(&cells) else { return nil }
            let first = try cells.next(as: Instant?.self)
            guard first != nil || state.advance != nil else { return nil }
            return Due(state: state, first: first ?? .latest)
        }.compactMap(\.self)
    }

    private actor Collected {
        var results: [WorkResult] = []
        func add(_ result: WorkResult) { results.append(result) }
    }
}
