import StoreDatabase

/// The tables of an environment that are about people and their devices.
enum CustomerTables {
    /// In the sandbox, when a tester became a customer of production; in production, which tester a customer was.
    static let spentTesters: [SQL] = [
        "ALTER TABLE customer ADD COLUMN spent_at \(.integer)",
        "ALTER TABLE customer ADD COLUMN tester_id \(.integer)",
    ]

    static let statements: [SQL] = [
        // A deleted customer keeps the row, without what names the person; a deleted address stays taken.
        """
        CREATE TABLE customer (
            id \(.integer) NOT NULL PRIMARY KEY, email \(.text) NOT NULL, email_key \(.text) NOT NULL,
            kind \(.text) NOT NULL, first_name \(.text) NOT NULL, last_name \(.text) NOT NULL,
            password_hash \(.text), birth_date \(.text), secret_question \(.text), secret_answer_hash \(.text),
            storefront \(.text) NOT NULL, purchases_allowed \(.integer) NOT NULL,
            interrupts_purchases \(.integer) NOT NULL, clock_id \(.integer) NOT NULL,
            created_at \(.integer) NOT NULL, deleted_at \(.integer)
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX customer_email ON customer (email_key)",
        // Clocks that customers live by instead of that of the environment, which has no row.
        """
        CREATE TABLE clock (
            id \(.integer) NOT NULL PRIMARY KEY, wall_at \(.integer) NOT NULL, shown_at \(.integer) NOT NULL,
            rate \(.integer) NOT NULL
        ) \(.table)
        """,
        """
        CREATE TABLE payment_method (
            id \(.integer) NOT NULL PRIMARY KEY, customer_id \(.integer) NOT NULL REFERENCES customer (id),
            processor \(.text) NOT NULL, token \(.text) NOT NULL, label \(.text) NOT NULL,
            created_at \(.integer) NOT NULL, removed_at \(.integer)
        ) \(.table)
        """,
        "CREATE INDEX payment_method_customer ON payment_method (customer_id, id)",
        """
        CREATE TABLE password_recovery (
            token_hash \(.bytes) NOT NULL PRIMARY KEY, customer_id \(.integer) NOT NULL REFERENCES customer (id),
            created_at \(.integer) NOT NULL, expires_at \(.integer) NOT NULL, used_at \(.integer)
        ) \(.table)
        """,
        // One row for an app on a device: the key was made there, and what the token opens is of that app only.
        """
        CREATE TABLE device (
            id \(.integer) NOT NULL PRIMARY KEY, app_id \(.integer) NOT NULL, bundle_id \(.text) NOT NULL,
            public_key \(.bytes) NOT NULL, key_hash \(.bytes) NOT NULL,
            identifier \(.bytes) NOT NULL, vendor_identifier \(.text) NOT NULL,
            token_hash \(.bytes) NOT NULL, token_expires_at \(.integer) NOT NULL,
            customer_id \(.integer) REFERENCES customer (id),
            storefront \(.text) NOT NULL, language \(.text) NOT NULL, app_version \(.text) NOT NULL,
            original_app_version \(.text) NOT NULL, app_transaction_id \(.integer) NOT NULL,
            purchases_allowed \(.integer) NOT NULL, is_simulator \(.integer) NOT NULL, profile_revision \(.integer),
            registered_at \(.integer) NOT NULL, seen_at \(.integer) NOT NULL,
            was_used \(.integer) NOT NULL DEFAULT 0, has_forgotten \(.integer) NOT NULL DEFAULT 0
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX device_key ON device (app_id, key_hash)",
        // Those on which nobody has ever signed in.
        "CREATE INDEX device_idle ON device (seen_at) WHERE was_used = 0",
        // Registrations that were used, as long as they could be used again.
        """
        CREATE TABLE registration_proof (
            statement_hash \(.bytes) NOT NULL PRIMARY KEY, expires_at \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE INDEX registration_proof_end ON registration_proof (expires_at)",
        "CREATE UNIQUE INDEX device_token ON device (token_hash)",
        "CREATE INDEX device_customer ON device (customer_id, id)",
    ]
}
