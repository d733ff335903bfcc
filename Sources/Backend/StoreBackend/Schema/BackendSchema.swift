import StoreModel

/// A step in which tables are made. A released step is never changed: what comes later is a step of its own.
struct SchemaStep: Sendable {
    /// What the database remembers it by.
    let name: String
    /// Its statements. Each may run where a part of them has run before.
    let statements: @Sendable (SQLDialect) -> [String]
}

/// The tables of a backend.
enum BackendSchema {
    static let steps: [SchemaStep] = [
        users, products, purchases, balances, fulfilments, content, audit, SubscriptionTable.schema,
        NotificationTable.schema, ProductTable.former, AuditTable.ofTransactions,
    ]

    /// Whoever makes tables in PostgreSQL holds this lock, so that two servers may start at once.
    private static let lock: Int64 = 0x7469_6C6C_6261_636B

    /// Makes the tables that are missing.
    static func prepare(_ connection: any BackendConnection, steps: [SchemaStep] = steps, at now: Instant) throws {
        if connection.dialect == .postgres {
            try connection.run("SELECT pg_advisory_xact_lock($1)", [.integer(lock)])
        }
        try connection.run(
            "CREATE TABLE IF NOT EXISTS backend_schema (step TEXT PRIMARY KEY, made_at BIGINT NOT NULL)")
        let done = Set(try connection.run("SELECT step FROM backend_schema").map { try $0.requiredText(0) })
        for step in steps where !done.contains(step.name) {
            for statement in step.statements(connection.dialect) { try connection.run(statement) }
            try connection.run(
                "INSERT INTO backend_schema (step, made_at) VALUES ($1, $2) ON CONFLICT (step) DO NOTHING",
                [.text(step.name), SQLValue(now)])
        }
    }

    private static let users = SchemaStep(name: "users") { _ in
        [
            """
            CREATE TABLE IF NOT EXISTS backend_user (
              id TEXT PRIMARY KEY, name TEXT NOT NULL, folded_name TEXT NOT NULL UNIQUE, password TEXT NOT NULL,
              created_at BIGINT NOT NULL)
            """,
            """
            CREATE TABLE IF NOT EXISTS backend_session (
              token_digest TEXT PRIMARY KEY, user_id TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)
            """,
            "CREATE INDEX IF NOT EXISTS backend_session_of_user ON backend_session (user_id, created_at)",
            """
            CREATE TABLE IF NOT EXISTS backend_guess (
              subject TEXT PRIMARY KEY, guesses BIGINT NOT NULL, since BIGINT NOT NULL)
            """,
        ]
    }

    private static let products = SchemaStep(name: "products") { _ in
        [
            """
            CREATE TABLE IF NOT EXISTS backend_product_list (
              bundle_id TEXT NOT NULL, version BIGINT NOT NULL, published_at BIGINT NOT NULL,
              digest TEXT NOT NULL, list TEXT NOT NULL, PRIMARY KEY (bundle_id, version))
            """,
            """
            CREATE TABLE IF NOT EXISTS backend_unknown_product (
              bundle_id TEXT NOT NULL, product_id TEXT NOT NULL, reports BIGINT NOT NULL, first_reported BIGINT NOT NULL,
              last_reported BIGINT NOT NULL, PRIMARY KEY (bundle_id, product_id))
            """,
        ]
    }

