import StoreSQLite

/// Runs closures on one connection, many in one transaction of SQLite, each in a savepoint of its own.
///
/// What a closure returned or threw is told only after the commit: an error of its own may rest on what another closure
/// of the same transaction did, so it stands only if that does.
final class GroupCommit {
    private let session: SQLiteSession
    private let limits: DatabaseLimits
    private let publish: ([Signal]) -> Void
    private var commitMark = 0

    init(_ session: SQLiteSession, _ limits: DatabaseLimits, publish: @escaping ([Signal]) -> Void) {
        self.session = session
        self.limits = limits
        self.publish = publish
    }

    /// What became of one run of a closure.
    private enum Run {
        case stands([Signal])
        /// Its changes are undone, those of the others stand.
        case failed
        /// The transaction is over, with the changes of all.
        case endedBatch(any Error)
    }

    /// Runs a job, and those that arrive meanwhile, in one transaction. If it breaks, each runs once more, alone.
    func process(_ first: TransactionJob, more: () -> TransactionJob?) {
        do {
            try session.run("BEGIN IMMEDIATE")
        } catch {
            return first.refuse(translated(error))
        }
        var done: [TransactionJob] = []
        var signals: [Signal] = []
        var next: TransactionJob? = first
        while let job = next {
            switch run(job) {
            case .stands(let new): signals += new
            case .failed: break
            case .endedBatch(let error):
                rollBack()
                job.refuse(error)
                return processAlone(done, afterFailedCommit: false)
            }
            done.append(job)
            next = done.count < limits.writesPerCommit ? more() : nil
        }
        guard commit() == nil else { return processAlone(done, afterFailedCommit: true) }
        publish(signals)
        for job in done { job.conclude() }
    }

    private func processAlone(_ jobs: [TransactionJob], afterFailedCommit: Bool) {
        for job in jobs { processAlone(job, afterFailedCommit: afterFailedCommit) }
    }

    /// Gives a job its second and last run.
    private func processAlone(_ job: TransactionJob, afterFailedCommit: Bool) {
        do {
            try session.run("BEGIN IMMEDIATE")
        } catch {
            return job.refuse(afterFailedCommit ? commitFailure(error) : translated(error))
        }
        switch run(job) {
        case .endedBatch(let error):
            rollBack()
            job.refuse(afterFailedCommit ? commitFailure(error) : error)
        case .failed:
            rollBack()
            // What the first run did must not come back when the job says that it did nothing.
            if afterFailedCommit, let error = overwriteFailedCommit() { return job.refuse(commitFailure(error)) }
            job.conclude()
        case .stands(let signals):
            if let error = commit() { return job.refuse(commitFailure(error)) }
            publish(signals)
            job.conclude()
        }
    }

    /// Makes the open transaction durable, or ends it; gives the error.
    private func commit() -> (any Error)? {
        do {
            try session.run("COMMIT")
            return nil
        } catch {
            rollBack()
            return error
        }
    }

    /// Puts something else where a failed commit has left its pages in the log.
    ///
    /// If the log was written but not synchronised, SQLite reports a failure and forgets the pages. They are whole,
    /// though, so that after a crash they would count. Any other commit overwrites them.
    private func overwriteFailedCommit() -> (any Error)? {
        do {
            try session.run("BEGIN IMMEDIATE")
            commitMark += 1
            try session.connection.run("PRAGMA user_version = \(commitMark % 1000)")
        } catch {
            rollBack()
            return error
        }
        return commit()
    }

    private func run(_ job: TransactionJob) -> Run {
        let transaction = SQLiteTransaction(in: session, limits, mayChange: true)
        do {
            try session.run("SAVEPOINT till_write")
            job.run(in: transaction)
            transaction.end()
            if transaction.endsBatch || session.connection.isInAutocommit {
                return .endedBatch(transaction.failure ?? Self.endedByItself)
            }
            if let failure = transaction.failure, job.failure == nil { job.fail(failure) }
            if job.failure == nil, session.connection.hasUnresolvedForeignKeys { job.fail(Self.unresolvedForeignKey) }
            if job.failure != nil { try session.run("ROLLBACK TO till_write") }
            try session.run("RELEASE till_write")
        } catch {
            transaction.end()
            return .endedBatch(translated(error))
        }
        return job.failure == nil ? .stands(transaction.signals) : .failed
    }

    /// Ends the transaction if SQLite has not done so itself. There is nothing to be done if even that fails: the next
    /// one cannot begin then, and says so.
    private func rollBack() {
        if !session.connection.isInAutocommit { try? session.run("ROLLBACK") }
    }

    private func translated(_ error: any Error) -> any Error {
        (error as? SQLiteError).map { DatabaseError($0, on: session.connection) } ?? error
    }

    private func commitFailure(_ error: any Error) -> any Error {
        DatabaseError(.commitFailed, "the changes could not be made durable: \(error)", isRetryable: true)
    }

    private static let endedByItself = DatabaseError(.statement, "a closure must not end its transaction itself")
    private static let unresolvedForeignKey = DatabaseError(
        .foreignKeyViolation, "rows of the transaction point to rows that are not there")
}
