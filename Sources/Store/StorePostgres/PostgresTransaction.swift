import StoreDatabase

/// What a closure is given: one run of it in a transaction of PostgreSQL.
final class PostgresTransaction: WriteTransaction {
    let engine = DatabaseEngine.postgres
    let limits: DatabaseLimits

    private let session: PostgresSession
    private let channel: String
    /// The first error of a statement, from which on nothing more is done.
    private(set) var failure: DatabaseError?
    /// The error that has ended the transaction for good, whatever the closure made of it.
    private(set) var end: PostgresError?
    private var isOver = false

    init(in session: PostgresSession, _ limits: DatabaseLimits, channel: String) {
        self.session = session
        self.limits = limits
        self.channel = channel
    }

    /// Makes every later use of the transaction fail, in case the closure has kept it.
    func close() { isOver = true }

    func forEachRow(_ sql: SQL, binding values: [DatabaseValue], _ body: (Row) throws -> Void) throws {
        let result = try run(sql, values)
        let row = PostgresRow(result)
        for index in 0..<result.rowCount {
            row.index = index
            try body(Row(row))
        }
    }

    @discardableResult
    func execute(_ sql: SQL, binding values: [DatabaseValue]) throws -> Int {
        try run(sql, values).changedRowCount
    }

    func attempt<Result>(_ body: () throws -> Result) throws -> Result {
        try requireUsable()
        try guarded { try session.connection.run("SAVEPOINT till_attempt") }
        do {
            let result = try body()
            if let failure { throw failure }
            try guarded { try session.connection.run("RELEASE SAVEPOINT till_attempt") }
            return result
        } catch {
            guard end == nil else { throw error }
            failure = nil
            try guarded {
                try session.connection.run("ROLLBACK TO SAVEPOINT till_attempt; RELEASE SAVEPOINT till_attempt")
            }
            throw error
        }
    }

    func signal(_ signal: Signal) throws {
        guard (signal.subject ?? "").utf8.count <= Signal.subjectBytes else {
            throw DatabaseError(.unexpectedValue, "the subject of a signal has at most \(Signal.subjectBytes) bytes")
        }
        _ = try run("SELECT pg_notify($1, $2)", [.text(channel), .text(signal.payload)])
    }

    private func run(_ sql: SQL, _ values: [DatabaseValue]) throws -> PostgresResult {
        try requireUsable()
        for value in values { try value.check(limits) }
        let result = try guarded { try session.run(sql, values) }
        guard session.connection.isInTransaction else {
            throw note(DatabaseError(.statement, "a closure must not end its transaction itself"))
        }
        return result
    }

    private func requireUsable() throws {
        guard !isOver else { throw DatabaseError(.closed, "the transaction is over") }
        if let failure {
            throw DatabaseError(
                .transactionFailed, "a statement of this transaction has failed before: \(failure.message)",
                isRetryable: failure.isRetryable)
        }
    }

    @discardableResult
    private func guarded<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as PostgresError {
            if error.endsTransaction || error.needsNewSession { end = end ?? error }
            throw note(session.connection.wasAbandoned ? Self.interrupted : error.databaseError)
        } catch let error as DatabaseError {
            throw note(error)
        }
    }

    private func note(_ error: DatabaseError) -> DatabaseError {
        failure = failure ?? error
        return error
    }

    private static let interrupted = DatabaseError(
        .interrupted, "the statement was stopped because the database is being closed", isRetryable: true)
}
