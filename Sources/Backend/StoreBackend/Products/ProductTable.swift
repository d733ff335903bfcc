import Foundation
import StoreModel
import StoreSigning

/// The tables of product lists, and of what the store did not know of them.
struct ProductTable {
    let connection: any BackendConnection

    init(_ connection: any BackendConnection) {
        self.connection = connection
    }

    func newestList(of bundleID: BundleID) throws -> ProductList? {
        let row = try connection.run(
            "SELECT list FROM backend_product_list WHERE bundle_id = $1 ORDER BY version DESC LIMIT 1",
            [SQLValue(bundleID)]
        ).first
        return try row.map { try JSONDecoder().decode(ProductList.self, from: Data($0.requiredText(0).utf8)) }
    }

    func add(_ list: ProductList, at now: Instant) throws {
        try connection.run(
            "INSERT INTO backend_product_list (bundle_id, version, published_at, list) VALUES ($1, $2, $3, $4)",
            [SQLValue(list.bundleID), .integer(list.version), SQLValue(now), .text(try list.text())])
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
