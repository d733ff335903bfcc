import StoreSQLite

/// A connection with the statements it keeps prepared. One thread uses it.
final class SQLiteSession {
    let connection: SQLiteConnection
    private let statementLimit: Int
    private var statements: [StatementName: Kept] = [:]
    private var uses = 0

    private struct Kept {
        let statement: SQLiteStatement
        var lastUse: Int
    }

    init(_ opening: SQLiteOpening, _ limits: DatabaseLimits) throws {
        connection = try SQLiteConnection(opening)
        statementLimit = limits.statementsPerConnection
        try connection.setBusyTimeout(milliseconds: limits.busyMilliseconds)
    }

    /// Lends a statement for as long as `body` runs; one that is lent already is prepared anew.
    func withStatement<Result>(_ sql: SQL, _ body: (SQLiteStatement) throws -> Result) throws -> Result {
        let name = sql.name(for: .sqlite)
        let statement =
            try statements.removeValue(forKey: name)?.statement ?? connection.prepare(sql.text(for: .sqlite))
        defer {
            statement.reset()
            keep(statement, as: name)
        }
        return try body(statement)
    }

    private func keep(_ statement: SQLiteStatement, as name: StatementName) {
        uses += 1
        if statements.count >= statementLimit, let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            statements[oldest.key] = nil
        }
        statements[name] = Kept(statement: statement, lastUse: uses)
    }

    /// Runs a statement that neither changes rows nor gives any, such as `COMMIT`.
    func run(_ sql: SQL) throws {
        try withStatement(sql) { _ = try $0.step() }
    }
}
