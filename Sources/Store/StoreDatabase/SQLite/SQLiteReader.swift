import StoreSQLite

/// What a reading thread does: one closure after another, each on one state of the database.
final class SQLiteReader {
    private let session: SQLiteSession
    private let limits: DatabaseLimits

    init(_ session: SQLiteSession, _ limits: DatabaseLimits) {
        self.session = session
        self.limits = limits
    }

    func work(on queue: JobQueue<TransactionJob>) {
        while let job = queue.next() { process(job) }
    }

    func process(_ job: TransactionJob) {
        let transaction = SQLiteTransaction(in: session, limits, mayChange: false)
        do {
            try session.run("BEGIN")
            job.run(in: transaction)
            transaction.end()
            if let failure = transaction.failure, job.failure == nil { job.fail(failure) }
            if !session.connection.isInAutocommit { try session.run("COMMIT") }
        } catch {
            transaction.end()
            if !session.connection.isInAutocommit { try? session.run("ROLLBACK") }
            let failure = (error as? SQLiteError).map { DatabaseError($0, on: session.connection) } ?? error
            return job.refuse(failure)
        }
        job.conclude()
    }
}
