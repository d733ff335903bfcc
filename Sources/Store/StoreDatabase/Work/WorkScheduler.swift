package import StoreModel
import Synchronization

/// How much the scheduler takes on.
package struct WorkLimits: Hashable, Sendable {
    /// How many turns one round claims, and how many share a transaction.
    package var turnsPerRound = 256
    /// How many asynchronous turns of a round run at a time.
    package var turnsAtOnce = 32
    /// How many turns one piece of work may have in a drain while the clock moves by less than a minute. One that has
    /// more keeps the drain from ever becoming quiet.
    package var turnsWithoutProgress = 100_000
    /// How long a claim keeps other schedulers away, in milliseconds of wall time. A turn that takes longer may be run
    /// twice.
    package var leaseMilliseconds: Int64 = 120_000
    /// How much of an error is kept.
    package static let errorBytes = 500
    /// The longest name of a kind or subject.
    package static let nameBytes = 200

    package init() {}
}

/// Runs the work that is due, each by its own clock.
///
/// Work is done in rounds. A round claims what is due with one statement. Then the turns whose handlers are small writes
/// run one after the other in one transaction; if one of them fails, they run again, each in a savepoint, so that it undoes
/// only itself. After them those whose handlers call out run several at a time, and those that have ended are settled
/// together. So turns of different subjects share commits, while those of one subject follow each other in the order in
/// which they are due.
///
/// Several schedulers, in one process or many, may share a database: each claims its work for a while.
package final class WorkScheduler: Sendable {
    private let database: any Database
    private let handlers: [String: WorkHandler]
    private let limits: WorkLimits
    private let name: String
    private let wallTime: @Sendable () -> Instant
    private let claims = Mutex(0)

    /// A scheduler with a name that no other has, now or later: leases are told apart by it.
    package init(
        _ database: any Database, handlers: [WorkHandler], limits: WorkLimits = WorkLimits(), name: String,
        wallTime: @escaping @Sendable () -> Instant
    ) {
        self.database = database
        self.handlers = Dictionary(handlers.map { ($0.kind, $0) }) { first, _ in first }
        self.limits = limits
        self.name = name
        self.wallTime = wallTime
    }

    /// Does what is due now, and gives what became of each turn.
    ///
    /// There may be more to do at once if any turns come back.
    package func runRound(clock: ClockID = .environment, at instant: Instant) async throws -> [WorkResult] {
        var timeline: Timeline?
        return try await round(clock, dueBy: instant, &timeline)
    }

    /// When the next work of a clock is due; nil if there is none.
    package func nextDue(clock: ClockID = .environment) async throws -> Instant? {
        try await earliest(clock)?.dueAt
    }

    /// Does everything that is due up to an instant, and what becomes due by that, until nothing is left. This is how a
    /// clock is advanced: a year of renewals, with their failures and second attempts, happens in order.
    ///
    /// Each turn takes place at the time it was due, but never before an earlier turn of its subject. Turns that are small
    /// writes happen in the order of their times, whatever their subjects are. Nothing ends a drain early but work that
    /// comes up again and again while the clock stands still, of which the report tells.
    package func drain(
        clock: ClockID = .environment, from start: Instant, until end: Instant,
        progress: @Sendable (WorkResult) async throws -> Void = { _ in }
    ) async throws -> DrainReport {
        var report = DrainReport()
        var timeline: Timeline? = Timeline(from: start)
        var standstill = Standstill(from: start, limit: limits.turnsWithoutProgress)
        while report.keptBusyBy == nil {
            let results = try await round(clock, dueBy: end, &timeline)
            if results.isEmpty {
                // What another scheduler has claimed is neither done nor ours.
                report.keptBusyBy = try await earliest(clock).flatMap { $0.dueAt <= end ? $0.kind : nil }
                break
            }
            for result in results {
                report.count(result)
                if standstill.isReached(by: result.turn) { report.keptBusyBy = result.turn.work.kind }
                try await progress(result)
            }
        }
        return report
    }

    private func earliest(_ clock: ClockID) async throws -> Work? {
        try await database.read { try WorkTable.earliest(clock: clock, in: $0) }
    }
}

