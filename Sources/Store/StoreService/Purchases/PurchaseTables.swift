import StoreDatabase
import StoreRules

/// The tables of an environment that are about purchases and what came of them.
///
/// Transactions, the history of purchases, events, finishes and revocations are written once and never changed.
enum PurchaseTables {
    /// The states that were not final before there were approvals: a migration stays as it was released.
    private static let formerlyNotFinal: SQL = "state IN ('sign-in', 'confirmation', 'interrupted', 'charging')"

    static let statements: [SQL] = [
        """
        CREATE TABLE purchase (
            id \(.integer) NOT NULL PRIMARY KEY, device_id \(.integer), purchase_key \(.text) NOT NULL,
            fingerprint \(.bytes) NOT NULL, customer_id \(.integer), app_id \(.integer) NOT NULL,
            bundle_id \(.text) NOT NULL, item_id \(.integer) NOT NULL, product_id \(.text) NOT NULL,
            kind \(.text) NOT NULL, period \(.text), group_id \(.text), quantity \(.integer) NOT NULL,
            storefront \(.text) NOT NULL, unit_price \(.integer) NOT NULL, currency \(.text) NOT NULL,
            total \(.integer) NOT NULL, account_token \(.text), state \(.text) NOT NULL, failure \(.text),
            code \(.text), confirmation_hash \(.bytes), transaction_id \(.integer),
            opened_at \(.integer) NOT NULL, changed_at \(.integer) NOT NULL, expires_at \(.integer) NOT NULL,
            history_count \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX purchase_by_key ON purchase (device_id, purchase_key)",
        // What the operator wanted to sell has no device.
        "CREATE UNIQUE INDEX purchase_by_operator_key ON purchase (purchase_key) WHERE device_id IS NULL",
        "CREATE UNIQUE INDEX purchase_by_code ON purchase (code) WHERE code IS NOT NULL",
        "CREATE INDEX purchase_by_customer ON purchase (customer_id, id) WHERE customer_id IS NOT NULL",
        // What waits for something, of each device.
        "CREATE INDEX purchase_waiting ON purchase (device_id, id) WHERE \(formerlyNotFinal)",
        // What came to nothing; most of it was never confirmed.
        "CREATE INDEX purchase_failed ON purchase (id) WHERE \(Purchase.State.cameToNothing)",
        // The keys of purchases that were removed.
        """
        CREATE TABLE forgotten_purchase (
            device_id \(.integer) NOT NULL, purchase_key \(.text) NOT NULL, PRIMARY KEY (device_id, purchase_key)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE purchase_history (
            purchase_id \(.integer) NOT NULL, number \(.integer) NOT NULL, at \(.integer) NOT NULL,
            event \(.text) NOT NULL, state \(.text) NOT NULL, detail \(.text), actor \(.text) NOT NULL,
            request_id \(.text),
            PRIMARY KEY (purchase_id, number)
        ) \(.keyedTable)
        """,
        // Clients know their requests by these ids, and ask what became of them.
        """
        CREATE INDEX purchase_history_request ON purchase_history (request_id, purchase_id)
            WHERE request_id IS NOT NULL
        """,
        """
        CREATE TABLE store_transaction (
            id \(.integer) NOT NULL PRIMARY KEY, original_id \(.integer) NOT NULL, order_id \(.integer),
            restored_id \(.integer), customer_id \(.integer) NOT NULL, device_id \(.integer),
            app_id \(.integer) NOT NULL, bundle_id \(.text) NOT NULL, item_id \(.integer) NOT NULL,
            product_id \(.text) NOT NULL, kind \(.text) NOT NULL, quantity \(.integer) NOT NULL,
            purchase_date \(.integer) NOT NULL, original_purchase_date \(.integer) NOT NULL,
            expires_date \(.integer), web_order_line_item_id \(.integer), group_id \(.text),
            storefront \(.text) NOT NULL, price \(.integer) NOT NULL, currency \(.text) NOT NULL,
            account_token \(.text), reason \(.text) NOT NULL
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX transaction_of_order ON store_transaction (order_id) WHERE order_id IS NOT NULL",
        "CREATE INDEX transaction_by_customer ON store_transaction (customer_id, app_id, id)",
        "CREATE INDEX transaction_by_item ON store_transaction (customer_id, item_id, id)",
        """
        CREATE TABLE transaction_finish (
            transaction_id \(.integer) NOT NULL PRIMARY KEY, device_id \(.integer), finished_at \(.integer) NOT NULL
        ) \(.table)
        """,
        """
        CREATE TABLE transaction_revocation (
            transaction_id \(.integer) NOT NULL PRIMARY KEY, refund_id \(.integer), percentage \(.integer),
            reason \(.integer) NOT NULL, revoked_at \(.integer) NOT NULL
        ) \(.table)
        """,
        // What the devices of a customer are told, numbered without gaps for each app.
        """
        CREATE TABLE customer_event (
            customer_id \(.integer) NOT NULL, app_id \(.integer) NOT NULL, number \(.integer) NOT NULL,
            device_id \(.integer), kind \(.text) NOT NULL, purchase_id \(.integer), transaction_id \(.integer),
            at \(.integer) NOT NULL, written_at \(.integer) NOT NULL,
            PRIMARY KEY (customer_id, app_id, number)
        ) \(.keyedTable)
        """,
    ]

    /// What devices were told of a transaction, found without all that its customer was told of others.
    static let eventsOfTransactions: [SQL] = [
        """
        CREATE INDEX customer_event_of_transaction ON customer_event (transaction_id) WHERE transaction_id IS NOT NULL
        """
    ]
}
