import StoreDatabase

/// The tables of hosted content. Packages, parts and archives are blobs; here is what is known of them.
enum ContentTables {
    /// In the catalogue, which is of both environments.
    static let statements: [SQL] = [
        // A version begins as an upload; it gets the number of the package when that was read.
        """
        CREATE TABLE content_version (
            item_id \(.integer) NOT NULL REFERENCES product (item_id), number \(.integer) NOT NULL,
            version \(.text), state \(.text) NOT NULL, package_digest \(.text) NOT NULL,
            package_bytes \(.integer) NOT NULL, part_bytes \(.integer) NOT NULL,
            uploaded_by \(.text) NOT NULL, begun_at \(.integer) NOT NULL, touched_at \(.integer) NOT NULL,
            uploaded_at \(.integer), processed_at \(.integer), approved_at \(.integer), ended_at \(.integer),
            archive \(.text), archive_bytes \(.integer), unpacked_bytes \(.integer), file_count \(.integer),
            chunk_bytes \(.integer), chunk_digests \(.bytes), files \(.text), findings \(.text),
            PRIMARY KEY (item_id, number)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE content_part (
            item_id \(.integer) NOT NULL, number \(.integer) NOT NULL, part \(.integer) NOT NULL,
            digest \(.text) NOT NULL, bytes \(.integer) NOT NULL,
            PRIMARY KEY (item_id, number, part)
        ) \(.keyedTable)
        """,
        "CREATE INDEX content_part_digest ON content_part (digest)",
        "CREATE INDEX content_version_archive ON content_version (archive)",
    ]
}
