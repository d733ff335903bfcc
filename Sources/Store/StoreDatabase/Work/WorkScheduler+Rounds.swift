package import StoreModel

extension WorkScheduler {
    /// Does what is due now, several turns at a time; gives what became of each, in the order in which they were due.
    ///
    /// There is more to do at once if as many turns come back as the limit allows.
    package func runRound(clock: ClockID = .environment, at instant: Instant) async throws -> [WorkResult] {
        let turns = try await claim(clock: clock, dueBy: instant, limit: limits.turnsPerRound)
        var results: [Int: WorkResult] = [:]
        try await withThrowingTaskGroup(of: (Int, WorkResult).self) { group in
            for (index, turn) in turns.enumerated() {
                if index >= limits.turnsAtOnce, let (index, result) = try await group.next() {
                    results[index] = result
                }
                group.addTask { (index, try await self.run(turn)) }
            }
            for try await (index, result) in group { results[index] = result }
        }
        return turns.indices.compactMap { results[$0] }
    }

    /// When the next work of a clock is due; nil if there is none.
    package func nextDue(clock: ClockID = .environment) async throws -> Instant? {
        try await earliest(clock)?.dueAt
    }

    /// Does everything that is due up to an instant, one turn after the other in the order of their times, and what
    /// becomes due by that, until nothing is left.
    ///
    /// Each turn takes place at the time it was due, but never before the one ahead of it. This is how a clock is
    /// advanced: a year of renewals, with their failures and second attempts, happens in order.
    package func drain(
        clock: ClockID = .environment, from start: Instant, until end: Instant,
        progress: @Sendable (WorkResult) async throws -> Void = { _ in }
    ) async throws -> DrainReport {
        var report = DrainReport()
        var instant = start
        while report.turns < limits.turnsPerDrain {
            guard let turn = try await claim(clock: clock, dueBy: end, limit: 1).first else {
                // What somebody else has claimed is neither done nor ours.
                report.keptBusyBy = try await earliest(clock).flatMap { $0.dueAt <= end ? $0.kind : nil }
                return report
            }
            instant = max(instant, turn.work.dueAt)
            let result = try await run(WorkTurn(work: turn.work, at: instant, lease: turn.lease))
            report.count(result)
            try await progress(result)
        }
        report.keptBusyBy = try await earliest(clock).flatMap { $0.dueAt <= end ? $0.kind : nil }
        return report
    }
}
