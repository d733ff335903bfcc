import StoreDatabase

/// What production sells of products that were changed and not published yet.
///
/// The tables of the catalogue always have the newest edition of a product, by which the sandbox sells. From the first change
/// of a live product on, these have the edition that was published last, by which production goes on selling. Without a row
/// here both environments sell the same.
enum DraftTables {
    static let statements: [SQL] = [
        "ALTER TABLE product ADD COLUMN drafted_at \(.integer)",
        """
        CREATE TABLE published_product (
            item_id \(.integer) NOT NULL PRIMARY KEY REFERENCES product (item_id),
            is_cleared_for_sale \(.integer) NOT NULL, is_family_shareable \(.integer) NOT NULL, period \(.text),
            group_id \(.text), level \(.integer), tax_category \(.text), base_amount \(.integer),
            base_currency \(.text), shelved_at \(.integer), removed_at \(.integer), drafted_by \(.text) NOT NULL,
            revision \(.integer) NOT NULL
        ) \(.table)
        """,
        """
        CREATE TABLE published_price (
            item_id \(.integer) NOT NULL REFERENCES product (item_id), storefront \(.text) NOT NULL,
            amount \(.integer) NOT NULL, currency \(.text) NOT NULL,
            PRIMARY KEY (item_id, storefront)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE published_withdrawal (
            item_id \(.integer) NOT NULL REFERENCES product (item_id), storefront \(.text) NOT NULL,
            PRIMARY KEY (item_id, storefront)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE published_price_change (
            item_id \(.integer) NOT NULL REFERENCES product (item_id), storefront \(.text) NOT NULL,
            starts_at \(.integer) NOT NULL, amount \(.integer) NOT NULL, currency \(.text) NOT NULL,
            PRIMARY KEY (item_id, storefront, starts_at)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE published_offer (
            item_id \(.integer) NOT NULL REFERENCES product (item_id), offer_id \(.text) NOT NULL,
            kind \(.text) NOT NULL, reference_name \(.text), payment_mode \(.text) NOT NULL, period \(.text) NOT NULL,
            period_count \(.integer) NOT NULL, amount \(.integer), currency \(.text), starts_at \(.integer),
            ends_at \(.integer), eligibility \(.text), is_stackable \(.integer), paid_months \(.integer),
            lapsed_months \(.integer), wait_months \(.integer),
            PRIMARY KEY (item_id, offer_id)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE published_offer_price (
            item_id \(.integer) NOT NULL REFERENCES product (item_id), offer_id \(.text) NOT NULL,
            storefront \(.text) NOT NULL, amount \(.integer) NOT NULL, currency \(.text) NOT NULL,
            PRIMARY KEY (item_id, offer_id, storefront)
        ) \(.keyedTable)
        """,
    ]
}