// MARK: Rounds

extension WorkScheduler {
    /// What is known of a round while it runs.
    private struct Round: Sendable {
        /// When the turns of a drain take place; nil: all of them at the end of the claim.
        var timeline: Timeline?
        var results: [WorkResult] = []
        /// The turns that call out, at most one for each subject.
        var calls: [WorkTurn] = []
    }

    private func round(
        _ clock: ClockID, dueBy instant: Instant, _ timeline: inout Timeline?
    ) async throws -> [WorkResult] {
        let claim = newClaim(clock, dueBy: instant)
        let due = try await database.write(isolation: .readCommitted) { try WorkTable.claim(claim, in: $0) }
        guard !due.isEmpty else { return [] }
        var round = Round(timeline: timeline)
        do {
            round = try await database.write { [round] transaction in
                do {
                    return try transaction.attempt {
                        try self.share(round, due, claim, inSavepoints: false, transaction)
                    }
                } catch {
                    return try self.share(round, due, claim, inSavepoints: true, transaction)
                }
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            // The turn that breaks the transaction of all is found by running each alone.
            for work in due {
                let turn = Self.turn(of: work, claim, &round.timeline, passing: true)
                round.results += try await call([turn])
            }
        }
        timeline = round.timeline
        return round.results + (try await call(round.calls))
    }

    private func newClaim(_ clock: ClockID, dueBy instant: Instant) -> WorkTable.Claim {
        let wallTime = wallTime()
        let number = claims.withLock { count in
            count += 1
            return count
        }
        return WorkTable.Claim(
            clock: clock, dueBy: instant, wallTime: wallTime,
            leasedUntil: Instant(millisecondsSinceEpoch: wallTime.millisecondsSinceEpoch + limits.leaseMilliseconds),
            limit: limits.turnsPerRound, lease: "\(name)/\(number)")
    }

    private static func turn(
        of work: Work, _ claim: WorkTable.Claim, _ timeline: inout Timeline?, passing: Bool
    ) -> WorkTurn {
        WorkTurn(work: work, at: timeline?.next(work, passing: passing) ?? claim.dueBy, lease: claim.lease)
    }

    /// Runs the turns that are small writes, in order, and collects those that call out.
    ///
    /// - Parameter inSavepoints: whether each turn that fails is undone and settled; else the first error is thrown.
    private func share(
        _ begun: Round, _ due: [Work], _ claim: WorkTable.Claim, inSavepoints: Bool,
        _ transaction: any WriteTransaction
    ) throws -> Round {
        var round = begun
        let watched = WatchedTransaction(transaction, clock: claim.clock)
        var waiting = Array(due.reversed())
        var called: Set<String> = []
        while let work = waiting.popLast() {
            // Work of a subject that is called out for waits until that has ended.
            guard !called.contains(work.subject), round.results.count < limits.turnsPerRound else {
                try WorkTable.release(work, lease: claim.lease, in: transaction)
                continue
            }
            if round.timeline != nil, watched.hasScheduled(dueBy: work.dueAt) {
                var earlier = claim
                earlier.dueBy = work.dueAt
                waiting.append(work)
                waiting += try WorkTable.claim(earlier, in: transaction)
                waiting.sort { $1.comesBefore($0) }
                continue
            }
            let turn = Self.turn(of: work, claim, &round.timeline, passing: called.isEmpty)
            guard case .sharing(let write)? = handlers[work.kind]?.form else {
                round.calls.append(turn)
                called.insert(work.subject)
                continue
            }
            if inSavepoints {
                round.results.append(try run(turn, write, in: watched))
            } else {
                try turn.settle(try write(turn, watched), in: watched)
                round.results.append(WorkResult(turn, .done))
            }
        }
        return round
    }

    private func run(
        _ turn: WorkTurn, _ write: WorkHandler.Write, in transaction: any WriteTransaction
    ) throws -> WorkResult {
        do {
            try transaction.attempt { try turn.settle(try write(turn, transaction), in: transaction) }
            return WorkResult(turn, .done)
        } catch {
            return try settle(turn, failedWith: error, in: transaction)
        }
    }
}

// MARK: Turns that call out

extension WorkScheduler {
    private typealias Call = (turn: WorkTurn, outcome: Result<WorkOutcome, any Error>)

