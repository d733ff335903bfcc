import StoreSQLite

/// A connection with the statements it keeps prepared. One thread uses it.
final class SQLiteSession {
    let connection: SQLiteConnection
    private let statementLimit: Int
    private var statements: [StatementName: Kept] = [:]
    private var uses = 0

    private final class Kept {
        let statement: SQLiteStatement
        var lastUse = 0
        var isLent = false

        init(_ statement: SQLiteStatement) {
            self.statement = statement
        }
    }

    init(_ opening: SQLiteOpening, _ limits: DatabaseLimits) throws {
        connection = try SQLiteConnection(opening)
        statementLimit = limits.statementsPerConnection
        try connection.setBusyTimeout(milliseconds: limits.busyMilliseconds)
    }

    /// Lends a statement for as long as `body` runs; one that is lent already is prepared anew.
    func withStatement<Result>(_ sql: SQL, _ body: (SQLiteStatement) throws -> Result) throws -> Result {
        let name = sql.name(for: .sqlite)
        let kept = try statements[name] ?? keep(connection.prepare(sql.text(for: .sqlite)), as: name)
        guard !kept.isLent else {
            let statement = try connection.prepare(sql.text(for: .sqlite))
            return try body(statement)
        }
        uses += 1
        kept.lastUse = uses
        kept.isLent = true
        defer {
            kept.statement.reset()
            kept.isLent = false
        }
        return try body(kept.statement)
    }

    private func keep(_ statement: SQLiteStatement, as name: StatementName) -> Kept {
        if statements.count >= statementLimit, let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            statements[oldest.key] = nil
        }
        let kept = Kept(statement)
        statements[name] = kept
        return kept
    }

    /// Runs a statement that neither changes rows nor gives any, such as `COMMIT`.
    func run(_ sql: SQL) throws {
        try withStatement(sql) { _ = try $0.step() }
    }
}

extension SQLiteSession {
    /// A write-ahead log that is on the disk before a commit returns; the writer leaves checkpoints to others.
    func prepareForWriting(_ limits: DatabaseLimits, isInMemory: Bool) throws {
        guard !isInMemory else { return }
        try keepPages(kibibytes: limits.writerCacheKibibytes)
        try connection.run("PRAGMA journal_mode = WAL")
        try connection.run("PRAGMA synchronous = FULL")
        // What a savepoint may need again would else be written to a temporary file: more bytes than the log itself.
        try connection.run("PRAGMA temp_store = MEMORY")
        // It was longer once, when the checkpoints could not follow.
        try connection.run("PRAGMA journal_size_limit = \(limits.logBytes)")
        connection.leaveCheckpointsToOthers()
    }

    /// Keeps so many KiB of the database's pages in memory.
    func keepPages(kibibytes: Int) throws {
        try connection.run("PRAGMA cache_size = -\(kibibytes)")
    }

    /// Applies the migrations that are missing.
    func migrate(to schema: Schema, _ limits: DatabaseLimits) throws {
        let migrator = Migrator(schema)
        while true {
            try connection.run("BEGIN IMMEDIATE")
            do {
                let transaction = SQLiteTransaction(in: self, limits, mayChange: true)
                let applied = try migrator.applyNext(in: transaction)
                try connection.run("COMMIT")
                if applied == nil { return }
            } catch {
                if !connection.isInAutocommit { try connection.run("ROLLBACK") }
                throw error
            }
        }
    }
}
