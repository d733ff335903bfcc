import StoreDatabase

/// The tables of an environment that are about money: refunds and the ledger. Entries and postings are written once.
enum MoneyTables {
    static let statements: [SQL] = [
        """
        CREATE TABLE refund (
            id \(.integer) NOT NULL PRIMARY KEY, transaction_id \(.integer) NOT NULL, purchase_id \(.integer) NOT NULL,
            customer_id \(.integer) NOT NULL, state \(.text) NOT NULL, failure \(.text), reason \(.integer) NOT NULL,
            amount \(.integer) NOT NULL, currency \(.text) NOT NULL, capture \(.text) NOT NULL, reference \(.text),
            requested_at \(.integer) NOT NULL, changed_at \(.integer) NOT NULL
        ) \(.table)
        """,
        // A transaction is refunded once; a refund that failed makes room for another.
        "CREATE UNIQUE INDEX refund_of_transaction ON refund (transaction_id) WHERE state <> 'failed'",
        "CREATE INDEX refund_under_way ON refund (state, id) WHERE state = 'refunding'",
        """
        CREATE TABLE ledger_entry (
            id \(.integer) NOT NULL PRIMARY KEY, kind \(.text) NOT NULL, subject \(.integer) NOT NULL,
            transaction_id \(.integer) NOT NULL, at \(.integer) NOT NULL
        ) \(.table)
        """,
        // One thing is booked once, whatever else goes wrong.
        "CREATE UNIQUE INDEX ledger_entry_of_subject ON ledger_entry (kind, subject)",
        "CREATE INDEX ledger_entry_of_transaction ON ledger_entry (transaction_id, id)",
        """
        CREATE TABLE ledger_posting (
            entry_id \(.integer) NOT NULL, line \(.integer) NOT NULL, account \(.text) NOT NULL,
            amount \(.integer) NOT NULL, currency \(.text) NOT NULL,
            PRIMARY KEY (entry_id, line)
        ) \(.keyedTable)
        """,
    ]
}
