import StoreDatabase

/// The tables of what the storefront sells beside in-app purchases. Names, prices and reviews of an item are those of its product.
enum ItemTables {
    static let statements: [SQL] = [
        // A shelf holds the items of a team, as an app holds its products.
        "ALTER TABLE app ADD COLUMN is_shelf \(.integer)",
        "UPDATE app SET is_shelf = 0",
        """
        CREATE TABLE artist (
            artist_id \(.integer) NOT NULL PRIMARY KEY, team_id \(.text) NOT NULL REFERENCES team (team_id),
            kind \(.text) NOT NULL, name \(.text) NOT NULL, created_at \(.integer) NOT NULL,
            changed_at \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX artist_of_team ON artist (team_id, kind, name)",
        // The store id of an app is the number of the app; that of everything else is the number of its product.
        """
        CREATE TABLE item (
            store_id \(.integer) NOT NULL PRIMARY KEY, item_id \(.integer) NOT NULL REFERENCES product (item_id),
            team_id \(.text) NOT NULL REFERENCES team (team_id), kind \(.text) NOT NULL,
            app_id \(.integer) REFERENCES app (app_id), parent_id \(.integer) REFERENCES item (store_id),
            disc \(.integer), number \(.integer), artist_id \(.integer) NOT NULL REFERENCES artist (artist_id),
            genre_id \(.integer) NOT NULL, name \(.text) NOT NULL, released_at \(.integer) NOT NULL,
            explicitness \(.text) NOT NULL,
            rating \(.text), copyright \(.text), support_address \(.text), maker_address \(.text),
            privacy_address \(.text), milliseconds \(.integer), isbn \(.text), upc \(.text), languages \(.text),
            created_at \(.integer) NOT NULL, changed_at \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX item_product ON item (item_id)",
        "CREATE UNIQUE INDEX item_app ON item (app_id)",
        "CREATE INDEX item_parent ON item (parent_id, disc, number)",
        "CREATE INDEX item_artist ON item (artist_id, kind, released_at)",
        "CREATE INDEX item_kind ON item (kind, released_at)",
        "CREATE INDEX item_genre ON item (genre_id, kind, released_at)",
        "CREATE INDEX item_team ON item (team_id, store_id)",
        "CREATE INDEX item_isbn ON item (isbn)",
        "CREATE INDEX item_upc ON item (upc)",
        // What was changed of an item that production shows, as JSON, until it is approved.
        """
        CREATE TABLE item_change (
            store_id \(.integer) NOT NULL PRIMARY KEY REFERENCES item (store_id), facts \(.text) NOT NULL
        ) \(.table)
        """,
        // The file of an item, by what it is for and its place; a draft stands beside the one that production shows.
        """
        CREATE TABLE item_file (
            store_id \(.integer) NOT NULL REFERENCES item (store_id), role \(.text) NOT NULL, version \(.text) NOT NULL,
            position \(.integer) NOT NULL, is_draft \(.integer) NOT NULL, digest \(.text) NOT NULL,
            media_type \(.text) NOT NULL, bytes \(.integer) NOT NULL, width \(.integer), height \(.integer),
            milliseconds \(.integer), alternative_text \(.text), file_name \(.text) NOT NULL,
            added_at \(.integer) NOT NULL,
            PRIMARY KEY (store_id, role, version, position, is_draft)
        ) \(.keyedTable)
        """,
        "CREATE INDEX item_file_digest ON item_file (digest)",
        "CREATE INDEX item_file_role ON item_file (role, store_id)",
        // What is new in a version of an app.
        """
        CREATE TABLE app_version_note (
            app_id \(.integer) NOT NULL REFERENCES app (app_id), version \(.text) NOT NULL, language \(.text) NOT NULL,
            note \(.text) NOT NULL,
            PRIMARY KEY (app_id, version, language)
        ) \(.keyedTable)
        """,
        // What the home page of the storefront begins with.
        """
        CREATE TABLE home_feature (
            position \(.integer) NOT NULL PRIMARY KEY, store_id \(.integer) NOT NULL REFERENCES item (store_id),
            chosen_at \(.integer) NOT NULL, chosen_by \(.text) NOT NULL
        ) \(.table)
        """,
    ]
}
