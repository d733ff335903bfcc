package import StoreDatabase
package import StoreModel
import Synchronization

/// A clock that customers live by, as a row of `clock`: that of the environment once somebody has set it, or that of a tester.
/// Where there is no row, they live by the clock on the wall.
package struct CustomerClock: Hashable, Sendable {
    package let id: ClockID
    /// A moment of the wall clock, and what this clock showed then.
    package let wall: Instant
    package let shown: Instant
    /// How many of its milliseconds go by in a second of the wall clock: 1000 is real time, 0 stands still.
    package let rate: Int64

    package init(_ id: ClockID = .environment, wall: Instant, shown: Instant, rate: Int64) {
        self.id = id
        self.wall = wall
        self.shown = shown
        self.rate = rate
    }

    static let columns: SQL = "clock.id, clock.wall_at, clock.shown_at, clock.rate"
    /// Joins the clock of a row of `customer`; that of the environment where the row is missing.
    static let join: SQL = "LEFT JOIN clock ON clock.id = coalesce(customer.clock_id, 0)"

    /// Reads ``columns``; nil if there is no such clock.
    init?(_ cells: inout RowCells) throws {
        guard let id = try cells.next(as: ClockID?.self) else {
            cells.skip(3)
            return nil
        }
        self.init(id, wall: try cells.next(), shown: try cells.next(), rate: try cells.next())
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

    /// The clocks of these customers; those that have none are left out.
    static func of(
        all customers: some Sequence<CustomerID>, in transaction: any ReadTransaction
    ) throws -> [CustomerID: CustomerClock] {
        let found = try transaction.query(
            """
            SELECT customer.id, \(columns) FROM customer JOIN clock ON clock.id = customer.clock_id
            WHERE customer.id IN \(.numbers)
            """, of: customers
        ) { row in
            var cells = row.cells
            return (try cells.next(as: CustomerID.self), try CustomerClock(&cells))
        }
        return Dictionary(uniqueKeysWithValues: found).compactMapValues(\.self)
    }

    /// The clock with an id; nil where nobody has set it.
    package static func find(_ id: ClockID, in transaction: any ReadTransaction) throws -> CustomerClock? {
        try transaction.optional("SELECT \(columns) FROM clock WHERE clock.id = $1", id) { row in
            var cells = row.cells
            return try CustomerClock(&cells)
        } ?? nil
    }

    /// What it shows at a moment of the wall clock.
    package func time(at wall: Instant) -> Instant {
        let passed = wall.millisecondsSinceEpoch - self.wall.millisecondsSinceEpoch
        let shown = Int128(self.shown.millisecondsSinceEpoch) + Int128(passed) * Int128(rate) / 1000
        return min(Instant(millisecondsSinceEpoch: Int64(clamping: shown)), Self.dates.upperBound)
    }

    /// When it will show an instant, by the wall clock; nil if it never does.
    func wall(showing instant: Instant) -> Instant? {
        guard instant > shown else { return wall }
        guard rate > 0, instant <= Self.dates.upperBound else { return nil }
        let distance = Int128(instant.millisecondsSinceEpoch) - Int128(shown.millisecondsSinceEpoch)
        let passed = (distance * 1000 + Int128(rate) - 1) / Int128(rate)
        return Instant(millisecondsSinceEpoch: Int64(clamping: Int128(wall.millisecondsSinceEpoch) + passed))
    }

    /// The dates that a clock may be set to: the years 2000 to 2099.
    package static let dates =
        Instant(millisecondsSinceEpoch: 946_684_800_000)...Instant(millisecondsSinceEpoch: 4_102_444_799_999)
    /// The rates that a clock may have: from standing still to a day for each millisecond.
    package static let rates: ClosedRange<Int64> = 0...86_400_000_000
    package static let realTime: Int64 = 1000
}

/// The clock of the environment as this process read it last, so that no request has to.
///
/// What changes something reads the clock in its own transaction, see ``ChangeCause/change(of:in:)``.
final class KnownClock: Sendable {
    private let known = Mutex<CustomerClock?>(nil)

    var clock: CustomerClock? { known.withLock { $0 } }

    func note(_ clock: CustomerClock?) { known.withLock { $0 = clock } }
}

extension EnvironmentStore {
    /// Reads the clock of the environment, and again whenever it is signalled to have changed, until the database is closed
    /// or the task is cancelled.
    package func followClock() async throws {
        let signals = try await database.signals(on: .clocks)
        try await readClock()
        for await _ in signals { try await readClock() }
    }

    /// Reads the clock of the environment anew.
    package func readClock() async throws {
        clocks.own.note(try await database.read { try CustomerClock.find(.environment, in: $0) })
    }
}

/// The clock of the customer of the device whose request is being answered, once it was read.
package final class SeenClock: Sendable {
    @TaskLocal package static var current: SeenClock?
    private let seen = Mutex<CustomerClock?>(nil)

    package init() {}

    var clock: CustomerClock? { seen.withLock { $0 } }

    package func note(_ clock: CustomerClock?) { seen.withLock { $0 = clock } }
}

extension EnvironmentStore {
    /// What a clock shows, that of the environment if none was seen, and how many of its milliseconds a second has.
    package func time(by seen: SeenClock) -> (time: Instant, rate: Int64) {
        let clock = seen.clock ?? clocks.own.clock
        return (clocks.now(by: clock).commerce, clock?.rate ?? CustomerClock.realTime)
    }
}

extension SignalTopic {
    /// A clock was changed; the subject is its number.
    package static let clocks = SignalTopic("clocks")
}
