import StoreDatabase

/// The tables by which developers' servers read what customers have, in the order in which it changed.
enum RevisionTables {
    static let statements: [SQL] = [
        // Where a transaction stands among all of its customer in its app, by when it changed last, and since when money is
        // back: see TransactionRevisions.
        """
        CREATE TABLE transaction_revision (
            transaction_id \(.integer) NOT NULL PRIMARY KEY, customer_id \(.integer) NOT NULL, app_id \(.integer) NOT NULL,
            revision \(.integer) NOT NULL, refunded_at \(.integer)
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX transaction_revision_of_customer ON transaction_revision (customer_id, app_id, revision)",
        """
        CREATE INDEX transaction_revision_refunded ON transaction_revision
            (customer_id, app_id, refunded_at, transaction_id) WHERE refunded_at IS NOT NULL
        """,
        // Before there were revisions, the order of their numbers is that in which they came.
        """
        INSERT INTO transaction_revision (transaction_id, customer_id, app_id, revision, refunded_at)
        SELECT id, customer_id, app_id, row_number() OVER (PARTITION BY customer_id, app_id ORDER BY id),
            (SELECT revoked_at FROM transaction_revocation WHERE transaction_id = id AND refund_id IS NOT NULL)
        FROM store_transaction WHERE restored_id IS NULL
        """,
        // What was changed of a transaction after it was made, with what it was before.
        """
        CREATE TABLE transaction_amendment (
            transaction_id \(.integer) NOT NULL, number \(.integer) NOT NULL, at \(.integer) NOT NULL,
            old_expires_date \(.integer), new_expires_date \(.integer),
            old_account_token \(.text), new_account_token \(.text), actor \(.text) NOT NULL, request_id \(.text),
            PRIMARY KEY (transaction_id, number)
        ) \(.keyedTable)
        """,
        // A customer's download of an app, by the device on which it first was: what server APIs call an app transaction.
        """
        CREATE TABLE app_download (
            customer_id \(.integer) NOT NULL, app_id \(.integer) NOT NULL, app_transaction_id \(.integer) NOT NULL,
            version \(.text) NOT NULL, at \(.integer) NOT NULL,
            PRIMARY KEY (customer_id, app_id)
        ) \(.keyedTable)
        """,
        "CREATE UNIQUE INDEX app_download_by_number ON app_download (app_transaction_id)",
        """
        INSERT INTO app_download (customer_id, app_id, app_transaction_id, version, at)
        SELECT customer_id, app_id, min(app_transaction_id), min(original_app_version), min(registered_at)
        FROM device WHERE customer_id IS NOT NULL GROUP BY customer_id, app_id
        """,
    ]
}
