import StoreDatabase

/// The tables of renewal dates that developers put off.
enum ExtensionTables {
    static let statements: [SQL] = [
        // Times are by the clock of the customer.
        """
        CREATE TABLE subscription_extension (
            subscription_id \(.integer) NOT NULL, number \(.integer) NOT NULL, transaction_id \(.integer) NOT NULL,
            request_identifier \(.text) NOT NULL, days \(.integer) NOT NULL, reason \(.integer) NOT NULL,
            old_end \(.integer) NOT NULL, new_end \(.integer) NOT NULL, at \(.integer) NOT NULL,
            mass_id \(.integer), actor \(.text) NOT NULL,
            PRIMARY KEY (subscription_id, number)
        ) \(.keyedTable)
        """,
        // A subscription is extended once for each request.
        """
        CREATE UNIQUE INDEX subscription_extension_request
            ON subscription_extension (subscription_id, request_identifier) WHERE mass_id IS NULL
        """,
        """
        CREATE UNIQUE INDEX subscription_extension_mass ON subscription_extension (subscription_id, mass_id)
            WHERE mass_id IS NOT NULL
        """,
        // Extensions of all who subscribe to a product: work that goes on after the last subscription it has reached. Times are
        // by the wall clock.
        """
        CREATE TABLE mass_extension (
            id \(.integer) NOT NULL PRIMARY KEY, app_id \(.integer) NOT NULL, bundle_id \(.text) NOT NULL,
            item_id \(.integer) NOT NULL, product_id \(.text) NOT NULL, request_identifier \(.text) NOT NULL, days \(.integer) NOT NULL,
            reason \(.integer) NOT NULL, storefronts \(.text), asked_at \(.integer) NOT NULL,
            reached \(.integer) NOT NULL, succeeded \(.integer) NOT NULL, failed \(.integer) NOT NULL,
            completed_at \(.integer), actor \(.text) NOT NULL
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX mass_extension_request ON mass_extension (app_id, product_id, request_identifier)",
        // What the first version of the message about consumption says, in JSON.
        "ALTER TABLE refund_consumption ADD COLUMN first_version \(.text)",
    ]
}
