package import StoreModel

/// Something to be done later: a renewal, an expiry, another attempt.
///
/// There is at most one of a kind for a subject and clock, so scheduling it again moves it.
package struct Work: Hashable, Sendable {
    package let clock: ClockID
    /// What is to be done, such as `renewal`.
    package let kind: String
    /// What the work is about, such as the number of a subscription.
    package let subject: String
    package let dueAt: Instant
    /// How many attempts have failed.
    package let attempt: Int

    package init(_ kind: String, _ subject: String, dueAt: Instant, clock: ClockID = .environment) {
        self.init(kind, subject, dueAt: dueAt, clock: clock, attempt: 0)
    }

    init(_ kind: String, _ subject: String, dueAt: Instant, clock: ClockID, attempt: Int) {
        self.kind = kind
        self.subject = subject
        self.dueAt = dueAt
        self.clock = clock
        self.attempt = attempt
    }
}

extension Work {
    /// Whether it is done before another piece of work of its clock, as the index of the table has them.
    func comesBefore(_ other: Work) -> Bool {
        if dueAt != other.dueAt { return dueAt < other.dueAt }
        if kind != other.kind { return kind.utf8.lexicographicallyPrecedes(other.kind.utf8) }
        return subject.utf8.lexicographicallyPrecedes(other.subject.utf8)
    }
}

/// Which clock a piece of work is due by: that of the environment, or that of one tester.
package struct ClockID: Hashable, Sendable {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }

    /// The clock of the environment that the database belongs to.
    package static let environment = ClockID(number: 0)
    /// The wall clock, for work that has nothing to do with the time of the environment.
    package static let wall = ClockID(number: -1)
}

extension ClockID: ColumnValue {
    package var databaseValue: DatabaseValue { .integer(number) }

    package init(databaseValue: DatabaseValue) throws {
        self.init(number: try Int64(databaseValue: databaseValue))
    }
}

/// Work that was given up. It is kept until a person has looked at it.
package struct DeadWork: Hashable, Sendable {
    /// What was to be done; its attempts are those that failed.
    package let work: Work
    /// When it was given up, by the clock of the work.
    package let diedAt: Instant
    /// What the last attempt failed with, cut to ``WorkLimits/errorBytes``.
    package let error: String
}

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

    /// Schedules work unless it is scheduled already, for any time.
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
        (transaction as? WatchedTransaction)?.note(work.clock, dueAt: work.dueAt)
    }

    /// Removes work; does nothing if there is none.
    package static func cancel(
        _ kind: String, _ subject: String, clock: ClockID = .environment, in transaction: any WriteTransaction
    ) throws {
        try transaction.execute(
            "DELETE FROM work WHERE clock_id = $1 AND kind = $2 AND subject = $3", clock, kind, subject)
    }

    /// Lets work be due by another clock from now on, at the same instant. What that clock has of the same kind and subject
    /// stays as it is. A turn that is under way loses its lease.
    package static func move(
        _ kind: String, _ subjects: [String], from clock: ClockID, to other: ClockID,
        in transaction: any WriteTransaction
    ) throws {
        for subject in subjects {
            try transaction.execute(
                """
                UPDATE work SET clock_id = $2, lease = NULL, leased_until = NULL
                WHERE clock_id = $1 AND kind = $3 AND subject = $4 AND NOT EXISTS (
                    SELECT 1 FROM work AS other
                    WHERE other.clock_id = $2 AND other.kind = $3 AND other.subject = $4)
                """, clock, other, kind, subject)
            try transaction.execute(
                """
                UPDATE dead_work SET clock_id = $2
                WHERE clock_id = $1 AND kind = $3 AND subject = $4 AND NOT EXISTS (
                    SELECT 1 FROM dead_work AS other
                    WHERE other.clock_id = $2 AND other.kind = $3 AND other.subject = $4)
                """, clock, other, kind, subject)
            try cancel(kind, subject, clock: clock, in: transaction)
        }
    }

    /// Takes the claims of all schedulers on the work of a clock back: turns that are under way lose their leases.
    package static func reclaim(_ clock: ClockID, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            "UPDATE work SET lease = NULL, leased_until = NULL WHERE clock_id = $1 AND lease IS NOT NULL", clock)
    }

    /// Takes all claims back, for a process that has the database for itself: those who made them are gone.
    package static func reclaimAll(in transaction: any WriteTransaction) throws {
        try transaction.execute("UPDATE work SET lease = NULL, leased_until = NULL WHERE lease IS NOT NULL")
    }

    /// When a piece of work is due; nil if it is not scheduled.
    package static func dueAt(
        _ kind: String, _ subject: String, clock: ClockID = .environment, in transaction: any ReadTransaction
    ) throws -> Instant? {
        try transaction.optional(
            "SELECT due_at FROM work WHERE clock_id = $1 AND kind = $2 AND subject = $3", clock, kind, subject
        ) { try $0.value(0) }
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

    /// The earliest work of a clock, claimed or not.
    package static func earliest(clock: ClockID = .environment, in transaction: any ReadTransaction) throws -> Work? {
        try upcoming(clock: clock, limit: 1, in: transaction).first
    }

    static func work(_ row: Row) throws -> Work {
        Work(
            try row.value(1), try row.value(2), dueAt: try row.value(3), clock: try row.value(0),
            attempt: try row.value(4))
    }
}

