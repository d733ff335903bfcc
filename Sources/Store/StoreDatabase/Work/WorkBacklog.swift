package import StoreModel

/// How much work of a kind waits.
package struct WorkBacklog: Hashable, Sendable {
    package let kind: String
    /// All that is scheduled, for whenever.
    package let scheduled: Int
    /// What is due now, and since when the oldest is.
    package let due: Int
    package let oldest: Instant?
    /// What has failed at least once, and is tried again.
    package let failing: Int
}

extension WorkTable {
    /// All kinds, by their names: one statement, however much there is.
    ///
    /// What is due by the clock of a tester is only counted as scheduled: it may stand still.
    ///
    /// - Parameters:
    ///   - commerce: the time by the clock of the environment.
    ///   - wall: the time by the wall clock.
    package static func backlog(
        at commerce: Instant, wall: Instant, in transaction: any ReadTransaction
    ) throws -> [WorkBacklog] {
        try transaction.query(
            """
            SELECT kind, count(*),
                sum(CASE WHEN clock_id = -1 AND due_at <= $1 OR clock_id = 0 AND due_at <= $2 THEN 1 ELSE 0 END),
                min(CASE WHEN clock_id = -1 AND due_at <= $1 OR clock_id = 0 AND due_at <= $2 THEN due_at END),
                sum(CASE WHEN attempt > 0 THEN 1 ELSE 0 END)
            FROM work GROUP BY kind ORDER BY kind
            """, wall, commerce
        ) { row in
            var cells = row.cells
            return try WorkBacklog(
                kind: cells.next(), scheduled: cells.next(), due: cells.next(), oldest: cells.next(),
                failing: cells.next())
        }
    }

    /// What was given up last, by any clock, and how much that is altogether.
    package static func newestDead(
        limit: Int, in transaction: any ReadTransaction
    ) throws -> (work: [DeadWork], count: Int) {
        let found = try transaction.query(
            """
            SELECT clock_id, kind, subject, due_at, attempt, died_at, last_error FROM dead_work
            ORDER BY died_at DESC, kind, subject LIMIT $1
            """, limit
        ) { row in DeadWork(work: try work(row), diedAt: try row.value(5), error: try row.value(6)) }
        return (found, try transaction.value("SELECT count(*) FROM dead_work", as: Int.self))
    }
}
