import Foundation
import StoreModel
import StoreSigning
import Synchronization

/// The tables of product lists, of what newer lists left out, and of what the store did not know of them.
struct ProductTable {
    static let former = SchemaStep(name: "former products") { _ in
        [
            """
            CREATE TABLE IF NOT EXISTS backend_former_product (
              bundle_id TEXT NOT NULL, product_id TEXT NOT NULL, is_subscription BIGINT NOT NULL, product TEXT NOT NULL,
              PRIMARY KEY (bundle_id, product_id))
            """
        ]
    }

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

    /// Remembers a product as the last list had it, which the next one leaves out.
    func keepFormer(_ product: ListedProduct, of bundleID: BundleID) throws {
        try connection.run(
            """
            INSERT INTO backend_former_product (bundle_id, product_id, is_subscription, product) VALUES ($1, $2, $3, $4)
            ON CONFLICT (bundle_id, product_id) DO UPDATE SET is_subscription = $3, product = $4
            """,
            [
                SQLValue(bundleID), SQLValue(product.productID), .integer(product.kind.isSubscription ? 1 : 0),
                .text(String(decoding: try JSONEncoder().encode(product), as: UTF8.self)),
            ])
    }

    /// A product as it was listed last before a list left it out; nil if none ever did.
    func formerProduct(_ productID: ProductID, of bundleID: BundleID) throws -> ListedProduct? {
        try connection.run(
            "SELECT product FROM backend_former_product WHERE bundle_id = $1 AND product_id = $2",
            [SQLValue(bundleID), SQLValue(productID)]
        ).first.map { try JSONDecoder().decode(ListedProduct.self, from: Data($0.requiredText(0).utf8)) }
    }

    /// The subscriptions that lists have left out. Those who have one keep it.
    func formerSubscriptions(of bundleID: BundleID) throws -> Set<ProductID> {
        Set(
            try connection.run(
                "SELECT product_id FROM backend_former_product WHERE bundle_id = $1 AND is_subscription = 1",
                [SQLValue(bundleID)]
            ).map { try ProductID(parsing: $0.requiredText(0)) })
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

/// Finds products as the newest list of their app has them, or else as the last one had them that did: what was paid for is
/// given also when it is offered no longer.
struct ProductLookup {
    private let table: ProductTable
    private var newest: [BundleID: ProductList?] = [:]
    private var former: [BundleID: [ProductID: ListedProduct?]] = [:]

    init(_ table: ProductTable) {
        self.table = table
    }

    /// The product; nil if no list of the app ever had it.
    mutating func product(_ productID: ProductID, of bundleID: BundleID) throws -> ListedProduct? {
        if newest[bundleID] == nil { newest[bundleID] = .some(try table.newestList(of: bundleID)) }
        if let listed = newest[bundleID]??[productID] { return listed }
        if let known = former[bundleID]?[productID] { return known }
        let found = try table.formerProduct(productID, of: bundleID)
        former[bundleID, default: [:]][productID] = .some(found)
        return found
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
