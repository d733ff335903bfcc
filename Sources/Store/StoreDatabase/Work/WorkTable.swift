import StoreModel

/// Everything that is due later, as rows that change together with what they are about.
package enum WorkTable {
    /// The tables, for a migration. They never change; what comes later is another migration.
    package static let tables: [SQL] = [
        """
        CREATE TABLE work (
            clock_id \(.integer) NOT NULL, kind \(.text) NOT NULL, subject \(.text) NOT NULL,
            due_at \(.integer) NOT NULL, attempt \(.integer) NOT NULL, last_error \(.text),
            lease \(.text), leased_until \(.integer),
            PRIMARY KEY (clock_id, kind, subject)
        ) \(.keyedTable)
        """,
        "CREATE INDEX work_due ON work (clock_id, due_at, kind, subject)",
        """
        CREATE TABLE dead_work (
            clock_id \(.integer) NOT NULL, kind \(.text) NOT NULL, subject \(.text) NOT NULL,
            due_at \(.integer) NOT NULL, attempt \(.integer) NOT NULL, died_at \(.integer) NOT NULL,
            last_error \(.text) NOT NULL,
            PRIMARY KEY (clock_id, kind, subject)
        ) \(.keyedTable)
        """,
    ]

    /// Schedules work, or moves it if it is scheduled already. A turn that is under way loses its lease, so that it
    /// cannot settle what it did not know of.
    package static func schedule(_ work: Work, in transaction: any WriteTransaction) throws {
        try insert(
            work,
            """
            ON CONFLICT (clock_id, kind, subject) DO UPDATE SET
                due_at = excluded.due_at, attempt = 0, last_error = NULL, lease = NULL, leased_until = NULL
            """, in: transaction)
    }

    /// Schedules work unless it is scheduled already, at whatever time.
    package static func ensure(_ work: Work, in transaction: any WriteTransaction) throws {
        try insert(work, "ON CONFLICT (clock_id, kind, subject) DO NOTHING", in: transaction)
    }

    private static func insert(_ work: Work, _ conflict: SQL, in transaction: any WriteTransaction) throws {
        for name in [work.kind, work.subject] where name.utf8.count > WorkLimits.nameBytes {
            throw DatabaseError(
                .unexpectedValue, "a kind or subject of work has at most \(WorkLimits.nameBytes) bytes")
        }
        try transaction.execute(
            "INSERT INTO work (clock_id, kind, subject, due_at, attempt) VALUES ($1, $2, $3, $4, 0) \(conflict)",
            work.clock, work.kind, work.subject, work.dueAt)
    }

    /// Takes work back; does nothing if there is none.
    package static func cancel(
        _ kind: String, _ subject: String, clock: ClockID = .environment, in transaction: any WriteTransaction
    ) throws {
        try transaction.execute(
            "DELETE FROM work WHERE clock_id = $1 AND kind = $2 AND subject = $3", clock, kind, subject)
    }

    /// What is scheduled for a clock, in the order in which it will be done; at most `limit`.
    package static func upcoming(
        clock: ClockID = .environment, limit: Int, in transaction: any ReadTransaction
    ) throws -> [Work] {
        try transaction.query(
            """
            SELECT clock_id, kind, subject, due_at, attempt FROM work WHERE clock_id = $1
            ORDER BY due_at, kind, subject LIMIT $2
            """, clock, limit, row: work)
    }

    static func work(_ row: Row) throws -> Work {
        Work(
            try row.value(1), try row.value(2), dueAt: try row.value(3), clock: try row.value(0),
            attempt: try row.value(4))
    }
}
