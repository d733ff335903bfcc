import StoreDatabase
package import StoreFoundation
package import StoreModel
package import StoreRules
package import StoreSigning

/// An app, and whether servers can have its receipts verified in an environment.
package struct ListedApp: Hashable, Sendable {
    package let app: CatalogueApp
    package let hasSharedSecret: Bool
}

extension CatalogueEditing {
    /// The apps after a bundle id that the actor may see.
    package func apps(
        after id: BundleID?, limit: Int, in environment: StoreEnvironment
    ) async throws -> [ListedApp] {
        try await read { transaction in
            let secrets = try SharedSecrets.all(in: environment, transaction)
            return try Catalogue.apps(of: actor.team, after: id, limit: limit, in: transaction).map {
                ListedApp(app: $0, hasSharedSecret: secrets[$0.id] != nil)
            }
        }
    }

    package func app(_ id: BundleID, in environment: StoreEnvironment) async throws -> ListedApp {
        try await read { transaction in
            let app = try app(id, in: transaction)
            let secret = try SharedSecrets.find(of: app.id, in: environment, transaction)
            return ListedApp(app: app, hasSharedSecret: secret != nil)
        }
    }

    /// Enters an app of the actor's team, else of the team that is named, else of the first.
    ///
    /// - Parameter storeID: the number that it brings; nil for the next of the store.
    package func addApp(
        _ id: BundleID, name: String, primaryLanguage: String?, team: TeamID?, storeID: Int64? = nil
    ) async throws -> ListedApp {
        if let team { try requireTeam(team) }
        let number = try await StoreNumbers.next(numbers, in: database)
        let app = try await write { change in
            if let storeID { try StoreNumbers.requireBrought(storeID, in: change.transaction) }
            return try Catalogue.addApp(
                AppID(number: storeID ?? number), id, name: name, primaryLanguage: primaryLanguage ?? "en-US",
                team: actor.team ?? team, change)
        }
        return ListedApp(app: app, hasSharedSecret: false)
    }

    package func setCapabilities(
        _ capabilities: Set<AppCapability>, of id: BundleID, in environment: StoreEnvironment
    ) async throws -> ListedApp {
        try await change(id) { app, change in
            let secret = try SharedSecrets.find(of: app.id, in: environment, change.transaction)
            return ListedApp(
                app: try Catalogue.setCapabilities(capabilities, of: app, change),
                hasSharedSecret: secret != nil)
        }
    }

    /// What a store id is of, if the actor may see it.
    package func item(_ id: String) async throws -> StoreItem {
        try await read { transaction in
            let found = try StoreItem.require(id, of: actor.team, in: transaction)
            let team = try Catalogue.app(found.bundleID, in: transaction)?.teamID
            guard actor.team == nil || team == actor.team else {
                throw CatalogueError(.nameUnknown, "the team has no app and no product \(id)", field: "storeId")
            }
            return found
        }
    }
}

// MARK: Versions

extension CatalogueEditing {
    package func versions(of id: BundleID) async throws -> [AppVersion] {
        try await read { try AppVersions.list(of: app(id, in: $0).id, in: $0) }
    }

    package func addVersion(_ version: String, of id: BundleID) async throws -> AppVersion {
        try await change(id) { try AppVersions.add(version, of: $0.id, $1) }
    }

    /// Takes a version a step on, and the products with it that were submitted together.
    package func advance(
        _ version: String, of id: BundleID, by event: AppVersionReview.Event
    ) async throws -> AppVersion {
        try await advance(version, of: id, by: event, because: nil)
    }

    /// Decides about a version, and with it about what was submitted together.
    package func decide(
        _ decision: ProductReviews.Decision, aboutVersion version: String, of id: BundleID
    ) async throws -> AppVersion {
        switch decision {
        case .approve: try await advance(version, of: id, by: .approved, because: nil)
        case .reject(let reason, let message):
            try await advance(version, of: id, by: .rejected, because: .init(reason, message: message))
        }
    }

    private func advance(
        _ version: String, of id: BundleID, by event: AppVersionReview.Event, because rejection: AppVersion.Rejection?
    ) async throws -> AppVersion {
        let isOfReview = [.begun, .approved, .rejected].contains(event)
        return try await change(id, for: isOfReview ? .review : .catalogue) {
            try AppVersions.advance(event, version, of: $0.id, because: rejection, $1)
        }
    }
}

