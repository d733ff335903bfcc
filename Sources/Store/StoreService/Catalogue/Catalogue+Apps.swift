package import StoreDatabase
package import StoreModel

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
