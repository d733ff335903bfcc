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

    /// How long the subscriptions of an app count that could not be paid; NULL where they do not.
    static let gracePeriods: [SQL] = [
        "ALTER TABLE app ADD COLUMN grace_days \(.integer)",
        "ALTER TABLE app ADD COLUMN grace_in_production \(.integer)",
        "ALTER TABLE app ADD COLUMN grace_only_paid \(.integer)",
    ]

    /// Pictures of what is sold in production, until they are approved. They are those of customers; there is one of each.
    static let imageChanges: [SQL] = [
        """
        CREATE TABLE product_image_change (
            item_id \(.integer) NOT NULL PRIMARY KEY REFERENCES product (item_id), kind \(.text) NOT NULL,
            digest \(.text) NOT NULL, media_type \(.text) NOT NULL, width \(.integer) NOT NULL,
            height \(.integer) NOT NULL, bytes \(.integer) NOT NULL
        ) \(.table)
        """
    ]

    /// Where the review of a product is while the store keeps it off the shelves.
    static let heldReviews: [SQL] = ["ALTER TABLE product ADD COLUMN held_state \(.text)"]

    /// How far a product is on its way to production, what reviewers are told of it, and what is sold with it.
    static let review: [SQL] = [
        "ALTER TABLE product ADD COLUMN is_live \(.integer)",
        "ALTER TABLE product ADD COLUMN review_version \(.text)",
        "ALTER TABLE product ADD COLUMN category \(.text)",
        "ALTER TABLE product ADD COLUMN delivers \(.text)",
        "ALTER TABLE product ADD COLUMN review_note \(.text)",
        "ALTER TABLE product ADD COLUMN level \(.integer)",
        "ALTER TABLE product ADD COLUMN tax_category \(.text)",
        "ALTER TABLE product ADD COLUMN hosts_content \(.integer)",
        "ALTER TABLE product ADD COLUMN shelved_at \(.integer)",
        "ALTER TABLE product ADD COLUMN live_at \(.integer)",
        "ALTER TABLE product ADD COLUMN first_price_change_at \(.integer)",
        "UPDATE product SET is_live = CASE WHEN state = 'approved' THEN 1 ELSE 0 END, hosts_content = 0",
        "UPDATE product SET state = 'ready_to_submit' WHERE state = 'ready'",
        // Texts of what is sold in production, until they are approved.
        """
        CREATE TABLE product_text_change (
            item_id \(.integer) NOT NULL REFERENCES product (item_id), language \(.text) NOT NULL,
            title \(.text) NOT NULL, description \(.text) NOT NULL,
            PRIMARY KEY (item_id, language)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE product_review (
            item_id \(.integer) NOT NULL REFERENCES product (item_id), number \(.integer) NOT NULL,
            at \(.integer) NOT NULL, actor \(.text) NOT NULL, event \(.text) NOT NULL, state \(.text) NOT NULL,
            reason \(.text), message \(.text),
            PRIMARY KEY (item_id, number)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE subscription_group (
            app_id \(.integer) NOT NULL REFERENCES app (app_id), group_id \(.text) NOT NULL,
            reference_name \(.text) NOT NULL,
            PRIMARY KEY (app_id, group_id)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE subscription_group_text (
            app_id \(.integer) NOT NULL REFERENCES app (app_id), group_id \(.text) NOT NULL,
            language \(.text) NOT NULL, name \(.text) NOT NULL, app_name \(.text),
            PRIMARY KEY (app_id, group_id, language)
        ) \(.keyedTable)
        """,
        """
        INSERT INTO subscription_group (app_id, group_id, reference_name)
        SELECT DISTINCT app_id, group_id, group_id FROM product WHERE group_id IS NOT NULL
        """,
        // A storefront of no letters stands for all that have no price of their own.
        """
        CREATE TABLE product_price_change (
            item_id \(.integer) NOT NULL REFERENCES product (item_id), storefront \(.text) NOT NULL,
            starts_at \(.integer) NOT NULL, amount \(.integer) NOT NULL, currency \(.text) NOT NULL,
            PRIMARY KEY (item_id, storefront, starts_at)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE product_offer (
            item_id \(.integer) NOT NULL REFERENCES product (item_id), kind \(.text) NOT NULL, offer_id \(.text) NOT NULL,
            reference_name \(.text), payment_mode \(.text) NOT NULL, period \(.text) NOT NULL,
            period_count \(.integer) NOT NULL, amount \(.integer), currency \(.text), starts_at \(.integer),
            ends_at \(.integer), eligibility \(.text),
            PRIMARY KEY (item_id, kind, offer_id)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE product_image (
            item_id \(.integer) NOT NULL REFERENCES product (item_id), kind \(.text) NOT NULL, digest \(.text) NOT NULL,
            media_type \(.text) NOT NULL, width \(.integer) NOT NULL, height \(.integer) NOT NULL,
            bytes \(.integer) NOT NULL,
            PRIMARY KEY (item_id, kind)
        ) \(.keyedTable)
        """,
    ]

    /// Who may use an offer and what it costs in single storefronts, and what files had that the catalogue has no place for.
    static let offers: [SQL] = [
        "ALTER TABLE product_offer ADD COLUMN is_stackable \(.integer)",
        "ALTER TABLE product_offer ADD COLUMN paid_months \(.integer)",
        "ALTER TABLE product_offer ADD COLUMN lapsed_months \(.integer)",
        "ALTER TABLE product_offer ADD COLUMN wait_months \(.integer)",
        """
        CREATE TABLE product_offer_price (
            item_id \(.integer) NOT NULL REFERENCES product (item_id), offer_id \(.text) NOT NULL,
            storefront \(.text) NOT NULL, amount \(.integer) NOT NULL, currency \(.text) NOT NULL,
            PRIMARY KEY (item_id, offer_id, storefront)
        ) \(.keyedTable)
        """,
        "ALTER TABLE app ADD COLUMN storekit_members \(.text)",
        "ALTER TABLE product ADD COLUMN storekit_members \(.text)",
    ]
}
