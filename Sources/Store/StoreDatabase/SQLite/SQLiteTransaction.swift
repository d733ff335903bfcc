import StoreSQLite

/// What a closure is given: one run of it within a transaction of SQLite.
final class SQLiteTransaction: WriteTransaction {
    let engine = DatabaseEngine.sqlite
    let limits: DatabaseLimits

    private let session: SQLiteSession
    private let mayChange: Bool
    /// The first error of a statement, from which on nothing more is done.
    private(set) var failure: DatabaseError?
    /// Whether the error has ended, or may have ended, the transaction that the closure shares with others.
    private(set) var endsBatch = false
    private(set) var signals: [Signal] = []
    private var isOver = false

    init(in session: SQLiteSession, _ limits: DatabaseLimits, mayChange: Bool) {
        self.session = session
        self.limits = limits
        self.mayChange = mayChange
    }

    /// Makes every later use of the transaction fail, in case the closure has kept it.
    func end() { isOver = true }

    func forEachRow(_ sql: SQL, binding values: [DatabaseValue], _ body: (Row) throws -> Void) throws {
        try withStatement(sql, values) { statement in
            let row = Row(SQLiteRow(statement))
            while try guarded({ try statement.step() }) { try body(row) }
        }
    }

    /// The whole database, as a file of it would be.
    func contents() throws -> [UInt8] {
        try requireUsable()
        return try guarded { try session.connection.contents() }
    }

    @discardableResult
    func execute(_ sql: SQL, binding values: [DatabaseValue]) throws -> Int {
        try withStatement(sql, values) { statement in
            while try guarded({ try statement.step() }) {}
            return session.connection.changes
        }
    }

    func attempt<Result>(_ body: () throws -> Result) throws -> Result {
        try requireUsable()
        try guarded { try session.run("SAVEPOINT till_attempt") }
        let signalCount = signals.count
        do {
            let result = try body()
            if let failure { throw failure }
            try guarded { try session.run("RELEASE till_attempt") }
            return result
        } catch {
            guard !endsBatch else { throw error }
            failure = nil
            signals.removeSubrange(signalCount...)
            try guarded {
                try session.run("ROLLBACK TO till_attempt")
                try session.run("RELEASE till_attempt")
            }
            throw error
        }
    }

    func signal(_ signal: Signal) throws {
        try requireUsable()
        guard (signal.subject ?? "").utf8.count <= Signal.subjectBytes else {
            throw DatabaseError(.unexpectedValue, "the subject of a signal has at most \(Signal.subjectBytes) bytes")
        }
        signals.append(signal)
    }

    private func withStatement<Result>(
        _ sql: SQL, _ values: [DatabaseValue], _ body: (SQLiteStatement) throws -> Result
    ) throws -> Result {
        try requireUsable()
        for value in values { try value.check(limits) }
        do {
            return try session.withStatement(sql) { statement in
                guard mayChange || statement.isReadOnly else {
                    throw note(DatabaseError(.readOnly, "a read transaction changes nothing"))
                }
                try guarded { try statement.bindAll(values) }
                return try body(statement)
            }
        } catch let error as SQLiteError {
            // The statement could not be prepared; every other error has been noted.
            throw note(error)
        }
    }

    private func requireUsable() throws {
        guard !isOver else { throw DatabaseError(.closed, "the transaction is over") }
        if let failure {
            throw DatabaseError(
                .transactionFailed, "a statement of this transaction has failed before: \(failure.message)",
                isRetryable: failure.isRetryable)
        }
    }

    private func guarded<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw note(error)
        }
    }

    private func note(_ error: SQLiteError) -> DatabaseError {
        endsBatch = endsBatch || error.mayEndTransaction || session.connection.isInAutocommit
        return note(DatabaseError(error, on: session.connection))
    }

    private func note(_ error: DatabaseError) -> DatabaseError {
        failure = failure ?? error
        return error
    }
}

/// The row that a statement stands on.
final class SQLiteRow: RowSource {
    private let statement: SQLiteStatement

    init(_ statement: SQLiteStatement) {
        self.statement = statement
    }

    var columnCount: Int { statement.columnCount }

    func databaseValue(at column: Int) throws -> DatabaseValue {
        switch statement.value(at: column) {
        case .null: return .null
        case .integer(let number): return .integer(number)
        case .text(let text): return .text(text)
        case .bytes(let bytes): return .bytes(bytes)
        case nil:
            throw DatabaseError(.unexpectedValue, "it holds a floating-point number, which no value of ours is")
        }
    }

    func holds(_ text: String, at column: Int) -> Bool { statement.holds(text, at: column) }
}

extension SQLiteStatement {
    /// Gives every parameter its value; `$1` is the first.
    func bindAll(_ values: [DatabaseValue]) throws {
        try requireParameters(values.count)
        for (index, value) in values.enumerated() {
            switch value {
            case .null: try bind(.null, to: index)
            case .integer(let number): try bind(.integer(number), to: index)
            case .text(let text): try bind(.text(text), to: index)
            case .bytes(let bytes): try bind(.bytes(bytes), to: index)
            }
        }
    }
}
