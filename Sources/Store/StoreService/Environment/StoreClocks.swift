import StoreDatabase
package import StoreModel

/// Where an environment reads the time.
package struct StoreClocks: Sendable {
    package let commerce: @Sendable () -> Instant
    package let wall: @Sendable () -> Instant

    package init(commerce: @escaping @Sendable () -> Instant, wall: @escaping @Sendable () -> Instant) {
        self.commerce = commerce
        self.wall = wall
    }

    /// This moment, by both.
    package var now: StoreTimes { StoreTimes(commerce: commerce(), wall: wall()) }

    /// This moment by the clock of a customer; by that of the environment where the customer has none.
    package func now(by clock: CustomerClock?) -> StoreTimes {
        let wall = wall()
        return StoreTimes(commerce: clock?.time(at: wall) ?? commerce(), wall: wall)
    }
}

/// The two times of one moment.
package struct StoreTimes: Hashable, Sendable {
    /// When things are bought, expire and are refunded.
    package let commerce: Instant
    /// For tokens, codes and recovery.
    package let wall: Instant

    package init(commerce: Instant, wall: Instant) {
        self.commerce = commerce
        self.wall = wall
    }
}

/// A clock of its own that a customer lives by: a row of `clock`. Without one, the customer lives by that of the environment.
package struct CustomerClock: Hashable, Sendable {
    /// A moment of the wall clock, and what this clock showed then.
    package let wall: Instant
    package let shown: Instant
    /// How many of its milliseconds go by in a second of the wall clock: 1000 is real time, 0 stands still.
    package let rate: Int64

    package init(wall: Instant, shown: Instant, rate: Int64) {
        self.wall = wall
        self.shown = shown
        self.rate = rate
    }

    static let columns: SQL = "clock.wall_at, clock.shown_at, clock.rate"
    /// Joins the clock of a row of `customer`.
    static let join: SQL = "LEFT JOIN clock ON clock.id = customer.clock_id"

    /// Reads ``columns``; nil if there is no such clock.
    init?(_ cells: inout RowCells) throws {
        guard let wall = try cells.next(as: Instant?.self) else {
            cells.skip(2)
            return nil
        }
        self.init(wall: wall, shown: try cells.next(), rate: try cells.next())
    }

    static func of(_ customer: CustomerID, in transaction: any ReadTransaction) throws -> CustomerClock? {
        try transaction.optional(
            "SELECT \(columns) FROM customer JOIN clock ON clock.id = customer.clock_id WHERE customer.id = $1",
            customer
        ) { row in
            var cells = row.cells
            return try CustomerClock(&cells)
        } ?? nil
    }

    /// What it shows at a moment of the wall clock.
    package func time(at wall: Instant) -> Instant {
        let passed = wall.millisecondsSinceEpoch - self.wall.millisecondsSinceEpoch
        let shown = Int128(self.shown.millisecondsSinceEpoch) + Int128(passed) * Int128(rate) / 1000
        return Instant(millisecondsSinceEpoch: Int64(clamping: shown))
    }
}