// MARK: Secrets

extension CatalogueEditing {
    package func sharedSecret(of id: BundleID, in environment: StoreEnvironment) async throws -> String? {
        try await read(for: .secrets) { try SharedSecrets.find(of: app(id, in: $0).id, in: environment, $0) }
    }

    /// Gives an app another secret, which is void in the other environment.
    package func makeSharedSecret(
        of id: BundleID, in environment: StoreEnvironment, _ random: RandomBytes
    ) async throws -> String {
        let secret = SharedSecrets.secret(of: try random(SharedSecrets.byteCount))
        try await change(id, for: .secrets) { try SharedSecrets.set(secret, of: $0.id, in: environment, $1) }
        return secret
    }

    package func removeSharedSecret(of id: BundleID, in environment: StoreEnvironment) async throws {
        try await change(id, for: .secrets) { try SharedSecrets.set(nil, of: $0.id, in: environment, $1) }
    }

    package func primarySecret(in environment: StoreEnvironment) async throws -> String? {
        try await read(for: .teams) { try SharedSecrets.primary(in: environment, $0) }
    }

    package func makePrimarySecret(in environment: StoreEnvironment, _ random: RandomBytes) async throws -> String {
        let secret = SharedSecrets.secret(of: try random(SharedSecrets.byteCount))
        try await write(for: .teams) { try SharedSecrets.setPrimary(secret, in: environment, $0) }
        return secret
    }

    package func removePrimarySecret(in environment: StoreEnvironment) async throws {
        try await write(for: .teams) { try SharedSecrets.setPrimary(nil, in: environment, $0) }
    }
}

// MARK: Files

extension CatalogueEditing {
    /// Brings teams and apps up to a file. Of a file that a team brings, all apps are its own. Whoever may enrol teams brings
    /// those that are not there, or are called otherwise.
    package func run(_ order: CatalogueImport) async throws -> ImportReports {
        if actor.team != nil {
            for id in order.bundleIDs { _ = try await app(id) }
        }
        return try await order.run(in: database, numbers: numbers, at: now())
    }

    /// All teams and apps that the actor may see as a file of our own.
    package func export() async throws -> JSONNode {
        let now = now()
        return try await read(for: .secrets) { transaction in
            var apps: [CatalogueApp] = []
            while true {
                let page = try Catalogue.apps(
                    of: actor.team, after: apps.last?.bundleID, limit: Self.exportedAtOnce, in: transaction)
                apps += page
                if page.count < Self.exportedAtOnce { break }
            }
            let teams =
                try actor.team.map { [try Teams.require($0, in: transaction)] }
                ?? Teams.list(limit: Teams.most, in: transaction)
            let items = try CatalogueFile.itemNodes(of: teams, at: now, in: transaction)
            return try CatalogueFile.export(apps, of: teams, items: items, at: now, in: transaction)
        }
    }

    private static let exportedAtOnce = 100

    package func export(_ id: BundleID) async throws -> JSONNode {
        let now = now()
        return try await read(for: .secrets) { transaction in
            let app = try app(id, in: transaction)
            let team = try Teams.require(app.teamID, in: transaction)
            let item = try ItemShelf.item(of: app.id, in: transaction)
            let items = try item.map { [try CatalogueFile.itemNode($0, at: now, in: transaction)] } ?? []
            return try CatalogueFile.export([app], of: [team], items: items, at: now, in: transaction)
        }
    }

    /// An app as a file for Xcode, and what has no place in it.
    ///
    /// - Parameter storefront: whose prices it has; else that of the imported file, or the United States.
    package func exportForXcode(
        _ id: BundleID, in storefront: StorefrontRecord?
    ) async throws -> (file: JSONNode, omitted: [FileFinding]) {
        let commerce = commerce()
        return try await read(for: .secrets) { transaction in
            let app = try app(id, in: transaction)
            guard !app.isShelf else {
                throw CatalogueError(.appUnknown, "no app asks StoreKit for items of the storefront", field: "bundleId")
            }
            return try StoreKitFile.export(app, in: storefront, at: commerce, transaction)
        }
    }
}
