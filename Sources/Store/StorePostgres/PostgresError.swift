import CPostgres
import StoreDatabase

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

extension PostgresError {
    /// The error as callers of the database see it.
    var databaseError: DatabaseError {
        let code = code
        return DatabaseError(code, description(of: code), constraint: constraint, isRetryable: isRetryable(code))
    }

    /// Whether the transaction can only be given up: it may succeed when it is run again, or never.
    var endsTransaction: Bool {
        isLost || [.serialization, .full, .inputOutput, .outOfMemory, .interrupted, .timeout].contains(code)
    }

    /// Whether the server lost sight of what was prepared, because tables were changed or sessions exchanged under it.
    var needsNewSession: Bool {
        switch sqlState {
        case "26000", "42P05": true
        case "0A000": message.contains("cached plan")
        default: false
        }
    }

    private var code: DatabaseError.Code {
        guard let sqlState else { return .unavailable }
        return Self.codes[sqlState] ?? Self.classes[String(sqlState.prefix(2))] ?? (isLost ? .unavailable : .statement)
    }

    private static let codes: [String: DatabaseError.Code] = [
        "23505": .uniqueViolation, "23503": .foreignKeyViolation, "23514": .checkViolation, "23502": .notNullViolation,
        "25006": .readOnly, "25P02": .transactionFailed, "25P03": .timeout,
        "40001": .serialization, "40P01": .serialization, "40003": .commitUnknown,
        "53100": .full, "53200": .outOfMemory, "53300": .unavailable,
        "55P03": .busy, "57014": .timeout, "54000": .full,
        "XX001": .corrupt, "XX002": .corrupt,
    ]

    /// By the first two characters.
    private static let classes: [String: DatabaseError.Code] = [
        "22": .unexpectedValue, "23": .checkViolation, "28": .unavailable, "3D": .unavailable, "53": .full,
        "57": .unavailable, "58": .inputOutput,
    ]

    private func isRetryable(_ code: DatabaseError.Code) -> Bool {
        isLost && code != .timeout
            || [.busy, .serialization, .full, .inputOutput, .outOfMemory, .unavailable].contains(code)
    }

    private func description(of code: DatabaseError.Code) -> String {
        guard let sqlState else { return "PostgreSQL cannot be reached: \(message)" }
        switch code {
        case .unexpectedValue:
            // The server's words quote the value.
            return "PostgreSQL error \(sqlState): a value is not of the type, or not in the range, that is needed"
        case .timeout where sqlState == "57014":
            return "PostgreSQL error \(sqlState): the statement took longer than it may, or was stopped at the server"
        default: return "PostgreSQL error \(sqlState): \(message)"
        }
    }
}
