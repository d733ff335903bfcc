import StoreDatabase
import StoreFoundation

/// Makes connections that are ready for use.
struct PostgresSource: Sendable {
    let address: PostgresAddress
    /// The name of the schema, which is known to need no escapes.
    let schemaName: String
    let isPooled: Bool
    let limits: PostgresLimits
    let databaseLimits: DatabaseLimits
    let abandon: Waker

    /// Connects and sets the session up.
    func session(to address: PostgresAddress? = nil) throws -> PostgresSession {
        let connection = try PostgresConnection(to: completed(address ?? self.address), abandon: abandon)
        connection.silenceMilliseconds = limits.statementMilliseconds + limits.silenceMilliseconds
        guard connection.serverVersion >= Self.oldestVersion else {
            throw DatabaseError(.unavailable, "the server is older than PostgreSQL 13")
        }
        guard connection.serverParameter("server_encoding") == "UTF8" else {
            throw DatabaseError(.unavailable, "the encoding of the database is not UTF8; make it with ENCODING 'UTF8'")
        }
        if !isPooled { try connection.run(settings(local: false)) }
        return PostgresSession(connection, prepares: !isPooled, databaseLimits)
    }

    /// The statements that begin a transaction. Their last answer is a ``TransactionMark``.
    func beginning(_ isolation: TransactionIsolation?) -> String {
        let begin =
            switch isolation {
            case nil: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .readCommitted?: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
            case .snapshot?: "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE"
            default: "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"
            }
        let settings = isPooled ? "; " + settings(local: true) : ""
        return begin + settings + (isolation == nil ? "" : "; " + TransactionMark.query)
    }

    /// What a session must know. The schema for temporary tables comes last, so that none hides ours.
    private func settings(local: Bool) -> String {
        let set = local ? "SET LOCAL" : "SET"
        return """
            \(set) search_path TO "\(schemaName)", pg_temp;
            \(set) standard_conforming_strings TO on;
            \(set) client_min_messages TO warning;
            \(set) statement_timeout TO \(limits.statementMilliseconds);
            \(set) lock_timeout TO \(databaseLimits.busyMilliseconds);
            \(set) idle_in_transaction_session_timeout TO \(limits.idleInTransactionMilliseconds);
            SELECT set_config('synchronous_commit', 'on', \(local))
                WHERE current_setting('synchronous_commit') = 'off'
            """
    }

    private func completed(_ address: PostgresAddress) -> PostgresAddress {
        let silence = (limits.statementMilliseconds + limits.silenceMilliseconds)
        return
            address
            .defaulting("connect_timeout", to: "\(max(limits.connectSeconds, 2))")
            .defaulting("application_name", to: "till \(schemaName)")
            // A server that went away without a word is noticed by the operating system.
            .defaulting("tcp_user_timeout", to: "\(silence)")
            .defaulting("keepalives_idle", to: "30").defaulting("keepalives_interval", to: "10")
            .defaulting("keepalives_count", to: "3")
            .setting("client_encoding", to: "UTF8")
    }

    private static let oldestVersion = 130_000
}

extension PostgresSource {
    /// Throws if the schema has a name that would need escapes.
    init(_ settings: PostgresSettings, _ schema: Schema, _ limits: DatabaseLimits) throws {
        let name = settings.schemaName ?? schema.name
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let others = Array("0123456789_".utf8)
        guard let first = name.utf8.first, letters.contains(first), name.utf8.count <= Self.nameBytes,
            name.utf8.allSatisfy({ letters.contains($0) || others.contains($0) }), !name.hasPrefix("pg_")
        else {
            throw DatabaseError(
                .schema,
                "a schema's name has at most \(Self.nameBytes) small letters, digits and underscores, begins with a letter "
                    + "and not with pg_")
        }
        self.init(
            address: settings.address, schemaName: name, isPooled: settings.isPooled, limits: settings.limits,
            databaseLimits: limits, abandon: Waker())
    }

    /// Where to listen: at the server itself, not at a pooler before it.
    func listening(to address: PostgresAddress?) -> PostgresSource {
        PostgresSource(
            address: address ?? self.address, schemaName: schemaName, isPooled: false, limits: limits,
            databaseLimits: databaseLimits, abandon: abandon)
    }

    private static let nameBytes = 48
}
