import StoreModel

extension WorkTable {
    /// What a scheduler claims, and until when others stay away.
    struct Claim: Sendable {
        let clock: ClockID
        /// What is due by then, by that clock.
        let dueBy: Instant
        /// The wall time.
        let wallTime: Instant
        let leasedUntil: Instant
        let limit: Int
        /// Names for leases, one for each turn.
        let leases: [String]
    }

    /// Claims what is due and not claimed by anybody else, the earliest first.
    static func claim(_ claim: Claim, in transaction: any WriteTransaction) throws -> [WorkTurn] {
        let due = try transaction.query(
            """
            SELECT clock_id, kind, subject, due_at, attempt FROM work
            WHERE clock_id = $1 AND due_at <= $2 AND (leased_until IS NULL OR leased_until <= $3)
            ORDER BY due_at, kind, subject LIMIT $4 \(.skippingLocked)
            """, claim.clock, claim.dueBy, claim.wallTime, min(claim.limit, claim.leases.count), row: work)
        return try zip(due, claim.leases).map { work, lease in
            try transaction.execute(
                """
                UPDATE work SET lease = $1, leased_until = $2 WHERE clock_id = $3 AND kind = $4 AND subject = $5
                """, lease, claim.leasedUntil, work.clock, work.kind, work.subject)
            return WorkTurn(work: work, at: claim.dueBy, lease: lease)
        }
    }

    /// The earliest work of a clock, whoever has it.
    package static func earliest(clock: ClockID = .environment, in transaction: any ReadTransaction) throws -> Work? {
        try upcoming(clock: clock, limit: 1, in: transaction).first
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
    }

    private static func requireLease(_ count: Int, _ work: Work) throws {
        guard count == 1 else {
            throw DatabaseError(.leaseLost, "the work \(work.kind) was scheduled anew or is in other hands by now")
        }
    }
}
