import StoreCatalogue
package import StoreDatabase
package import StoreModel
import StoreSigning

/// Time as a control: the clock of the sandbox and those of its testers are shown, frozen, set, advanced and sped up.
///
/// ```swift
/// let clocks = Clocks(store)
/// try await clocks.freeze(nil, store.cause(.owner))
/// let report = try await clocks.advance("ada@example.com", by: step, store.cause(.owner))
/// ```
///
/// A tester is named by number or address; nil is the clock of the environment. A tester lives by that until something is
/// done with the tester's own, which shows the same in the beginning. Production refuses all of it.
package struct Clocks: Sendable {
    let store: EnvironmentStore
    let handlers: [WorkHandler]
    let work: [CustomerWork]
    let pause: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - handlers: what is done about each kind of work; as recovery has it if nil.
    ///   - work: what moves to the clock of a tester with the tester.
    ///   - pause: waits for so long, or until the task is cancelled.
    package init(
        _ store: EnvironmentStore, handlers: [WorkHandler]? = nil, work: [CustomerWork] = CustomerWork.all,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.store = store
        self.handlers = handlers ?? Recovery(store).handlers
        self.work = work
        self.pause = pause
    }

    /// A clock, what it shows at the moment, and what was done with it last.
    package struct Shown: Hashable, Sendable {
        package let state: ClockState
        package let time: Instant
        package let wall: Instant
        package let history: [ClockHistoryEntry]
    }

    /// How many entries of the history come with a clock.
    package static let entries = 20

    package func show(_ tester: String?) async throws -> Shown {
        try requireSandbox()
        let clocks = store.clocks
        return try await store.database.read { try Self.shown(try Self.state(tester, clocks, in: $0), clocks, $0) }
    }

    /// Lets a clock stand still.
    package func freeze(_ tester: String?, _ cause: ChangeCause) async throws -> Shown {
        try await change(tester, "freeze", cause) { clock, now in
            CustomerClock(clock.id, wall: now, shown: clock.time(at: now), rate: 0)
        }
    }

    /// Lets a clock run at so many of its milliseconds for each second.
    package func run(_ tester: String?, at rate: Int64, _ cause: ChangeCause) async throws -> Shown {
        guard CustomerClock.rates.contains(rate) else {
            throw ServiceError(
                .valueInvalid,
                "the rate is from \(CustomerClock.rates.lowerBound) to \(CustomerClock.rates.upperBound): milliseconds of the "
                    + "clock for each second, 1000 being real time", parameter: "rate")
        }
        return try await change(tester, "rate", cause) { clock, now in
            CustomerClock(clock.id, wall: now, shown: clock.time(at: now), rate: rate)
        }
    }

    private func change(
        _ tester: String?, _ act: String, _ cause: ChangeCause,
        _ body: @escaping @Sendable (CustomerClock, Instant) throws -> CustomerClock
    ) async throws -> Shown {
        try cause.require(.customers)
        try requireSandbox()
        let (clocks, own) = (store.clocks, self)
        let shown = try await store.database.write { transaction in
            var state = try own.claim(tester, transaction)
            let (now, before) = (clocks.wall(), state.clock)
            state.clock = try body(before, now)
            try state.write(in: transaction)
            try ClockHistoryEntry.append(
                act, from: before.time(at: now), to: state.clock, at: now, by: cause, in: transaction)
            return try Self.shown(state, clocks, transaction)
        }
        note(shown.state)
        return shown
    }

    // MARK: Clocks as they are

    func requireSandbox() throws {
        try store.requireSandbox(
            "the time of production is that of the wall; only the clocks of the sandbox can be controlled")
    }

    /// Keeps what the clock of the environment shows now, for this process.
    func note(_ state: ClockState) {
        if state.clock.id == .environment { store.clocks.own.note(state.clock) }
    }

    static func require(_ time: Instant, notBefore present: Instant, parameter: String) throws {
        guard CustomerClock.dates.contains(time) else {
            throw ServiceError(
                .valueInvalid, "a clock shows dates from 2000-01-01 to 2099-12-31, in GMT", parameter: parameter)
        }
        guard time >= present else {
            throw ServiceError(
                .valueInvalid, "a clock never goes back; it shows \(present.rfc3339Milliseconds)", parameter: parameter)
        }
    }

    /// How far a clock goes ahead without being asked about: what is meant for a test is nearer, and 2099 is a slip of the
    /// finger after which the clock is good for nothing.
    package static let unaskedYears = 2

    /// Refuses to let a clock go far ahead that nobody has confirmed.
    static func requireConfirmation(from present: Instant, to time: Instant, _ isConfirmed: Bool) throws {
        guard !isConfirmed, time > present.adding(.oneYear, times: unaskedYears) else { return }
        throw ServiceError(
            .confirmationMissing,
            "the clock shows \(present.rfc3339) and would go to \(time.rfc3339), more than \(unaskedYears) years ahead, and "
                + "never goes back; nothing was changed", parameter: "confirmed")
    }

    private static func shown(
        _ state: ClockState, _ clocks: StoreClocks, _ transaction: any ReadTransaction
    ) throws -> Shown {
        let wall = clocks.wall()
        return Shown(
            state: state, time: state.clock.time(at: wall), wall: wall,
            history: state.isSet
                ? try ClockHistoryEntry.newest(entries, of: state.clock.id, in: transaction) : [])
    }

    /// The clock of the environment, or that which a tester lives by.
    static func state(
        _ tester: String?, _ clocks: StoreClocks, in transaction: any ReadTransaction
    ) throws -> ClockState {
        let wall = clocks.wall()
        var state =
            try ClockState.find(.environment, in: transaction)
            ?? ClockState(
                clock: CustomerClock(wall: wall, shown: clocks.commerce(), rate: CustomerClock.realTime), tester: nil,
                isSet: false)
        guard let tester else { return state }
        let customer = try Customers.named(tester, in: transaction)
        if let own = try ClockState.find(ClockID(number: customer.id.number), in: transaction) { return own }
        state.tester = customer.id
        state.isSet = false
        return state
    }

    /// Refuses a clock that is being advanced.
    static func requireRest(_ state: ClockState) throws {
        guard let advance = state.advance else { return }
        throw ServiceError(
            .clockBusy,
            "the clock is being advanced to \(advance.goal.rfc3339Milliseconds) since "
                + "\(advance.since.rfc3339Milliseconds); wait for its end", parameter: "clock")
    }

    /// The clock that is to be changed; a tester gets one of its own. Refused while it is being advanced.
    func claim(_ tester: String?, _ transaction: any WriteTransaction) throws -> ClockState {
        let wall = store.clocks.wall()
        let state = try Self.state(tester, store.clocks, in: transaction)
        try Self.requireRest(state)
        guard let tester, let id = state.tester, !state.isSet else { return state }
        _ = try Customers.inUse(tester, in: transaction)
        let own = ClockID(number: id.number)
        try transaction.execute("UPDATE customer SET clock_id = $2 WHERE id = $1", id, own)
        for kind in work { try kind.move(of: id, from: .environment, to: own, in: transaction) }
        return ClockState(
            clock: CustomerClock(own, wall: wall, shown: state.clock.time(at: wall), rate: state.clock.rate),
            tester: id, isSet: false)
    }
}
