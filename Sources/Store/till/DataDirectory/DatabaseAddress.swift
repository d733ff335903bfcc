import CommandOptions

/// Which engine keeps the store, and where it is.
enum DatabaseAddress: Hashable, Sendable {
    /// Files in the data directory.
    case sqlite
    /// A server, by its connection URL, which may hold a password.
    case postgres(String)

    init?(_ text: String) {
        if text == "sqlite" {
            self = .sqlite
        } else if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") {
            self = .postgres(text)
        } else {
            return nil
        }
    }

    /// The name of the engine; nothing secret.
    var engine: String {
        switch self {
        case .sqlite: "SQLite"
        case .postgres: "PostgreSQL"
        }
    }
}

/// The options of every command that opens the databases.
enum DatabaseOptions {
    static let database = Option<DatabaseAddress>.defaulted(
        "database",
        // The text may hold a password.
        ValueFormat(
            "URL", rule: "the word sqlite, or the postgresql:// URL of a database", isSecret: true,
            describe: { $0 == .sqlite ? "sqlite" : "postgresql://…" }, parse: { DatabaseAddress($0) }),
        to: .sqlite, environment: "TILL_DATABASE",
        help: "Where the databases are: files in the data directory, or a PostgreSQL server.")
}
