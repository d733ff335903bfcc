import Foundation
import StoreDatabase
import StoreFoundation

/// What a thread of the pool does: one closure after another, each in a transaction of its own, on its own connection.
final class PostgresWorker {
    private let source: PostgresSource
    private let gate: TransactionGate
    private let random: () -> UInt64
    private var session: PostgresSession?

    /// Writers of one database share a gate.
    init(_ source: PostgresSource, _ gate: TransactionGate, random: @escaping @Sendable () -> UInt64) {
        (self.source, self.gate, self.random) = (source, gate, random)
    }

    /// What became of one run of a closure.
    private enum Run {
        /// The task may go on with what the closure returned or threw.
        case concluded
        case refused(any Error)
        /// The transaction changed nothing, and may succeed if it runs again.
        case again(DatabaseError, Attempts.Cause)
        /// The answer to the commit was lost.
        case unanswered(DatabaseError, TransactionMark)
    }

    func work(on queue: JobQueue<TransactionJob>) {
        while let job = queue.next() { process(job) }
        session = nil
    }

    private func process(_ job: TransactionJob) {
        var attempts = Attempts(job.isolation, source.limits, source.databaseLimits, newPause())
        while true {
            var run = runOnce(job, alone: attempts.shouldBeAlone)
            if case .unanswered(let error, let mark) = run { run = inquire(error, mark) }
            switch run {
            case .concluded: return job.conclude()
            case .refused(let error): return job.refuse(error)
            case .again(let error, let cause):
                guard let milliseconds = attempts.millisecondsBeforeNext(after: cause) else {
                    return cause == .duplicate ? job.conclude() : job.refuse(error)
                }
                if milliseconds > 0, source.abandon.wait(milliseconds: milliseconds) { return job.refuse(error) }
            case .unanswered: return job.refuse(Self.unknown)
            }
        }
    }

    private func newPause() -> Pause {
        Pause(longest: source.limits.pauseMilliseconds, random: random)
    }

    private func runOnce(_ job: TransactionJob, alone: Bool) -> Run {
        let session: PostgresSession
        do {
            session = try self.session ?? source.session()
            self.session = session
        } catch {
            return failed(error)
        }
        if job.changes { gate.enter(alone: alone) }
        defer { if job.changes { gate.leave(alone: alone) } }
        let begin: PostgresResult
        do {
            begin = try session.connection.run(source.beginning(job.isolation))
        } catch {
            self.session = nil
            return failed(error)
        }
        let transaction = PostgresTransaction(in: session, source.databaseLimits, channel: source.schemaName)
        job.run(in: transaction)
        transaction.close()
        if let failure = transaction.failure, job.failure == nil { job.fail(failure) }
        if let end = transaction.end { return ended(by: end, transaction.failure ?? end.databaseError, session) }
        guard job.failure == nil else { return undo(job, session, transaction.failure) }
        return commit(session, TransactionMark(begin))
    }

    /// What an error means that came before the closure ran.
    private func failed(_ error: any Error) -> Run {
        guard let error = error as? PostgresError else { return .refused(error) }
        return error.isLost ? .again(error.databaseError, .connection) : .refused(error.databaseError)
    }

    /// After an error with which the transaction could not go on.
    private func ended(by end: PostgresError, _ error: DatabaseError, _ session: PostgresSession) -> Run {
        if end.isLost || end.needsNewSession || !rollBack(session) { self.session = nil }
        if session.connection.wasAbandoned { return .refused(error) }
        switch error.code {
        case .serialization: return .again(error, .conflict)
        case .timeout: return .refused(error)
        default: return end.isLost || end.needsNewSession ? .again(error, .connection) : .refused(error)
        }
    }

    /// After the closure threw, or hid that a statement had failed.
    private func undo(_ job: TransactionJob, _ session: PostgresSession, _ failure: DatabaseError?) -> Run {
        if !rollBack(session) { self.session = nil }
        if let conflict = job.failure as? DatabaseError, conflict.code == .serialization, job.changes {
            return .again(conflict, .conflict)
        }
        switch failure?.code {
        // It may be the other's row that this transaction could not see yet.
        case .uniqueViolation?: return .again(failure ?? Self.endedByItself, .duplicate)
        // A server that became a standby is no longer the right one.
        case .readOnly? where job.changes: self.session = nil
        default: break
        }
        return .concluded
    }

    /// False if the connection cannot be used any more.
    private func rollBack(_ session: PostgresSession) -> Bool {
        do {
            try session.connection.run("ROLLBACK")
            return session.connection.isIdle
        } catch {
            return false
        }
    }

