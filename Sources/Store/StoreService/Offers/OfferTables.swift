import StoreDatabase

/// The tables of an environment that are about offers: what purchases asked for, codes, and what was signed once.
enum OfferTables {
    static let statements: [SQL] = [
        // The offer that a purchase, or a sale by the operator, asked for; introductory ones apply by themselves, and are here
        // where the developer's server has decided whether they do: as `allowed` or `denied`.
        """
        CREATE TABLE purchase_offer (
            purchase_id \(.integer) NOT NULL PRIMARY KEY, app_id \(.integer) NOT NULL, customer_id \(.integer),
            kind \(.text) NOT NULL, offer_type \(.integer) NOT NULL, offer_id \(.text), offer_mode \(.text) NOT NULL,
            offer_period \(.text) NOT NULL, offer_count \(.integer) NOT NULL, offer_price \(.integer) NOT NULL,
            currency \(.text) NOT NULL, eligibility \(.text) NOT NULL, is_stackable \(.integer) NOT NULL,
            paid_months \(.integer), lapsed_months \(.integer), wait_months \(.integer), code \(.text),
            state \(.text) NOT NULL, changed_at \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE INDEX purchase_offer_by_code ON purchase_offer (app_id, code, purchase_id) WHERE code IS NOT NULL",
        // A signature is good once.
        """
        CREATE TABLE offer_nonce (
            app_id \(.integer) NOT NULL, nonce \(.text) NOT NULL, purchase_id \(.integer) NOT NULL,
            kept_until \(.integer) NOT NULL,
            PRIMARY KEY (app_id, nonce)
        ) \(.keyedTable)
        """,
        "CREATE INDEX offer_nonce_by_end ON offer_nonce (kept_until)",
        """
        CREATE TABLE offer_code_batch (
            id \(.integer) NOT NULL PRIMARY KEY, app_id \(.integer) NOT NULL, item_id \(.integer) NOT NULL,
            product_id \(.text) NOT NULL, offer_id \(.text) NOT NULL, is_custom \(.integer) NOT NULL,
            total \(.integer) NOT NULL, created_at \(.integer) NOT NULL, expires_at \(.integer),
            is_active \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE INDEX offer_code_batch_of_app ON offer_code_batch (app_id, id)",
        """
        CREATE TABLE offer_code (
            app_id \(.integer) NOT NULL, code \(.text) NOT NULL, batch_id \(.integer) NOT NULL, most \(.integer) NOT NULL,
            used \(.integer) NOT NULL,
            PRIMARY KEY (app_id, code)
        ) \(.keyedTable)
        """,
        "CREATE INDEX offer_code_of_batch ON offer_code (batch_id, code)",
    ]

    /// For a code of which nobody says which app it is for.
    static let byCode: [SQL] = ["CREATE INDEX offer_code_by_code ON offer_code (code, app_id)"]
}