    private static let purchases = SchemaStep(name: "purchases") { _ in
        [
            """
            CREATE TABLE IF NOT EXISTS backend_purchase (
              environment TEXT NOT NULL, transaction_id BIGINT NOT NULL, original_transaction_id BIGINT NOT NULL,
              bundle_id TEXT NOT NULL, product_id TEXT NOT NULL, kind TEXT, quantity BIGINT NOT NULL,
              purchased_at BIGINT NOT NULL, originally_purchased_at BIGINT NOT NULL, expires_at BIGINT, revoked_at BIGINT,
              is_upgraded BIGINT NOT NULL, ownership TEXT NOT NULL, app_account_token TEXT, subscription_group TEXT,
              stated_at BIGINT NOT NULL, recorded_at BIGINT NOT NULL, PRIMARY KEY (environment, transaction_id))
            """,
            """
            CREATE INDEX IF NOT EXISTS backend_purchase_of_original
              ON backend_purchase (environment, original_transaction_id)
            """,
            """
            CREATE TABLE IF NOT EXISTS backend_owner (
              environment TEXT NOT NULL, original_transaction_id BIGINT NOT NULL, user_id TEXT NOT NULL,
              since BIGINT NOT NULL, PRIMARY KEY (environment, original_transaction_id, user_id))
            """,
            "CREATE INDEX IF NOT EXISTS backend_owner_of_user ON backend_owner (user_id)",
        ]
    }

    private static let balances = SchemaStep(name: "balances") { _ in
        [
            """
            CREATE TABLE IF NOT EXISTS backend_balance (
              user_id TEXT NOT NULL, name TEXT NOT NULL, amount BIGINT NOT NULL, PRIMARY KEY (user_id, name))
            """,
            """
            CREATE TABLE IF NOT EXISTS backend_credit (
              environment TEXT NOT NULL, transaction_id BIGINT NOT NULL, user_id TEXT NOT NULL, name TEXT NOT NULL,
              amount BIGINT NOT NULL, is_taken_back BIGINT NOT NULL, PRIMARY KEY (environment, transaction_id))
            """,
            """
            CREATE TABLE IF NOT EXISTS backend_spend (
              user_id TEXT NOT NULL, spend_key TEXT NOT NULL, name TEXT NOT NULL, amount BIGINT NOT NULL,
              amount_left BIGINT NOT NULL, spent_at BIGINT NOT NULL, PRIMARY KEY (user_id, spend_key))
            """,
        ]
    }

    private static let fulfilments = SchemaStep(name: "fulfilments") { FulfilmentSQL.tables($0) }

    private static let content = SchemaStep(name: "content") { _ in
        [
            """
            CREATE TABLE IF NOT EXISTS backend_content (
              name TEXT NOT NULL, version TEXT NOT NULL, digest TEXT NOT NULL, bytes BIGINT NOT NULL,
              file_name TEXT NOT NULL, minimum_app_version TEXT, maximum_app_version TEXT, added_at BIGINT NOT NULL,
              PRIMARY KEY (name, version))
            """
        ]
    }

    /// The database itself refuses to change what was noted.
    private static let audit = SchemaStep(name: "audit") { dialect in
        let number =
            dialect == .sqlite ? "INTEGER PRIMARY KEY AUTOINCREMENT" : "BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY"
        let table = """
            CREATE TABLE IF NOT EXISTS backend_audit (
              number \(number), noted_at BIGINT NOT NULL, action TEXT NOT NULL, user_id TEXT, environment TEXT,
              transaction_id BIGINT, product_id TEXT, detail TEXT NOT NULL)
            """
        let index = "CREATE INDEX IF NOT EXISTS backend_audit_of_user ON backend_audit (user_id, number)"
        switch dialect {
        case .sqlite:
            return [table, index]
                + ["UPDATE", "DELETE"].map { change in
                    """
                    CREATE TRIGGER IF NOT EXISTS backend_audit_no_\(change.lowercased()) BEFORE \(change) ON backend_audit
                    BEGIN SELECT RAISE(ABORT, 'the audit is never changed'); END
                    """
                }
        case .postgres:
            return [
                table, index,
                """
                CREATE OR REPLACE FUNCTION backend_audit_stays() RETURNS trigger LANGUAGE plpgsql
                AS 'BEGIN RAISE EXCEPTION ''the audit is never changed''; END'
                """,
                """
                CREATE OR REPLACE TRIGGER backend_audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON backend_audit
                FOR EACH STATEMENT EXECUTE FUNCTION backend_audit_stays()
                """,
            ]
        }
    }
}