    private enum Step: Sendable {
        case called(Call)
        case settled([WorkResult])
    }

    /// Runs turns several at a time, and settles together those that end while others are being settled. Gives the results
    /// in the order of the turns.
    private func call(_ turns: [WorkTurn]) async throws -> [WorkResult] {
        try await withThrowingTaskGroup(of: Step.self) { group in
            var results: [WorkTurn: WorkResult] = [:]
            var ended: [Call] = []
            var isSettling = false
            var waiting = turns[...]
            for _ in 0..<max(limits.turnsAtOnce, 1) {
                guard let turn = waiting.popFirst() else { break }
                group.addTask { .called(try await self.call(turn)) }
            }
            while let step = try await group.next() {
                switch step {
                case .called(let call):
                    ended.append(call)
                    if let turn = waiting.popFirst() { group.addTask { .called(try await self.call(turn)) } }
                case .settled(let settled):
                    isSettling = false
                    for result in settled { results[result.turn] = result }
                }
                guard !isSettling, !ended.isEmpty else { continue }
                isSettling = true
                group.addTask { [ended] in .settled(try await self.settle(ended)) }
                ended = []
            }
            return turns.compactMap { results[$0] }
        }
    }

    private func call(_ turn: WorkTurn) async throws -> Call {
        do {
            switch handlers[turn.work.kind]?.form {
            case .asynchronous(let run)?: return (turn, .success(try await run(turn)))
            case .sharing(let write)?:
                try await database.write { try turn.settle(try write(turn, $0), in: $0) }
                return (turn, .success(.settled))
            case nil: throw DatabaseError(.statement, "no handler is known for work of the kind \(turn.work.kind)")
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            return (turn, .failure(error))
        }
    }

    private func settle(_ calls: [Call]) async throws -> [WorkResult] {
        guard calls.contains(where: { (try? $0.outcome.get()) != .settled }) else {
            return calls.map { WorkResult($0.turn, .done) }
        }
        return try await database.write { transaction in
            try calls.map { turn, outcome in
                switch outcome {
                case .success(.settled): WorkResult(turn, .done)
                case .success(let outcome): try self.run(turn, { _, _ in outcome }, in: transaction)
                case .failure(let error): try self.settle(turn, failedWith: error, in: transaction)
                }
            }
        }
    }

    /// Settles a turn that has failed; says what became of it.
    private func settle(
        _ turn: WorkTurn, failedWith error: any Error, in transaction: any WriteTransaction
    ) throws -> WorkResult {
        if Self.isLeaseLost(error) { return WorkResult(turn, .overtaken) }
        let message = Self.message(error)
        let handler = handlers[turn.work.kind]
        do {
            if let next = handler?.retries.next(after: turn.work.attempt + 1, at: turn.at) {
                try transaction.attempt { try WorkTable.postpone(turn, to: next, error: message, in: transaction) }
                return WorkResult(turn, .failed, message)
            }
            try transaction.attempt {
                if let giveUp = handler?.giveUp {
                    try turn.settle(try giveUp(turn, message, transaction), in: transaction)
                } else {
                    try WorkTable.bury(turn, error: message, in: transaction)
                }
            }
        } catch  where Self.isLeaseLost(error) {
            return WorkResult(turn, .overtaken)
        } catch {
            try WorkTable.bury(turn, error: Self.message("\(error); before: \(message)"), in: transaction)
        }
        return WorkResult(turn, .gaveUp, message)
    }

    private static func isLeaseLost(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.code == .leaseLost
    }

    private static func message(_ error: Any) -> String {
        String(decoding: "\(error)".utf8.prefix(WorkLimits.errorBytes), as: UTF8.self)
    }
}
