import CommandOptions
import StoreDatabase
import StoreLog
import StoreModel
import StoreService
import StoreSigning

/// Makes the keys that a store lacks when it starts, and reads those that it has.
struct ServingKeys: Sendable {
    private let settings: ServeSettings
    private let keys: KeyStore
    private let onlineChecks: [StoreEnvironment: String]
    private let now: Instant
    private let log: Log

    init(_ settings: ServeSettings, _ places: ListeningPlaces, at now: Instant, _ log: Log) {
        self.settings = settings
        keys = KeyStore(dataDirectory: settings.directory.path)
        onlineChecks = places.onlineChecks(settings)
        self.now = now
        self.log = log
    }

    /// The keys of both environments.
    func load(for store: OpenStore) async throws -> [StoreEnvironment: EnvironmentKeys] {
        var loaded: [StoreEnvironment: EnvironmentKeys] = [:]
        for environment in StoreEnvironment.allCases {
            let database = store.databases[environment]
            let first = try await database.read { try StoreProperty.value(of: "first-root", in: $0) }
            let isThere = try keys.hasKeys(environment)
            guard first == nil || isThere else {
                throw CommandFailure(
                    .configuration,
                    "this database has been signed for with \(environment.rawValue) keys that are not in \(keys.path); bring "
                        + "them from the other server (till keys export, till keys import) or from a backup, or begin with "
                        + "others, by which nothing that was signed can be verified: till keys init")
            }
            // A wrong passphrase fails now, not at the first purchase.
            let created = try keys.create(
                environment, organization: settings.organization, passphrase: settings.passphrase,
                onlineChecks: onlineChecks[environment], at: now)
            if created {
                log.info(
                    "keys.created", "Made the keys of \(environment).", ["environment": .text(environment.rawValue)])
            } else {
                try followAddress(of: environment, isNew: first == nil)
            }
            loaded[environment] = try keys.load(environment, passphrase: settings.passphrase)
            try await requireOwn(environment, in: database)
        }
        return loaded
    }

    /// Has new certificates name the address of the store, where nobody who verifies could mind; else says that they do not.
    ///
    /// - Parameter isNew: whether nothing was signed yet.
    private func followAddress(of environment: StoreEnvironment, isNew: Bool) throws {
        guard let address = onlineChecks[environment] else { return }
        let known = try keys.onlineChecks(of: environment)
        guard known != address else { return }
        let isOurs = environment == .sandbox || settings.isForDevelopment || isNew
        let details: KeyValuePairs<String, LogValue> = [
            "environment": .text(environment.rawValue), "address": .text(address),
        ]
        // Servers that share a database have the same keys, which none of them changes alone.
        if isOurs, settings.database == .sqlite,
            try keys.moveOnlineChecks(of: environment, to: address, passphrase: settings.passphrase, at: now)
        {
            log.info("keys.moved", "New certificates name where they are asked about online.", details)
            return
        }
        log.warning(
            "keys.address",
            "Certificates are asked about online at \(address), and "
                + (known.map { "those in use name \($0)" } ?? "those in use name no such place")
                + "; mend it with: \(OnlineChecks.remedy(environment))", details)
    }

    /// Notes by which keys the database was signed for first, and warns where these are others.
    private func requireOwn(_ environment: StoreEnvironment, in database: any Database) async throws {
        let roots = try keys.keyring(environment).entries.filter { $0.purpose == .receipt && $0.role == .root }
        guard let own = roots.first?.fingerprint else { return }
        let kept = try await database.write { try StoreProperty.keepFirst(own, as: "first-root", in: $0) }
        guard !roots.contains(where: { $0.fingerprint == kept }) else { return }
        log.warning(
            "keys.other",
            "This database has been signed for with other keys; what they signed cannot be verified here. Servers of one "
                + "database need the same ones (till keys export, till keys import).",
            ["environment": .text(environment.rawValue)])
    }
}