// MARK: Turns

extension WorkTable {
    /// What a scheduler claims, and until when others stay away.
    struct Claim: Sendable {
        let clock: ClockID
        /// What is due by then, by that clock.
        var dueBy: Instant
        /// The wall time.
        let wallTime: Instant
        let leasedUntil: Instant
        let limit: Int
        /// What tells this claim from every other.
        let lease: String
    }

    /// Claims what is due and not claimed by another scheduler, the earliest first.
    static func claim(_ claim: Claim, in transaction: any WriteTransaction) throws -> [Work] {
        try transaction.query(
            """
            WITH due AS (
                SELECT clock_id, kind, subject FROM work
                WHERE clock_id = $1 AND due_at <= $2 AND (leased_until IS NULL OR leased_until <= $3)
                ORDER BY due_at, kind, subject LIMIT $4 \(.skippingLocked)
            )
            UPDATE work SET lease = $5, leased_until = $6 FROM due
            WHERE work.clock_id = due.clock_id AND work.kind = due.kind AND work.subject = due.subject
            RETURNING work.clock_id, work.kind, work.subject, work.due_at, work.attempt
            """, claim.clock, claim.dueBy, claim.wallTime, claim.limit, claim.lease, claim.leasedUntil, row: work
        ).sorted { $0.comesBefore($1) }
    }

    /// Gives a claim back: the work is due as it was.
    static func release(_ work: Work, lease: String, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            """
            UPDATE work SET lease = NULL, leased_until = NULL
            WHERE clock_id = $1 AND kind = $2 AND subject = $3 AND lease = $4
            """, work.clock, work.kind, work.subject, lease)
    }

    static func remove(_ turn: WorkTurn, in transaction: any WriteTransaction) throws {
        let work = turn.work
        let count = try transaction.execute(
            "DELETE FROM work WHERE clock_id = $1 AND kind = $2 AND subject = $3 AND lease = $4",
            work.clock, work.kind, work.subject, turn.lease)
        try requireLease(count, work)
    }

    /// Lets work be due later, with no failure behind it.
    static func move(_ turn: WorkTurn, to instant: Instant, in transaction: any WriteTransaction) throws {
        try update(turn, dueAt: instant, attempt: 0, error: nil, in: transaction)
    }

    /// Lets work be tried again.
    static func postpone(
        _ turn: WorkTurn, to instant: Instant, error: String, in transaction: any WriteTransaction
    ) throws {
        try update(turn, dueAt: instant, attempt: turn.work.attempt + 1, error: error, in: transaction)
    }

    private static func update(
        _ turn: WorkTurn, dueAt: Instant, attempt: Int, error: String?, in transaction: any WriteTransaction
    ) throws {
        let work = turn.work
        let count = try transaction.execute(
            """
            UPDATE work SET due_at = $1, attempt = $2, last_error = $3, lease = NULL, leased_until = NULL
            WHERE clock_id = $4 AND kind = $5 AND subject = $6 AND lease = $7
            """, dueAt, attempt, error, work.clock, work.kind, work.subject, turn.lease)
        try requireLease(count, work)
        (transaction as? WatchedTransaction)?.note(work.clock, dueAt: dueAt)
    }

    private static func requireLease(_ count: Int, _ work: Work) throws {
        guard count == 1 else {
            throw DatabaseError(.leaseLost, "the work \(work.kind) was scheduled anew or is claimed again by now")
        }
    }
}

/// A transaction that knows when the work of one clock is due that was scheduled in it.
final class WatchedTransaction: WriteTransaction {
    private let transaction: any WriteTransaction
    private let clock: ClockID
    private var scheduled: [Instant] = []
    private var earliest: Instant?

    init(_ transaction: any WriteTransaction, clock: ClockID) {
        (self.transaction, self.clock) = (transaction, clock)
    }

    func note(_ clock: ClockID, dueAt: Instant) {
        guard clock == self.clock else { return }
        scheduled.append(dueAt)
        earliest = min(earliest ?? dueAt, dueAt)
    }

    /// Whether work was scheduled that is due by an instant and was not asked about yet.
    func hasScheduled(dueBy instant: Instant) -> Bool {
        guard let earliest, earliest <= instant else { return false }
        scheduled.removeAll { $0 <= instant }
        self.earliest = scheduled.min()
        return true
    }

    var engine: DatabaseEngine { transaction.engine }
    var limits: DatabaseLimits { transaction.limits }

    func forEachRow(_ sql: SQL, binding values: [DatabaseValue], _ body: (Row) throws -> Void) throws {
        try transaction.forEachRow(sql, binding: values, body)
    }

    func execute(_ sql: SQL, binding values: [DatabaseValue]) throws -> Int {
        try transaction.execute(sql, binding: values)
    }

    func attempt<Result>(_ body: () throws -> Result) throws -> Result { try transaction.attempt(body) }
    func signal(_ signal: Signal) throws { try transaction.signal(signal) }
}

// MARK: Dead work

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

    /// Gives work up. It replaces what was given up of the same kind and subject before.
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
