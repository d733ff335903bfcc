package import StoreCatalogue
import StoreDatabase
import StoreHTTPClient
import StoreLog
package import StoreModel
import StoreRules

/// Where developers have the notifications of their apps sent to, in one environment.
///
/// Each environment has addresses of its own. What happens in the sandbox is never sent to the address of production,
/// not even where the sandbox has none: the databases of the two are never joined.
package struct NotificationSettings: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// What a developer wants to have sent where.
    package struct Draft: Hashable, Sendable {
        package var url: String
        package var version: Int
        /// The names of the types; nil for all.
        package var types: [String]?
        /// Whether the sandbox tries again as production does.
        package var retries: Bool

        package init(
            url: String, version: Int = Notifications.newestVersion, types: [String]? = nil, retries: Bool = false
        ) {
            (self.url, self.version, self.types, self.retries) = (url, version, types, retries)
        }
    }

    /// An app, and where its notifications go.
    package struct Shown: Hashable, Sendable {
        package let app: CatalogueApp
        /// Nil if they go nowhere.
        package let setting: NotificationSetting?
    }

    /// Sets where the notifications of an app go from now on. What waits for another attempt goes there too.
    ///
    /// It is work with secrets: a developer may do it for the apps of the own team, with a token of the environment.
    package func set(_ draft: Draft, app bundle: BundleID, _ cause: ChangeCause) async throws -> Shown {
        try cause.require(.secrets)
        let app = try await app(bundle, cause.actor)
        let url = try NotificationAddress(draft.url, in: store).text
        let types = try draft.types.map(Self.types)
        guard NotificationSetting.versions.contains(draft.version) else {
            throw ServiceError(.valueInvalid, "the version is 1 or 2", parameter: "version")
        }
        let setting = NotificationSetting(
            of: app.id, url: url, version: draft.version, types: types,
            retries: draft.retries || store.environment == .production, setAt: store.clocks.wall(),
            actor: cause.actor.text)
        try await store.database.write { transaction in
            if let known = try NotificationSetting.find(of: app.id, in: transaction) {
                try transaction.update(setting, from: known, in: NotificationSetting.table)
            } else {
                try transaction.insert(setting, into: NotificationSetting.table)
            }
            try transaction.signal(Signal(.notifications, subject: app.id.description))
        }
        note("notifications.set", "The address for notifications was set.", app, cause)
        return Shown(app: app, setting: setting)
    }

    package func show(app bundle: BundleID, by actor: Actor) async throws -> Shown {
        let app = try await app(bundle, actor)
        return Shown(
            app: app, setting: try await store.database.read { try NotificationSetting.find(of: app.id, in: $0) })
    }

    /// All apps after one, in order of their bundle ids; those of the actor's team.
    package func list(by actor: Actor, after bundle: BundleID? = nil, limit: Int) async throws -> [Shown] {
        let settings = try await store.database.read { try NotificationSetting.all(in: $0) }
        return try await store.catalogue.read { transaction in
            try Catalogue.apps(of: actor.team, after: bundle, limit: limit, in: transaction).map {
                Shown(app: $0, setting: settings[$0.id])
            }
        }
    }

    /// Sends the notifications of an app nowhere any more. What was not delivered has failed.
    package func remove(app bundle: BundleID, _ cause: ChangeCause) async throws -> Shown {
        try cause.require(.secrets)
        let app = try await app(bundle, cause.actor)
        let wasThere = try await store.database.write { transaction in
            try NotificationDeliveries.close(of: app.id, in: transaction)
            return try transaction.execute("DELETE FROM notification_setting WHERE app_id = $1", app.id) > 0
        }
        if wasThere { note("notifications.removed", "The address for notifications was removed.", app, cause) }
        return Shown(app: app, setting: nil)
    }

    /// An app that the actor may look after.
    private func app(_ bundle: BundleID, _ actor: Actor) async throws -> CatalogueApp {
        let app = try await store.catalogue.lookUp { try Catalogue.app(bundle, in: $0) }
        guard let app, actor.team == nil || actor.team == app.teamID else {
            throw ServiceError(.appUnknown, "the store has no app \(bundle)", parameter: "bundleId")
        }
        return app
    }

    private static func types(_ names: [String]) throws -> Set<NotificationType> {
        guard !names.isEmpty else {
            throw ServiceError(
                .valueInvalid, "types names none; leave it out for all, or remove the address", parameter: "types")
        }
        let types = names.map { NotificationType(rawValue: $0) }
        for type in types {
            guard let reason = type.absence else { continue }
            throw ServiceError(.valueInvalid, "\(type) is never sent: \(reason)", parameter: "types")
        }
        return Set(types)
    }

    private func note(_ event: String, _ message: String, _ app: CatalogueApp, _ cause: ChangeCause) {
        store.log.info(
            event, message,
            [
                "environment": .text(store.environment.rawValue), "app": "\(app.bundleID)",
                "actor": .text(cause.actor.text),
            ])
    }
}

/// The address of a developer's server, as it may be set.
///
/// It is checked once more when a connection is made, after the name was resolved, see ``NotificationClient``.
struct NotificationAddress: Hashable, Sendable {
    let text: String

    /// Reads an address: `https`, or `http` within the own machine or network where that may be reached.
    init(_ text: String, in store: EnvironmentStore) throws {
        func refusal(_ reason: String) -> ServiceError { ServiceError(.valueInvalid, reason, parameter: "url") }
        guard (1...NotificationLimits.urlBytes).contains(text.utf8.count) else {
            throw refusal("the address has 1 to \(NotificationLimits.urlBytes) bytes")
        }
        let url: ClientURL
        do {
            url = try ClientURL(text)
        } catch {
            throw refusal("the address cannot be used: \(error.message)")
        }
        guard !text.contains("#") else { throw refusal("an address has no fragment") }
        let isPrivate = store.policy.reachesPrivateAddresses(in: store.environment)
        guard url.isSecure || isPrivate else {
            throw refusal(
                "an address begins with https://; http:// is for the own machine and network, which the store reaches from "
                    + "a sandbox that listens on loopback, or with --private-notifications")
        }
        let isHere = url.host.lowercased() == "localhost"
        let kind = isHere ? AddressKind.loopback : url.address?.kind
        if let kind, !NotificationClient.addresses(isSecure: url.isSecure, isPrivate: isPrivate).allowed.contains(kind)
        {
            throw refusal(
                url.isSecure || kind != .public
                    ? "\(url.host) is \(kind.words), which the store does not reach from here"
                    : "\(url.host) is a public address, where notifications are sent by https:// only")
        }
        self.text = text
    }
}
