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
    init(_ row: Row) throws {
        id = try row.value(0)
        bundleID = try row.value(1)
        name = try row.value(2)
        primaryLanguage = try row.value(3)
        sharedSecret = try row.value(4)
        capabilitiesRevision = try row.value(5)
        createdAt = try row.value(6)
    }
}
