import StoreDatabase

/// The table of what is to go wrong, in the sandbox.
enum FaultTables {
    static let statements: [SQL] = [
        """
        CREATE TABLE fault_rule (
            id \(.integer) NOT NULL PRIMARY KEY, rule \(.text) NOT NULL, matched \(.integer) NOT NULL,
            added_at \(.integer) NOT NULL, actor \(.text) NOT NULL
        ) \(.table)
        """
    ]
}
