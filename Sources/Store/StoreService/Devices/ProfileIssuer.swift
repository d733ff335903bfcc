package import StoreCatalogue
package import StoreDatabase
package import StoreModel
package import StoreSigning

/// Makes the provisioning profiles of an environment.
package struct ProfileIssuer: Sendable {
    private let environment: StoreEnvironment
    private let address: @Sendable () -> StoreAddress?
    private let keys: @Sendable () throws -> EnvironmentKeys

    /// - Parameters:
    ///   - address: tells where the store is, if it runs.
    ///   - keys: called for each profile, so that it has the roots of the moment.
    package init(
        _ environment: StoreEnvironment, at address: @escaping @Sendable () -> StoreAddress?,
        keys: @escaping @Sendable () throws -> EnvironmentKeys
    ) {
        self.environment = environment
        self.address = address
        self.keys = keys
    }

    /// Where the store is; nil if it does not run.
    package var storeAddress: StoreAddress? { address() }

    /// A profile, signed. Throws ``CatalogueError`` for an app that there is not, and for an address that will not do.
    ///
    /// - Parameter other: where the store is instead of where it believes to be.
    package func profile(
        for pattern: BundlePattern, at other: StoreAddress? = nil, in catalogue: any Database, now: Instant
    ) async throws -> String {
        guard let address = other ?? address() else {
            throw CatalogueError(
                .valueInvalid, "the store does not run, so its address has to be given", field: "storeUrl")
        }
        guard environment != .production || address.isPrivate else {
            throw CatalogueError(
                .valueInvalid, "production is reached by https, or on the machine itself", field: "storeUrl")
        }
        let app = try await catalogue.read { transaction -> CatalogueApp? in
            guard let bundleID = pattern.bundleID else { return nil }
            guard let app = try Catalogue.app(bundleID, in: transaction), !app.isShelf else {
                throw CatalogueError(.appUnknown, "there is no app of this bundle id", field: "bundleId")
            }
            return app
        }
        let keys = try keys()
        let profile = ProvisioningProfile(
            bundleId: pattern, appId: app?.id, environment: environment, storeUrl: address,
            jwsRoots: Self.texts(keys.roots[.jws]), receiptRoots: Self.texts(keys.roots[.receipt]),
            capabilitiesRevision: app?.capabilitiesRevision, signedDate: now)
        return try keys.jwsSigner().sign(encoding: profile, at: now)
    }

    /// The same, by the clock of the catalogue.
    package func profile(
        for pattern: BundlePattern, at other: StoreAddress?, in catalogue: CatalogueStore
    ) async throws -> String {
        try await profile(for: pattern, at: other, in: catalogue.database, now: catalogue.now())
    }

    private static func texts(_ roots: [Certificate]?) -> [String] {
        (roots ?? []).map { Base64.encode($0.derRepresentation) }
    }
}
