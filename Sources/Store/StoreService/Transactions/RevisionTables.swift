import StoreDatabase

/// The tables by which developers' servers read what customers have, in the order in which it changed.
enum RevisionTables {
    static let statements: [SQL] = [
        // Where a transaction stands among all of its customer in its app, by when it changed last: numbered in the transaction
        // of the change, without gaps that fill later.
        """
        CREATE TABLE transaction_revision (
            transaction_id \(.integer) NOT NULL PRIMARY KEY, customer_id \(.integer) NOT NULL, app_id \(.integer) NOT NULL,
            revision \(.integer) NOT NULL, changed_at \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX transaction_revision_of_customer ON transaction_revision (customer_id, app_id, revision)",
        // What was changed of a transaction after it was made, with what it was before.
        """
        CREATE TABLE transaction_amendment (
            transaction_id \(.integer) NOT NULL, number \(.integer) NOT NULL, at \(.integer) NOT NULL,
            old_expires_date \(.integer), new_expires_date \(.integer),
            old_account_token \(.text), new_account_token \(.text), actor \(.text) NOT NULL, request_id \(.text),
            PRIMARY KEY (transaction_id, number)
        ) \(.keyedTable)
        """,
        // A customer's download of an app: what server APIs call an app transaction.
        """
        CREATE TABLE app_download (
            customer_id \(.integer) NOT NULL, app_id \(.integer) NOT NULL, app_transaction_id \(.integer) NOT NULL,
            version \(.text) NOT NULL, at \(.integer) NOT NULL,
            PRIMARY KEY (customer_id, app_id)
        ) \(.keyedTable)
        """,
        "CREATE INDEX app_download_by_number ON app_download (app_transaction_id)",
    ]
}
