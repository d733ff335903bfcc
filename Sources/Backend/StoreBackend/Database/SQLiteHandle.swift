import CSQLite
import StoreSQLite

/// The adapter for a SQLite handle of the developer's own.
///
/// The handle stays the developer's: it is not closed here, and must not be closed while this is in use.
public final class SQLiteHandle: BackendConnection {
    private let connection: SQLiteConnection
    private var statements: [String: SQLiteStatement] = [:]
    /// How many statements stay prepared.
    private static let statementLimit = 200

    /// Wraps a `sqlite3 *`.
    public convenience init(_ handle: OpaquePointer) {
        self.init(SQLiteConnection(borrowing: handle))
    }

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    public var dialect: SQLDialect { .sqlite }

    public var isInTransaction: Bool { !connection.isInAutocommit }

    @discardableResult
    public func run(_ statement: String, _ values: [SQLValue]) throws -> [SQLRow] {
        do {
            return try rows(of: prepared(statement), values)
        } catch let error as SQLiteError {
            throw BackendError(Self.code(of: error, isCommit: statement.isCommit), "SQLite says: \(error)")
        }
    }

    private static func code(of error: SQLiteError, isCommit: Bool) -> BackendError.Code {
        switch error.primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED: .databaseBusy
        case SQLITE_CONSTRAINT: .database
        // What the disk has of it may be found when the file is opened after a crash.
        default: isCommit ? .outcomeUnknown : .database
        }
    }

    private func prepared(_ text: String) throws -> SQLiteStatement {
        if let statement = statements[text] { return statement }
        if statements.count >= Self.statementLimit { statements.removeAll() }
        let statement = try connection.prepare(text)
        statements[text] = statement
        return statement
    }

    private func rows(of statement: SQLiteStatement, _ values: [SQLValue]) throws -> [SQLRow] {
        defer { statement.reset() }
        try statement.bind(values.map(\.sqlite))
        var rows: [SQLRow] = []
        while try statement.step() {
            rows.append(
                try SQLRow(
                    (0..<statement.columnCount).map { column in
                        guard let value = statement.value(at: column) else {
                            throw BackendError(.database, "Column \(column) of a row holds a fraction.")
                        }
                        return SQLValue(value)
                    }))
        }
        return rows
    }
}

extension SQLValue {
    fileprivate init(_ value: SQLiteValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .text(let text): self = .text(text)
        case .bytes(let bytes): self = .bytes(bytes)
        }
    }

    fileprivate var sqlite: SQLiteValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .text(let text): .text(text)
        case .bytes(let bytes): .bytes(bytes)
        }
    }
}
