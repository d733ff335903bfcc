import StoreDatabase

/// The tables of requests for refunds. What was answered, decided and lifted is written once.
enum RefundTables {
    /// Who gave money back, and who took a transaction away.
    static let actors: [SQL] = [
        "ALTER TABLE refund ADD COLUMN actor \(.text)", "ALTER TABLE transaction_revocation ADD COLUMN actor \(.text)",
    ]

    static let statements: [SQL] = [
        """
        CREATE TABLE refund_request (
            id \(.integer) NOT NULL PRIMARY KEY, transaction_id \(.integer) NOT NULL, customer_id \(.integer) NOT NULL,
            reason \(.text) NOT NULL, note \(.text), state \(.text) NOT NULL, refund_id \(.integer),
            asked_at \(.integer) NOT NULL, asked_wall \(.integer) NOT NULL, changed_at \(.integer) NOT NULL,
            history_count \(.integer) NOT NULL
        ) \(.table)
        """,
        // A purchase has one request that is not decided.
        """
        CREATE UNIQUE INDEX refund_request_open ON refund_request (transaction_id)
            WHERE state IN ('asked', 'failed', 'approved')
        """,
        "CREATE INDEX refund_request_by_state ON refund_request (state, id)",
        "CREATE INDEX refund_request_of_transaction ON refund_request (transaction_id, id)",
        "CREATE INDEX refund_request_of_refund ON refund_request (refund_id) WHERE refund_id IS NOT NULL",
        """
        CREATE TABLE refund_request_history (
            refund_request_id \(.integer) NOT NULL, number \(.integer) NOT NULL, at \(.integer) NOT NULL,
            event \(.text) NOT NULL, state \(.text) NOT NULL, detail \(.text), actor \(.text) NOT NULL,
            request_id \(.text),
            PRIMARY KEY (refund_request_id, number)
        ) \(.keyedTable)
        """,
        // What developers say was consumed.
        """
        CREATE TABLE refund_consumption (
            refund_request_id \(.integer) NOT NULL, number \(.integer) NOT NULL, at \(.integer) NOT NULL,
            sample_content_provided \(.integer) NOT NULL, delivery_status \(.text) NOT NULL,
            consumption_percentage \(.integer), refund_preference \(.text), actor \(.text) NOT NULL,
            PRIMARY KEY (refund_request_id, number)
        ) \(.keyedTable)
        """,
        // Revocations that were lifted; a row of transaction_revocation is one that counts.
        """
        CREATE TABLE transaction_reinstatement (
            transaction_id \(.integer) NOT NULL, number \(.integer) NOT NULL, refund_id \(.integer) NOT NULL,
            percentage \(.integer), reason \(.integer) NOT NULL, revoked_at \(.integer) NOT NULL,
            reinstated_at \(.integer) NOT NULL,
            PRIMARY KEY (transaction_id, number)
        ) \(.keyedTable)
        """,
        "CREATE INDEX refund_of_customer ON refund (customer_id, id)",
        // A refund that was reversed makes room for another.
        "DROP INDEX refund_whole",
        """
        CREATE UNIQUE INDEX refund_whole ON refund (charge_id)
            WHERE kind = 'full' AND state NOT IN ('failed', 'reversed')
        """,
    ]
}
