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
    /// Rises whenever the capabilities of the app change, which makes its provisioning profiles stale.
    package let capabilitiesRevision: Int
    package let createdAt: Instant
    /// Whose it is.
    package let teamID: TeamID
    /// What the app may use; a change makes its provisioning profiles stale.
    package let capabilities: Set<AppCapability>
    /// Whether it is no app, but where the items of a team lie.
    package let isShelf: Bool
}

/// Something of the store that an app may use.
package struct AppCapability: WireValue {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let inAppPurchase = AppCapability(rawValue: "in_app_purchase")
    package static let known: Set<AppCapability> = [.inAppPurchase]

    static func set(_ text: String?) -> Set<AppCapability> {
        Set((text ?? "").split(separator: ",").map { AppCapability(rawValue: String($0)) })
    }
}

extension CatalogueApp {
    static let columns: SQL = """
        app_id, bundle_id, name, primary_language, capabilities_revision, created_at, app.team_id,
        capabilities, is_shelf
        """

    init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        bundleID = try cells.next()
        name = try cells.next()
        primaryLanguage = try cells.next()
        capabilitiesRevision = try cells.next()
        createdAt = try cells.next()
        teamID = try cells.next()
        capabilities = AppCapability.set(try cells.next())
        isShelf = try cells.next(as: Bool?.self) ?? false
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

    /// The apps of these numbers.
    package static func apps(
        all ids: some Sequence<AppID>, in transaction: any ReadTransaction
    ) throws -> [AppID: CatalogueApp] {
        let found = try transaction.query(
            "SELECT \(CatalogueApp.columns) FROM app WHERE app_id IN \(.numbers)", of: ids, row: CatalogueApp.init)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
    }

    /// The apps after a bundle id, in order of their bundle ids; those of a team, if one is named.
    package static func apps(
        of team: TeamID? = nil, after bundleID: BundleID? = nil, limit: Int, in transaction: any ReadTransaction
    ) throws -> [CatalogueApp] {
        try transaction.query(
            """
            SELECT \(CatalogueApp.columns) FROM app WHERE bundle_id > $1 AND ($3 = '' OR team_id = $3) AND is_shelf = 0
            ORDER BY bundle_id LIMIT $2
            """, bundleID?.text ?? "", limit, team?.text ?? "", row: CatalogueApp.init)
    }

    /// The apps of a team, in order of their bundle ids.
    package static func apps(of team: TeamID, in transaction: any ReadTransaction) throws -> [CatalogueApp] {
        try transaction.query(
            "SELECT \(CatalogueApp.columns) FROM app WHERE team_id = $1 AND is_shelf = 0 ORDER BY bundle_id", team,
            row: CatalogueApp.init)
    }

    /// All of a team that money is booked for: its apps, and where its items lie; in order of their bundle ids.
    package static func sellers(of team: TeamID, in transaction: any ReadTransaction) throws -> [CatalogueApp] {
        try transaction.query(
            "SELECT \(CatalogueApp.columns) FROM app WHERE team_id = $1 ORDER BY bundle_id", team,
            row: CatalogueApp.init)
    }

    /// Enters an app. Throws ``RefusalCode/appExists`` if there is one of its bundle id.
    ///
    /// - Parameters:
    ///   - team: whose it is; without one that of ``Teams/first``.
    ///   - isShelf: whether it is where the items of the team lie.
    @discardableResult
    package static func addApp(
        _ id: AppID, _ bundleID: BundleID, name: String, primaryLanguage: String, team: TeamID? = nil,
        isShelf: Bool = false, _ change: CatalogueChange
    ) throws -> CatalogueApp {
        let name = try CatalogueText.line(name, atMost: CatalogueLimits.appName, field: "name")
        let language = try CatalogueText.language(primaryLanguage, field: "primaryLanguage")
        guard try app(bundleID, in: change.transaction) == nil else {
            throw CatalogueError(.appExists, "there is an app \(bundleID)", field: "bundleId")
        }
        guard isShelf || !bundleID.text.hasPrefix(ItemShelf.prefix) else {
            throw CatalogueError(
                .valueInvalid, "what begins with \(ItemShelf.prefix) is where the items of a team lie",
                field: "bundleId")
        }
        try StoreNumbers.requireFree(id.number, in: change.transaction)
        let team = try Teams.ensure(team, change)
        return try CatalogueAudit.audit(.app(id), "entered", change) {
            try change.transaction.insert(
                into: "app",
                [
                    "app_id": id, "bundle_id": bundleID, "name": name, "primary_language": language,
                    "capabilities_revision": 1, "created_at": change.at, "team_id": team,
                    "capabilities": AppCapability.text([.inAppPurchase]), "is_shelf": isShelf,
                ])
            return try requireApp(id, in: change.transaction)
        }
    }

    package static func requireApp(_ id: AppID, in transaction: any ReadTransaction) throws -> CatalogueApp {
        guard let found = try app(id, in: transaction) else {
            throw CatalogueError(.appUnknown, "there is no app \(id)")
        }
        return found
    }

    /// Gives an app other capabilities. If they are others indeed, its provisioning profiles become stale.
    package static func setCapabilities(
        _ capabilities: Set<AppCapability>, of app: CatalogueApp, _ change: CatalogueChange
    ) throws -> CatalogueApp {
        guard let stranger = capabilities.first(where: { !$0.isKnown }) else {
            guard capabilities != app.capabilities else { return app }
            return try CatalogueAudit.audit(.app(app.id), "capabilities changed", change) {
                try change.transaction.execute(
                    """
                    UPDATE app SET capabilities = $2, capabilities_revision = capabilities_revision + 1 WHERE app_id = $1
                    """, app.id, AppCapability.text(capabilities))
                return try requireApp(app.id, in: change.transaction)
            }
        }
        let known = AppCapability.known.map(\.rawValue).sorted().joined(separator: ", ")
        throw CatalogueError(
            .valueInvalid, "there is no capability \(stranger); there are \(known)", field: "capabilities")
    }
}
