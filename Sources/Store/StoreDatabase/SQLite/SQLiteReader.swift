import StoreSQLite

/// What a reading thread does: one closure after another, each on one state of the database.
final class SQLiteReader {
    private let session: SQLiteSession
    private let limits: DatabaseLimits

    init(_ session: SQLiteSession, _ limits: DatabaseLimits) {
        self.session = session
        self.limits = limits
    }

    /// Opens a connection of its own to a file that is there.
    convenience init(reading path: String, _ limits: DatabaseLimits) throws {
        let session = try SQLiteSession(.existing(path), limits)
        try session.keepPages(kibibytes: limits.readerCacheKibibytes)
        self.init(session, limits)
    }

    func work(on queue: JobQueue<TransactionJob>) {
        while let job = queue.next() { process(job) }
    }

    func process(_ job: TransactionJob) {
        do {
            try withTransaction { transaction in
                job.run(in: transaction)
                if let failure = transaction.failure, job.failure == nil { job.fail(failure) }
            }
        } catch {
            return job.refuse(error)
        }
        job.conclude()
    }

    /// Reads at once, on the thread that calls.
    func read<Output>(_ body: (any ReadTransaction) throws -> Output) throws -> Output {
        try withTransaction { transaction in Result { try Self.run(body, transaction, in: transaction) } }.get()
    }

    /// The same with one statement, which SQLite makes a transaction of its own.
    func readOnce<Output>(_ body: (any ReadTransaction) throws -> Output) throws -> Output {
        let transaction = SQLiteTransaction(in: session, limits, mayChange: false)
        defer { transaction.end() }
        return try Self.run(body, SingleStatement(in: transaction), in: transaction)
    }

    private static func run<Output>(
        _ body: (any ReadTransaction) throws -> Output, _ given: any ReadTransaction, in transaction: SQLiteTransaction
    ) throws -> Output {
        let output = try body(given)
        if let failure = transaction.failure { throw failure }
        return output
    }

    private func withTransaction<Output>(_ body: (SQLiteTransaction) -> Output) throws -> Output {
        let transaction = SQLiteTransaction(in: session, limits, mayChange: false)
        defer { transaction.end() }
        do {
            try session.run("BEGIN")
            let output = body(transaction)
            if !session.connection.isInAutocommit { try session.run("COMMIT") }
            return output
        } catch {
            if !session.connection.isInAutocommit { try? session.run("ROLLBACK") }
            throw (error as? SQLiteError).map { DatabaseError($0, on: session.connection) } ?? error
        }
    }
}
