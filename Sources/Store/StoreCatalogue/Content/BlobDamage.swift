package import StoreDatabase
import StoreModel

/// A blob that something refers to, and that is damaged or missing.
package struct BlobDamage: Hashable, Sendable {
    // Closed: a blob is there or not, and what its name says or not.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// Its bytes are not what its name says.
        case damaged
        /// There is none of its name.
        case missing

        /// What an error of a store of blobs says of the blob; nil if it says nothing of it.
        init?(_ error: BlobError) {
            switch error.code {
            case .missing: self = .missing
            case .damaged, .outOfRange: self = .damaged
            default: return nil
            }
        }

        /// What is wrong with a blob, which is read to its end; nil if it is as it was kept.
        package init?(of blob: BlobID, in blobs: any BlobStore) throws {
            do {
                guard try blobs.byteCount(of: blob) != nil else {
                    self = .missing
                    return
                }
                if !blobs.isCheckedElsewhere { try blobs.verify(blob) }
                return nil
            } catch let error as BlobError {
                guard let kind = Self(error) else { throw error }
                self = kind
            }
        }
    }

    package let blob: BlobID
    package let kind: Kind
    /// What refers to it, such as "the picture of com.example.app.sepia".
    package let uses: [String]

    /// The name of the blob.
    package var digest: String { blob.text }

    package init(_ blob: BlobID, _ kind: Kind, uses: [String]) {
        (self.blob, self.kind, self.uses) = (blob, kind, uses)
    }

    /// What helps, for whoever looks after the store.
    package static let remedy =
        "put the file back from a backup, or give the product its picture or its content once more"

    static let tables: [SQL] = [
        """
        CREATE TABLE blob_damage (
            digest \(.text) NOT NULL PRIMARY KEY, kind \(.text) NOT NULL, found_at \(.integer) NOT NULL
        ) \(.table)
        """
    ]

    // MARK: What is known

    /// Those that were found and not mended since, at most so many.
    package static func known(limit: Int, in transaction: any ReadTransaction) throws -> [BlobDamage] {
        let rows = try transaction.query(
            "SELECT digest, kind FROM blob_damage WHERE \(isUsed) ORDER BY found_at, digest LIMIT $1", limit
        ) { row in
            var cells = row.cells
            return (try cells.next(as: BlobID.self), try cells.nextWord(as: Kind.self))
        }
        return try rows.map { BlobDamage($0, $1, uses: try uses(of: $0, in: transaction)) }
    }

    package static func count(in transaction: any ReadTransaction) throws -> Int {
        try transaction.value("SELECT count(*) FROM blob_damage WHERE \(isUsed)", as: Int.self)
    }

    static func isKnown(_ blob: BlobID, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.value("SELECT count(*) FROM blob_damage WHERE digest = $1", blob, as: Int.self) > 0
    }

    /// Throws if a blob is known to be damaged or missing.
    package static func requireNone(of blob: BlobID, in transaction: any ReadTransaction) throws {
        let kind = try transaction.optional("SELECT kind FROM blob_damage WHERE digest = $1", blob) { row in
            var cells = row.cells
            return try cells.nextWord(as: Kind.self)
        }
        switch kind {
        case .damaged: throw BlobError(damaged: blob)
        case .missing: throw BlobError(.missing, "the blob \(blob) is not where it was kept").of(blob)
        case nil: break
        }
    }

    /// Notes what was found; returns whether it was not known.
    func note(at now: Instant, in transaction: any WriteTransaction) throws -> Bool {
        try transaction.insertIfNew(into: "blob_damage", ["digest": blob, "kind": kind.rawValue, "found_at": now])
    }

    static func forget(_ blob: BlobID, in transaction: any WriteTransaction) throws {
        try transaction.execute("DELETE FROM blob_damage WHERE digest = $1", blob)
    }

    /// Forgets what nothing refers to any more: it is deleted, and not missing.
    static func forgetUnused(in transaction: any WriteTransaction) throws {
        try transaction.execute("DELETE FROM blob_damage WHERE NOT \(isUsed)")
    }

    // MARK: What refers to blobs

    private static let references: SQL = """
        SELECT digest FROM product_image UNION SELECT digest FROM product_image_change
        UNION SELECT digest FROM content_part UNION SELECT archive FROM content_version WHERE archive IS NOT NULL
        UNION SELECT digest FROM item_file UNION SELECT digest FROM partner_feed_file
        """

    private static let isUsed: SQL = "digest IN (\(references))"

    /// Blobs that something refers to, in order of names, after a given one; at most `limit`.
    package static func used(
        after last: BlobID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [BlobID] {
        try transaction.query(
            """
            SELECT digest FROM (\(references)) AS used WHERE digest > $1 ORDER BY digest LIMIT $2
            """, last?.text ?? "", limit
        ) { try $0.value(0) }
    }

    /// What refers to a blob; nothing if it may be deleted.
    package static func uses(of blob: BlobID, in transaction: any ReadTransaction) throws -> [String] {
        try transaction.query(
            """
            SELECT 'the picture of ' || product.product_id FROM product_image
                JOIN product ON product.item_id = product_image.item_id WHERE product_image.digest = $1
            UNION SELECT 'a new picture of ' || product.product_id FROM product_image_change
                JOIN product ON product.item_id = product_image_change.item_id WHERE product_image_change.digest = $1
            UNION SELECT 'an upload of content of ' || product.product_id FROM content_part
                JOIN product ON product.item_id = content_part.item_id WHERE content_part.digest = $1
            UNION SELECT 'content ' || content_version.version || ' of ' || product.product_id FROM content_version
                JOIN product ON product.item_id = content_version.item_id WHERE content_version.archive = $1
            UNION SELECT 'the ' || item_file.role || ' of ' || item.name FROM item_file
                JOIN item ON item.store_id = item_file.store_id WHERE item_file.digest = $1
            UNION SELECT 'the table ' || name || ' of the partner feed ' || feed FROM partner_feed_file WHERE digest = $1
            ORDER BY 1
            """, blob
        ) { try $0.value(0) }
    }
}
