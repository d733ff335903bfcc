import StoreDatabase
import StoreRules

/// The tables of an environment that are about families, and what they add to others: who approves and pays, and what was
/// shared. The history of a family is written once.
enum FamilyTables {
    /// What children may not use any more, and how many apps that are.
    static let consents: [SQL] = [
        """
        CREATE TABLE consent_withdrawal (
            customer_id \(.integer) NOT NULL, app_id \(.integer) NOT NULL, bundle_id \(.text) NOT NULL,
            at \(.integer) NOT NULL, actor \(.text) NOT NULL,
            PRIMARY KEY (customer_id, app_id)
        ) \(.keyedTable)
        """,
        "ALTER TABLE customer ADD COLUMN withdrawn_consents \(.integer) NOT NULL DEFAULT 0",
    ]

    static let statements: [SQL] = [
        """
        CREATE TABLE family (
            id \(.integer) NOT NULL PRIMARY KEY, organiser_id \(.integer) NOT NULL REFERENCES customer (id),
            created_at \(.integer) NOT NULL, history_count \(.integer) NOT NULL
        ) \(.table)
        """,
        // Everybody is in one family at most.
        """
        CREATE TABLE family_member (
            customer_id \(.integer) NOT NULL PRIMARY KEY REFERENCES customer (id), family_id \(.integer) NOT NULL,
            role \(.text) NOT NULL, joined_at \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE INDEX family_member_of ON family_member (family_id, customer_id)",
        """
        CREATE TABLE family_history (
            family_id \(.integer) NOT NULL, number \(.integer) NOT NULL, at \(.integer) NOT NULL,
            event \(.text) NOT NULL, customer_id \(.integer) NOT NULL, detail \(.text), actor \(.text) NOT NULL,
            request_id \(.text),
            PRIMARY KEY (family_id, number)
        ) \(.keyedTable)
        """,
        "ALTER TABLE customer ADD COLUMN asks_to_buy \(.integer) NOT NULL DEFAULT 0",
        "ALTER TABLE purchase ADD COLUMN asks_to_buy \(.integer) NOT NULL DEFAULT 0",
        "ALTER TABLE purchase ADD COLUMN approver_id \(.integer)",
        "DROP INDEX purchase_waiting",
        "CREATE INDEX purchase_waiting ON purchase (device_id, id) WHERE \(Purchase.State.notFinal)",
        "CREATE INDEX purchase_approval ON purchase (id) WHERE state = 'approval'",
        "ALTER TABLE store_transaction ADD COLUMN ownership \(.text) NOT NULL DEFAULT 'PURCHASED'",
        "ALTER TABLE store_transaction ADD COLUMN shared_from \(.integer)",
        """
        CREATE INDEX transaction_shared ON store_transaction (shared_from, customer_id) WHERE shared_from IS NOT NULL
        """,
    ]
}
