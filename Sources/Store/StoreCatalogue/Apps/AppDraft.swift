import StoreDatabase
package import StoreModel

/// What an app is to be called; what is nil of it stays as it is.
package struct AppDraft: Hashable, Sendable {
    package let name: String?
    package let primaryLanguage: String?

    package init(name: String?, primaryLanguage: String?) {
        self.name = name
        self.primaryLanguage = primaryLanguage
    }
}

extension Catalogue {
    /// Gives an app another name, or another language for texts where no other fits.
    package static func change(
        _ app: CatalogueApp, by draft: AppDraft, _ change: CatalogueChange
    ) throws -> CatalogueApp {
        let name = try draft.name.map {
            try CatalogueText.line($0, atMost: CatalogueLimits.appName, field: "name")
        }
        let language = try draft.primaryLanguage.map { try CatalogueText.language($0, field: "primaryLanguage") }
        let (newName, newLanguage) = (name ?? app.name, language ?? app.primaryLanguage)
        guard (newName, newLanguage) != (app.name, app.primaryLanguage) else { return app }
        return try CatalogueAudit.audit(.app(app.id), "changed", change) {
            try change.transaction.update(
                "app", ["name": newName, "primary_language": newLanguage], where: ["app_id": app.id])
            return try requireApp(app.id, in: change.transaction)
        }
    }
}

extension CatalogueEditing {
    /// Gives an app another name, or another language for texts where no other fits.
    package func change(
        _ draft: AppDraft, of id: BundleID, in environment: StoreEnvironment
    ) async throws -> ListedApp {
        try await change(id) { app, change in
            let secret = try SharedSecrets.find(of: app.id, in: environment, change.transaction)
            return ListedApp(
                app: try Catalogue.change(app, by: draft, change), hasSharedSecret: secret != nil)
        }
    }

    /// Enters an app with its first product: both or neither.
    package func addApp(
        _ id: BundleID, name: String, primaryLanguage: String?, team: TeamID?, with entry: ProductEntry
    ) async throws -> ProductDetails {
        if let team { try requireTeam(team) }
        let drawn = try await StoreNumbers.next(2, except: [], numbers, in: database)
        let commerce = commerce()
        return try await write { change in
            let app = try Catalogue.addApp(
                AppID(number: drawn[0]), id, name: name, primaryLanguage: primaryLanguage ?? "en-US",
                team: actor.team ?? team, change)
            return try Catalogue.enter(entry, of: app, as: ItemID(number: drawn[1]), at: commerce, change)
        }
    }

    /// Takes back a version that was never submitted.
    package func removeVersion(_ version: String, of id: BundleID) async throws {
        try await change(id) { try AppVersions.remove(version, of: $0.id, $1) }
    }
}
