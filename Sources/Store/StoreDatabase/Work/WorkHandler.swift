package import StoreModel

/// What is done about one kind of work.
///
/// A turn may run more than once for the same work: when the process ends in the middle of it, or its lease does. So what
/// it does is idempotent: it settles the turn in the transaction of its changes, and uses keys with other systems.
///
/// A handler has one of two forms. One that is a small write is a synchronous function over a transaction, which it
/// shares with the turns of other subjects; the scheduler settles the turn there. One that calls out is asynchronous, and
/// may settle the turn itself:
///
/// ```swift
/// WorkHandler("expiry", retries: retries, write: { turn, transaction in
///     try Subscriptions.expire(turn.work.subject, at: turn.at, in: transaction)
///     return .done
/// })
/// WorkHandler("capture", retries: retries) { turn in try await driver.capture(turn.work.subject) }
/// ```
package struct WorkHandler: Sendable {
    package typealias Run = @Sendable (WorkTurn) async throws -> WorkOutcome
    package typealias Write = @Sendable (WorkTurn, any WriteTransaction) throws -> WorkOutcome
    package typealias GiveUp = @Sendable (WorkTurn, String, any WriteTransaction) throws -> WorkOutcome

    enum Form: Sendable {
        case asynchronous(Run)
        case sharing(Write)
    }

    package let kind: String
    package let retries: RetrySchedule
    let form: Form
    let giveUp: GiveUp?

    /// A handler that may call out.
    ///
    /// - Parameters:
    ///   - kind: the kind of work that it is for.
    ///   - retries: how often and when to try again.
    ///   - giveUp: what to do after the last failure, in the transaction that settles the turn; it is given the error.
    ///     Without it, or if it throws, the work is kept among the dead.
    ///   - run: one attempt. What it throws is a failure, and its description is kept.
    package init(_ kind: String, retries: RetrySchedule, giveUp: GiveUp? = nil, run: @escaping Run) {
        (self.kind, self.retries, self.giveUp, form) = (kind, retries, giveUp, .asynchronous(run))
    }

    /// A handler that is a small write.
    ///
    /// - Parameter write: one attempt, in a serializable transaction that turns of other subjects share. What it throws is
    ///   a failure, which undoes what this turn wrote and nothing else. It may run again, as every closure of a
    ///   ``Database``.
    package init(_ kind: String, retries: RetrySchedule, giveUp: GiveUp? = nil, write: @escaping Write) {
        (self.kind, self.retries, self.giveUp, form) = (kind, retries, giveUp, .sharing(write))
    }
}

/// How long to wait after each attempt that failed, and when to give up.
package struct RetrySchedule: Hashable, Sendable {
    /// The delay after the first, second… failure, in milliseconds; the last one goes for all that follow.
    private let delays: [Int64]
    /// After how many failures there is another attempt.
    private let count: Int

    /// - Parameter delays: the delay after the first, second… failure, in milliseconds. After the last there is no other
    ///   attempt.
    package init(delays: [Int64]) {
        self.init(delays, count: delays.count)
    }

    private init(_ delays: [Int64], count: Int) {
        (self.delays, self.count) = (delays, count)
    }

    /// Delays that double from `first` up to `longest`.
    package static func doubling(from first: Int64, upTo longest: Int64, attempts: Int) -> RetrySchedule {
        let count = max(attempts - 1, 0)
        var delays: [Int64] = []
        while delays.count < count, delays.last.map({ $0 < longest }) ?? true {
            let (delay, isTooLong) = (delays.last ?? 0).multipliedReportingOverflow(by: 2)
            delays.append(isTooLong ? longest : min(delays.isEmpty ? first : delay, longest))
        }
        return RetrySchedule(delays, count: count)
    }

    /// When to try again after so many failures; nil to give up.
    func next(after failures: Int, at instant: Instant) -> Instant? {
        guard failures >= 1, failures <= count, let last = delays.last else { return nil }
        let delay = failures <= delays.count ? delays[failures - 1] : last
        let (sum, isTooLate) = instant.millisecondsSinceEpoch.addingReportingOverflow(delay)
        return Instant(millisecondsSinceEpoch: isTooLate ? .max : sum)
    }
}

/// One attempt to do a piece of work, claimed for one scheduler.
package struct WorkTurn: Hashable, Sendable {
    package let work: Work
    /// The time by the clock of the work.
    package let at: Instant
    /// What tells this claim from every other claim of the same work.
    let lease: String

    /// Settles the turn in the transaction of what was done, so that both come to be or neither.
    ///
    /// Throws a `DatabaseError` of code `leaseLost` if another scheduler has the work by now, or if it was scheduled anew
    /// meanwhile. The handler lets that end its transaction: the work will have another turn.
    package func settle(_ outcome: WorkOutcome = .done, in transaction: any WriteTransaction) throws {
        switch outcome.step {
        case .settled: break
        case .done: try WorkTable.remove(self, in: transaction)
        case .again(let instant): try WorkTable.move(self, to: instant, in: transaction)
        }
    }
}

/// What came of a turn.
package struct WorkOutcome: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case done
        case again(Instant)
        case settled
    }

    let step: Step

    /// The work is done; its row is removed.
    package static let done = WorkOutcome(step: .done)
    /// The turn is done, and the work is due again.
    package static func again(at instant: Instant) -> WorkOutcome { WorkOutcome(step: .again(instant)) }
    /// The handler has settled the turn itself, in the transaction of what it did.
    package static let settled = WorkOutcome(step: .settled)
}

/// What became of one turn.
package struct WorkResult: Hashable, Sendable {
    /// The ways a turn can end; more may be added.
    package struct Ending: Hashable, Sendable {
        package let name: String

        /// The turn was done.
        package static let done = Ending(name: "done")
        /// The turn failed and will be tried again.
        package static let failed = Ending(name: "failed")
        /// The turn failed for the last time; the work is kept as dead.
        package static let gaveUp = Ending(name: "gave up")
        /// The work was scheduled anew meanwhile, or another scheduler has it: what was done in the turn did not count.
        package static let overtaken = Ending(name: "overtaken")
    }

    package let turn: WorkTurn
    package let ending: Ending
    /// The error of the turn.
    package let error: String?

    init(_ turn: WorkTurn, _ ending: Ending, _ error: String? = nil) {
        self.turn = turn
        self.ending = ending
        self.error = error
    }
}
