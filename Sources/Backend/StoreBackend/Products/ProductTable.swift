import Foundation
import StoreModel
import StoreSigning
import Synchronization

/// The tables of product lists, and of what the store did not know of them.
struct ProductTable {
    let connection: any BackendConnection
    let cache: ListCache

    init(_ connection: any BackendConnection, cache: ListCache) {
        self.connection = connection
        self.cache = cache
    }

    func newestList(of bundleID: BundleID) throws -> ProductList? {
        let newest = try connection.run(
            "SELECT version, digest FROM backend_product_list WHERE bundle_id = $1 ORDER BY version DESC LIMIT 1",
            [SQLValue(bundleID)]
        ).first
        guard let newest else { return nil }
        return try cache.list(of: bundleID, digest: newest.requiredText(1)) {
            let row = try connection.run(
                "SELECT list FROM backend_product_list WHERE bundle_id = $1 AND version = $2",
                [SQLValue(bundleID), newest.cells[0]]
            ).first
            return try row?.requiredText(0) ?? ""
        }
    }

    func add(_ list: ProductList, at now: Instant) throws {
        let text = try list.text()
        let digest = hexadecimal(try DigestAlgorithm.sha256.digest(Array(text.utf8)))
        try connection.run(
            """
            INSERT INTO backend_product_list (bundle_id, version, published_at, digest, list) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (bundle_id, version) DO NOTHING
            """, [SQLValue(list.bundleID), .integer(list.version), SQLValue(now), .text(digest), .text(text)])
    }

    /// How often the product was reported, this time included.
    func countUnknown(_ productID: ProductID, of bundleID: BundleID, at now: Instant) throws -> Int64 {
        let rows = try connection.run(
            """
            INSERT INTO backend_unknown_product (bundle_id, product_id, reports, first_reported, last_reported)
            VALUES ($1, $2, 1, $3, $3)
            ON CONFLICT (bundle_id, product_id)
            DO UPDATE SET reports = backend_unknown_product.reports + 1, last_reported = $3 RETURNING reports
            """, [SQLValue(bundleID), SQLValue(productID), SQLValue(now)])
        return try rows.first?.requiredInteger(0) ?? 0
    }

    func unknownProducts(of bundleID: BundleID) throws -> [UnknownProduct] {
        try connection.run(
            """
            SELECT product_id, reports, first_reported, last_reported FROM backend_unknown_product
            WHERE bundle_id = $1 ORDER BY product_id
            """, [SQLValue(bundleID)]
        ).map { row in
            UnknownProduct(
                productID: try ProductID(parsing: row.requiredText(0)), reports: try row.requiredInteger(1),
                firstReported: try row.requiredInstant(2), lastReported: try row.requiredInstant(3))
        }
    }
}

/// The newest lists that were read from the database: to read one of some thousand products takes long.
///
/// Each is kept under the digest of its text, so that one whose transaction was undone is never taken for another.
final class ListCache: Sendable {
    private let lists = Mutex<[BundleID: (digest: String, list: ProductList)]>([:])

    func list(of bundleID: BundleID, digest: String, text: () throws -> String) throws -> ProductList {
        if let known = lists.withLock({ $0[bundleID] }), known.digest == digest { return known.list }
        let list = try JSONDecoder().decode(ProductList.self, from: Data(text().utf8))
        lists.withLock { $0[bundleID] = (digest, list) }
        return list
    }
}

extension ProductList {
    /// The list in JSON, always the same for the same list.
    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// The same list with its tag.
    func tagged() throws -> ProductList {
        var list = self
        list.entityTag = ""
        let digest = try DigestAlgorithm.sha256.digest(Array(list.text().utf8))
        list.entityTag = hexadecimal(Array(digest.prefix(16)))
        return list
    }
}
