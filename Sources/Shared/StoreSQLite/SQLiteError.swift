import CSQLite

/// Why SQLite refused: its extended result code and its own words.
///
/// The message names tables, columns and constraints, never values: SQLite puts none into its messages.
package struct SQLiteError: Error, Hashable, Sendable {
    /// The extended result code, such as 2067 for a broken unique constraint.
    package let code: Int32
    /// One sentence, safe to log.
    package let message: String

    package init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// The error that a connection has just met.
    init(code: Int32, on connection: OpaquePointer?) {
        let text = connection.flatMap(sqlite3_errmsg).map { String(cString: $0) }
        self.init(code: code, message: text ?? String(cString: sqlite3_errstr(code)))
    }

    /// The code without what extends it: SQLITE_CONSTRAINT for every kind of constraint.
    package var primaryCode: Int32 { code & 0xFF }
}

extension SQLiteError: CustomStringConvertible {
    package var description: String { "SQLite error \(code): \(message)" }
}
