import StoreDatabase

/// The tables of an environment that are about partners: who sends customers to the store, and which sales came of it.
enum PartnerTables {
    static let statements: [SQL] = [
        // The key of a partner is kept as its hash.
        """
        CREATE TABLE partner (
            id \(.integer) NOT NULL PRIMARY KEY, token \(.text) NOT NULL, name \(.text) NOT NULL, email \(.text) NOT NULL,
            state \(.text) NOT NULL, commission \(.integer) NOT NULL, key_hash \(.bytes), key_made_at \(.integer),
            created_at \(.integer) NOT NULL, changed_at \(.integer) NOT NULL, history_count \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX partner_by_token ON partner (token)",
        """
        CREATE TABLE partner_history (
            partner_id \(.integer) NOT NULL, number \(.integer) NOT NULL, at \(.integer) NOT NULL,
            event \(.text) NOT NULL, detail \(.text), actor \(.text) NOT NULL, request_id \(.text),
            PRIMARY KEY (partner_id, number)
        ) \(.keyedTable)
        """,
        // Which partner a sale came by. The commission is what was booked with it; NULL before, and where nothing was paid.
        """
        CREATE TABLE referral (
            sale_id \(.integer) NOT NULL PRIMARY KEY, partner_id \(.integer) NOT NULL, campaign \(.text),
            came_at \(.integer) NOT NULL, commission \(.integer), currency \(.text)
        ) \(.table)
        """,
        "CREATE INDEX referral_of_partner ON referral (partner_id, sale_id)",
    ]
}
