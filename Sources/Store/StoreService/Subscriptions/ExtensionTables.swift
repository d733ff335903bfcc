import StoreDatabase

/// The tables of renewal dates that developers' servers moved.
enum ExtensionTables {
    static let statements: [SQL] = [
        """
        CREATE TABLE subscription_extension (
            subscription_id \(.integer) NOT NULL, number \(.integer) NOT NULL, transaction_id \(.integer) NOT NULL,
            request_identifier \(.text) NOT NULL, days \(.integer) NOT NULL, reason \(.integer) NOT NULL,
            old_end \(.integer) NOT NULL, new_end \(.integer) NOT NULL, at \(.integer) NOT NULL,
            mass_id \(.integer), actor \(.text) NOT NULL,
            PRIMARY KEY (subscription_id, number)
        ) \(.keyedTable)
        """,
        // Extensions of all who subscribe to a product: work that goes on after the last subscription it has done.
        """
        CREATE TABLE mass_extension (
            id \(.integer) NOT NULL PRIMARY KEY, app_id \(.integer) NOT NULL, product_id \(.text) NOT NULL,
            request_identifier \(.text) NOT NULL, days \(.integer) NOT NULL, reason \(.integer) NOT NULL,
            storefronts \(.text), asked_at \(.integer) NOT NULL, reached \(.integer) NOT NULL,
            succeeded \(.integer) NOT NULL, failed \(.integer) NOT NULL, completed_at \(.integer), actor \(.text) NOT NULL
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX mass_extension_request ON mass_extension (app_id, product_id, request_identifier)",
    ]
}
