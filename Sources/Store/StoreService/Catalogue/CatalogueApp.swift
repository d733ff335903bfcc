import StoreDatabase
package import StoreModel

/// An app of the catalogue.
package struct CatalogueApp: Hashable, Sendable {
    /// The number by which links and receipts name it.
    package let id: AppID
    package let bundleID: BundleID
    package let name: String
    /// The language of texts for whoever can be given none of a storefront's languages.
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
