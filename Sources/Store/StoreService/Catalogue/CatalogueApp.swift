package import StoreDatabase
package import StoreModel

/// An app of the catalogue.
package struct CatalogueApp: Hashable, Sendable {
    /// The number by which links and receipts name it.
    package let id: AppID
    package let bundleID: BundleID
    package let name: String
    /// The language of texts where the device and the storefront have none in common.
    package let primaryLanguage: String
    /// What the app's own server proves itself with when it has a receipt verified; 32 lowercase hexadecimal digits.
    package let sharedSecret: String?
    /// Rises whenever the capabilities of the app change, which makes its provisioning profiles stale.
    package let capabilitiesRevision: Int
    package let createdAt: Instant
}

extension CatalogueApp {
    static let columns: SQL = """
        app_id, bundle_id, name, primary_language, shared_secret, capabilities_revision, created_at
        """

    init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        bundleID = try cells.next()
        name = try cells.next()
        primaryLanguage = try cells.next()
        sharedSecret = try cells.next()
        capabilitiesRevision = try cells.next()
        createdAt = try cells.next()
    }
}

extension Catalogue {
    /// The app of a bundle id.
    package static func app(
        _ bundleID: BundleID, in transaction: any ReadTransaction
    ) throws -> CatalogueApp? {
        try transaction.optional(
            "SELECT \(CatalogueApp.columns) FROM app WHERE bundle_id = $1", bundleID, row: CatalogueApp.init)
    }

    /// The app of a number.
    package static func app(_ id: AppID, in transaction: any ReadTransaction) throws -> CatalogueApp? {
        try transaction.optional(
            "SELECT \(CatalogueApp.columns) FROM app WHERE app_id = $1", id, row: CatalogueApp.init)
    }

    /// The apps after a bundle id, in order of their bundle ids.
    package static func apps(
        after bundleID: BundleID? = nil, limit: Int, in transaction: any ReadTransaction
    ) throws -> [CatalogueApp] {
        try transaction.query(
            "SELECT \(CatalogueApp.columns) FROM app WHERE bundle_id > $1 ORDER BY bundle_id LIMIT $2",
            bundleID?.text ?? "", limit, row: CatalogueApp.init)
    }

    /// Enters an app. Throws ``RefusalCode/appExists`` if there is one of its bundle id.
    @discardableResult
    package static func addApp(
        _ id: AppID, _ bundleID: BundleID, name: String, primaryLanguage: String, at now: Instant,
        in transaction: any WriteTransaction
    ) throws -> CatalogueApp {
        let name = try CatalogueText.line(name, atMost: CatalogueLimits.appName, field: "name")
        let language = try CatalogueText.language(primaryLanguage, field: "primaryLanguage")
        guard try app(bundleID, in: transaction) == nil else {
            throw CatalogueError(.appExists, "there is an app \(bundleID)", field: "bundleId")
        }
        try transaction.execute(
            """
            INSERT INTO app (app_id, bundle_id, name, primary_language, capabilities_revision, created_at)
            VALUES ($1, $2, $3, $4, 1, $5)
            """, id, bundleID, name, language, now)
        return CatalogueApp(
            id: id, bundleID: bundleID, name: name, primaryLanguage: language, sharedSecret: nil,
            capabilitiesRevision: 1, createdAt: now)
    }
}
