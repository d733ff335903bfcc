import CPostgres

extension String {
    /// The lines of a message, one after the other.
    var inOneLine: String {
        split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }.joined(separator: "; ")
    }
}

/// Why the server, or the way to it, refused.
struct PostgresError: Error, Hashable, Sendable {
    /// The five letters and digits by which PostgreSQL names errors; nil if the error is not the server's.
    let sqlState: String?
    /// The server's own words. They may contain values.
    let message: String
    let constraint: String?
    /// Whether the connection is gone.
    let isLost: Bool

    init(sqlState: String? = nil, message: String, constraint: String? = nil, isLost: Bool) {
        self.sqlState = sqlState
        self.message = message
        self.constraint = constraint
        self.isLost = isLost
    }

    /// The error that a result tells of.
    init(_ result: PostgresResult, isLost: Bool) {
        // An error of libpq's own has no parts.
        let whole = result.text({ UnsafePointer(PQresultErrorMessage($0)) })?.inOneLine
        self.init(
            sqlState: result.text(till_postgres_sql_state), message: result.text(till_postgres_message) ?? whole ?? "",
            constraint: result.text(till_postgres_constraint), isLost: isLost)
    }

    /// The same error of a connection that turned out to be gone.
    var lost: PostgresError {
        PostgresError(sqlState: sqlState, message: message, constraint: constraint, isLost: true)
    }
}
