import StoreDatabase

/// The table of what is to go wrong, in the sandbox.
enum FaultTables {
    static let statements: [SQL] = [
        // A rule is kept as it was asked for, in JSON. What it is about is counted, and what it struck of that.
        """
        CREATE TABLE fault_rule (
            id \(.integer) NOT NULL PRIMARY KEY, rule \(.text) NOT NULL, app_id \(.integer), customer_id \(.integer),
            counted \(.integer) NOT NULL, struck \(.integer) NOT NULL, added_at \(.integer) NOT NULL,
            actor \(.text) NOT NULL
        ) \(.table)
        """
    ]
}
