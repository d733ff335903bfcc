import StoreDatabase

/// The tables of keys with which developers' servers ask the store.
enum APIKeyTables {
    static let statements: [SQL] = [
        """
        CREATE TABLE api_key (
            id \(.text) NOT NULL PRIMARY KEY, team_id \(.text) NOT NULL, name \(.text) NOT NULL, public_key \(.bytes) NOT NULL,
            environment \(.text), created_at \(.integer) NOT NULL, revoked_at \(.integer), used_at \(.integer),
            actor \(.text) NOT NULL
        ) \(.table)
        """,
        "CREATE INDEX api_key_of_team ON api_key (team_id, id)",
        // The issuer of a team's tokens.
        "ALTER TABLE team ADD COLUMN issuer_id \(.text)",
    ]
}
