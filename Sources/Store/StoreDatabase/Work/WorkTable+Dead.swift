package import StoreModel

extension WorkTable {
    /// What was given up, by kind and subject; at most `limit`.
    package static func dead(
        clock: ClockID = .environment, limit: Int, in transaction: any ReadTransaction
    ) throws -> [DeadWork] {
        try transaction.query(
            """
            SELECT clock_id, kind, subject, due_at, attempt, died_at, last_error FROM dead_work WHERE clock_id = $1
            ORDER BY kind, subject LIMIT $2
            """, clock, limit
        ) { row in
            DeadWork(work: try work(row), diedAt: try row.value(5), error: try row.value(6))
        }
    }

    /// Gives work that was given up another life; false if there is none.
    package static func revive(_ work: Work, dueAt: Instant, in transaction: any WriteTransaction) throws -> Bool {
        let count = try transaction.execute(
            "DELETE FROM dead_work WHERE clock_id = $1 AND kind = $2 AND subject = $3",
            work.clock, work.kind, work.subject)
        guard count > 0 else { return false }
        try ensure(Work(work.kind, work.subject, dueAt: dueAt, clock: work.clock), in: transaction)
        return true
    }

    /// Gives work up. What was given up of the same kind and subject before makes room for it.
    static func bury(_ turn: WorkTurn, error: String, in transaction: any WriteTransaction) throws {
        try remove(turn, in: transaction)
        let work = turn.work
        try transaction.execute(
            """
            INSERT INTO dead_work (clock_id, kind, subject, due_at, attempt, died_at, last_error)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (clock_id, kind, subject) DO UPDATE SET due_at = excluded.due_at,
                attempt = excluded.attempt, died_at = excluded.died_at, last_error = excluded.last_error
            """, work.clock, work.kind, work.subject, work.dueAt, work.attempt + 1, turn.at, error)
    }
}
