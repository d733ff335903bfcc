import StoreDatabase

/// The tables of the catalogue: apps and what they sell, in both environments.
enum CatalogueTables {
    static let statements: [SQL] = [
        """
        CREATE TABLE app (
            app_id \(.integer) NOT NULL PRIMARY KEY, bundle_id \(.text) NOT NULL, name \(.text) NOT NULL,
            primary_language \(.text) NOT NULL, shared_secret \(.text),
            capabilities_revision \(.integer) NOT NULL, created_at \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX app_bundle ON app (bundle_id)",
        // A product that was removed keeps its row, so that its id is never used again.
        """
        CREATE TABLE product (
            item_id \(.integer) NOT NULL PRIMARY KEY, app_id \(.integer) NOT NULL REFERENCES app (app_id),
            product_id \(.text) NOT NULL, kind \(.text) NOT NULL, reference_name \(.text) NOT NULL,
            state \(.text) NOT NULL, is_cleared_for_sale \(.integer) NOT NULL,
            is_family_shareable \(.integer) NOT NULL, period \(.text), group_id \(.text),
            created_at \(.integer) NOT NULL, changed_at \(.integer) NOT NULL, removed_at \(.integer)
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX product_of_app ON product (app_id, product_id)",
        """
        CREATE TABLE product_text (
            item_id \(.integer) NOT NULL REFERENCES product (item_id), language \(.text) NOT NULL,
            title \(.text) NOT NULL, description \(.text) NOT NULL,
            PRIMARY KEY (item_id, language)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE product_price (
            item_id \(.integer) NOT NULL REFERENCES product (item_id), storefront \(.text) NOT NULL,
            amount \(.integer) NOT NULL, currency \(.text) NOT NULL,
            PRIMARY KEY (item_id, storefront)
        ) \(.keyedTable)
        """,
        "CREATE TABLE store_secret (name \(.text) NOT NULL PRIMARY KEY, secret \(.text) NOT NULL) \(.table)",
        """
        CREATE TABLE operator_token (
            token_hash \(.bytes) NOT NULL PRIMARY KEY, name \(.text) NOT NULL, environment \(.text) NOT NULL,
            role \(.text) NOT NULL, created_at \(.integer) NOT NULL, expires_at \(.integer) NOT NULL,
            last_used_at \(.integer), revoked_at \(.integer)
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX operator_token_name ON operator_token (name)",
        """
        CREATE TABLE sequence (
            name \(.text) NOT NULL PRIMARY KEY, last \(.integer) NOT NULL, epoch \(.text) NOT NULL
        ) \(.table)
        """,
    ]

    /// The price that those of all storefronts are derived from; `product_price` has what a storefront has of its own.
    static let basePrices: [SQL] = [
        "ALTER TABLE product ADD COLUMN base_amount \(.integer)",
        "ALTER TABLE product ADD COLUMN base_currency \(.text)",
        """
        CREATE TABLE product_withdrawal (
            item_id \(.integer) NOT NULL REFERENCES product (item_id), storefront \(.text) NOT NULL,
            PRIMARY KEY (item_id, storefront)
        ) \(.keyedTable)
        """,
    ]
}