    private func commit(_ session: PostgresSession, _ mark: TransactionMark?) -> Run {
        do {
            let answer = try session.connection.run("COMMIT")
            guard answer.commandTag == "COMMIT", session.connection.isIdle else {
                self.session = nil
                return .refused(Self.endedByItself)
            }
            return .concluded
        } catch let error as PostgresError {
            return commitFailed(error, session, mark)
        } catch {
            return .refused(error)
        }
    }

    private func commitFailed(_ error: PostgresError, _ session: PostgresSession, _ mark: TransactionMark?) -> Run {
        guard error.isLost else {
            // The server has said that nothing was changed.
            if !session.connection.isIdle { self.session = nil }
            let failure = error.databaseError
            return failure.code == .serialization ? .again(failure, .conflict) : .refused(failure)
        }
        self.session = nil
        // A transaction that only reads has nothing to lose.
        return mark.map { .unanswered(error.databaseError, $0) } ?? .again(error.databaseError, .connection)
    }

    /// Finds out what came of a commit whose answer was lost.
    private func inquire(_ error: DatabaseError, _ mark: TransactionMark) -> Run {
        let (finding, session) = CommitInquiry(source: source, mark: mark).find(pause: newPause())
        self.session = session
        switch finding {
        case .committed: return .concluded
        case .undone: return .again(error, .connection)
        case .unknown: return .refused(Self.unknown)
        }
    }

    private static let endedByItself = DatabaseError(.statement, "a closure must not end its transaction itself")
    private static let unknown = DatabaseError(
        .commitUnknown,
        "the connection to PostgreSQL broke during a commit, and the server cannot tell what came of it; look whether the "
            + "changes are there before making them again")
}

/// How often one closure may be begun again, and how soon.
struct Attempts {
    /// Why a closure is begun again.
    enum Cause {
        case connection
        /// Others were in the way.
        case conflict
        /// There is such a row already, which the transaction may not have been able to see.
        case duplicate
    }

    private var remaining: [Cause: Int]
    private var pause: Pause
    private var conflicts = 0

    init(_ isolation: TransactionIsolation?, _ limits: PostgresLimits, _ databaseLimits: DatabaseLimits, _ pause: Pause)
    {
        remaining = [
            .connection: limits.connectionAttempts - 1, .conflict: databaseLimits.serializationAttempts - 1,
            .duplicate: isolation == .serializable || isolation == .snapshot ? 1 : 0,
        ]
        self.pause = pause
    }

    /// Whether the closure has been in conflict so often that it should be alone.
    var shouldBeAlone: Bool { conflicts >= Self.conflictsAmongOthers }

    /// How long to wait before the next attempt; nil if there is to be none.
    mutating func millisecondsBeforeNext(after cause: Cause) -> Int? {
        guard remaining[cause, default: 0] > 0 else { return nil }
        remaining[cause, default: 0] -= 1
        if cause == .conflict { conflicts += 1 }
        return cause == .duplicate || shouldBeAlone ? 0 : pause.nextMilliseconds()
    }

    private static let conflictsAmongOthers = 3
}

/// The pauses before something is tried again: longer each time, and of random length, so that those who were in each
/// other's way do not meet again.
struct Pause {
    private let longest: Int
    private let random: () -> UInt64
    private var bound = 1

    /// Pauses that begin below two milliseconds.
    init(longest: Int, random: @escaping () -> UInt64) {
        self.longest = longest
        self.random = random
    }

    /// How long to wait this time.
    mutating func nextMilliseconds() -> Int {
        bound = min(bound * 2, max(longest, 1))
        return Int(random() % UInt64(bound)) + 1
    }
}

/// Lets writing transactions of this process in, many at a time, or one that must be alone.
///
/// Transactions that PostgreSQL cannot serialise may get into each other's way again and again. One that has failed often
/// runs alone, so that it ends whatever the others do.
// Safe: the counts are read and written only while the condition's lock is held.
final class TransactionGate: @unchecked Sendable {
    private let condition = NSCondition()
    private var inside = 0
    private var waitingAlone = 0
    private var isTakenAlone = false

    /// Waits until the transaction may begin.
    func enter(alone: Bool) {
        condition.lock()
        defer { condition.unlock() }
        if alone {
            waitingAlone += 1
            while inside > 0 || isTakenAlone { condition.wait() }
            waitingAlone -= 1
            isTakenAlone = true
        } else {
            while waitingAlone > 0 || isTakenAlone { condition.wait() }
            inside += 1
        }
    }

    func leave(alone: Bool) {
        condition.lock()
        defer { condition.unlock() }
        if alone { isTakenAlone = false } else { inside -= 1 }
        if alone || waitingAlone > 0 { condition.broadcast() }
    }
}
