import StoreDatabase

/// The tables of an environment that are about people who come to the pages of the store: who is signed in there, what they
/// say of items, and what they have fetched.
enum StorefrontTables {
    static let statements: [SQL] = [
        // A browser in which a customer is signed in. It has a secret of which this is the hash.
        """
        CREATE TABLE web_session (
            session_hash \(.bytes) NOT NULL PRIMARY KEY, customer_id \(.integer) NOT NULL REFERENCES customer (id),
            begun_at \(.integer) NOT NULL, expires_at \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE INDEX web_session_of_customer ON web_session (customer_id, begun_at)",
        "CREATE INDEX web_session_end ON web_session (expires_at)",
        // One of each customer and item. Without a body it is a rating alone.
        """
        CREATE TABLE customer_review (
            id \(.integer) NOT NULL PRIMARY KEY, store_id \(.integer) NOT NULL,
            customer_id \(.integer) NOT NULL REFERENCES customer (id), storefront \(.text) NOT NULL,
            stars \(.integer) NOT NULL, title \(.text), body \(.text), nickname \(.text), version \(.text) NOT NULL,
            state \(.text) NOT NULL, open_reports \(.integer) NOT NULL, written_at \(.integer) NOT NULL,
            changed_at \(.integer) NOT NULL, answer \(.text), answered_at \(.integer), answered_by \(.text),
            history_count \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX customer_review_of_customer ON customer_review (customer_id, store_id)",
        "CREATE INDEX customer_review_of_item ON customer_review (store_id, id) WHERE body IS NOT NULL",
        """
        CREATE INDEX customer_review_waiting ON customer_review (id)
            WHERE open_reports > 0 OR state = 'held'
        """,
        """
        CREATE TABLE customer_review_history (
            review_id \(.integer) NOT NULL, number \(.integer) NOT NULL, at \(.integer) NOT NULL,
            event \(.text) NOT NULL, state \(.text) NOT NULL, detail \(.text), actor \(.text) NOT NULL,
            customer_id \(.integer), request_id \(.text),
            PRIMARY KEY (review_id, number)
        ) \(.keyedTable)
        """,
        // How often a customer wrote and reported lately.
        """
        CREATE INDEX customer_review_activity ON customer_review_history (customer_id, at)
            WHERE customer_id IS NOT NULL
        """,
        """
        CREATE TABLE customer_review_report (
            review_id \(.integer) NOT NULL, customer_id \(.integer) NOT NULL, reason \(.text) NOT NULL,
            at \(.integer) NOT NULL, is_decided \(.integer) NOT NULL,
            PRIMARY KEY (review_id, customer_id)
        ) \(.keyedTable)
        """,
        // How many customers gave an item so many stars, for each version of an app; changed with the reviews.
        """
        CREATE TABLE item_score (
            store_id \(.integer) NOT NULL, version \(.text) NOT NULL, stars \(.integer) NOT NULL,
            ratings \(.integer) NOT NULL,
            PRIMARY KEY (store_id, version, stars)
        ) \(.keyedTable)
        """,
        // The album or season by which one has what is bought.
        "ALTER TABLE purchase ADD COLUMN whole_id \(.integer)",
        // What a customer last fetched of an item.
        """
        CREATE TABLE item_download (
            customer_id \(.integer) NOT NULL, store_id \(.integer) NOT NULL, version \(.text) NOT NULL,
            digest \(.text) NOT NULL, at \(.integer) NOT NULL,
            PRIMARY KEY (customer_id, store_id)
        ) \(.keyedTable)
        """,
    ]
}
