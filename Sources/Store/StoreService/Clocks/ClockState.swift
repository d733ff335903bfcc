import StoreCatalogue
package import StoreDatabase
package import StoreModel

/// A clock, whose it is, and what is being done with it.
package struct ClockState: Hashable, Sendable {
    package internal(set) var clock: CustomerClock
    /// The tester that lives by it; nil for that of the environment.
    package internal(set) var tester: CustomerID?
    /// Whether somebody has set it: the tester has no clock of its own else, and the environment the time on the wall.
    package internal(set) var isSet: Bool
    /// An advance that is under way.
    package internal(set) var advance: Advance?

    /// An advance, from its beginning until everything that it made due is done.
    package struct Advance: Hashable, Sendable {
        /// Where it ends.
        package let goal: Instant
        /// When it began, by the wall clock.
        package let since: Instant
        /// Who goes on with it, and until when others stay away, by the wall clock.
        let lease: String
        let leasedUntil: Instant
    }

    static let columns: SQL = """
        \(CustomerClock.columns), clock.advancing_to, clock.advancing_since, clock.advance_lease, clock.leased_until
        """

    init(clock: CustomerClock, tester: CustomerID?, isSet: Bool, advance: Advance? = nil) {
        (self.clock, self.tester, self.isSet, self.advance) = (clock, tester, isSet, advance)
    }

    init?(_ cells: inout RowCells) throws {
        guard let clock = try CustomerClock(&cells) else { return nil }
        self.clock = clock
        tester = clock.id == .environment ? nil : try CustomerID(number: clock.id.number)
        isSet = true
        guard let goal = try cells.next(as: Instant?.self) else {
            cells.skip(3)
            return
        }
        advance = Advance(
            goal: goal, since: try cells.next(), lease: try cells.next(), leasedUntil: try cells.next())
    }

    static func find(_ id: ClockID, in transaction: any ReadTransaction) throws -> ClockState? {
        try transaction.optional("SELECT \(columns) FROM clock WHERE clock.id = $1", id) { row in
            var cells = row.cells
            return try ClockState(&cells)
        } ?? nil
    }

    /// Writes the clock, with its advance, and tells all processes.
    func write(in transaction: any WriteTransaction) throws {
        try transaction.insertOrUpdate(
            "clock",
            [
                "wall_at": clock.wall, "shown_at": clock.shown, "rate": clock.rate, "advancing_to": advance?.goal,
                "advancing_since": advance?.since, "advance_lease": advance?.lease,
                "leased_until": advance?.leasedUntil,
            ], key: ["id": clock.id])
        try transaction.signal(Signal(.clocks, subject: "\(clock.id.number)"))
    }
}

/// What was done with a clock, by whom and when. Nothing is ever removed of it.
package struct ClockHistoryEntry: Hashable, Sendable {
    /// By the wall clock.
    package let at: Instant
    package let actor: String
    package let request: String?
    package let act: String
    package let before: Instant
    package let after: Instant
    package let rate: Int64

    static func append(
        _ act: String, from before: Instant, to clock: CustomerClock, at wall: Instant, goal: Instant? = nil,
        by cause: ChangeCause, in transaction: any WriteTransaction
    ) throws {
        let last = try transaction.value(
            "SELECT coalesce(max(number), 0) FROM clock_history WHERE clock_id = $1", clock.id, as: Int.self)
        try History.clocks.append(
            act, to: clock.id, number: last + 1, detail: nil,
            ["shown_before": before, "shown_after": goal ?? clock.time(at: wall), "rate": clock.rate], at: wall,
            by: cause.actor, cause.request, in: transaction)
    }

    /// The newest entries of a clock, the newest first.
    package static func newest(
        _ limit: Int, of clock: ClockID, in transaction: any ReadTransaction
    ) throws -> [ClockHistoryEntry] {
        try transaction.query(
            """
            SELECT at, actor, request_id, event, shown_before, shown_after, rate FROM clock_history
            WHERE clock_id = $1 ORDER BY number DESC LIMIT $2
            """, clock, limit
        ) { row in
            var cells = row.cells
            return ClockHistoryEntry(
                at: try cells.next(), actor: try cells.next(), request: try cells.next(), act: try cells.next(),
                before: try cells.next(), after: try cells.next(), rate: try cells.next())
        }
    }
}
