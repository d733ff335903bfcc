import CommandOptions
import Foundation
import StoreBackend
import StoreLog
import StoreModel

/// Who says whether a proof is true, as the options of `till backend serve` have it.
struct BackendVerification {
    let settings: BackendSettings
    let verifier: any PaymentVerifier
    /// Who reads what the store tells; nil without root certificates.
    let notifications: NotificationVerifier?
    /// The store, where it can be asked for what was missed.
    let connection: StoreConnection?

    init(_ arguments: ParsedArguments, _ log: Log) throws {
        let bundles = try Self.bundles(arguments)
        var settings = BackendSettings(bundleIDs: bundles)
        settings.ownership = arguments[BackendOptions.policy]
        settings.honorsAppAccountTokens = !arguments[BackendOptions.ignoresAccountTokens]
        if let perMinute = arguments[BackendOptions.accountsPerMinute] {
            let minutes = Int(settings.limits.guessSeconds / 60)
            settings.limits.accountsPerAddress = perMinute == 0 ? nil : perMinute * minutes
        }
        self.settings = settings
        let pinned = try Self.pinned(arguments)
        if pinned.isEmpty {
            log.warning(
                "notifications.untrusted",
                "There is no root: notifications of the store are refused, and refunds stay unknown. Give its roots with --root."
            )
        }
        for path in [arguments[BackendOptions.secretFile], arguments[BackendOptions.sandboxSecretFile]].compactMap(
            \.self)
        where try !SharedSecrets(path).areUsual {
            log.warning(
                "secret.unusual", "A shared secret is not of 32 hexadecimal digits, as those of stores are.",
                ["file": .text(path)])
        }
        let (asked, store) = try Self.verifier(arguments)
        connection = store.flatMap { $0.hasKey ? $0 : nil }
        if let store { Self.warn(about: bundles, in: store, log) }
        notifications = pinned.isEmpty ? nil : try NotificationVerifier(pinned, bundleIDs: bundles)
        verifier = RememberedVerdicts(LoggedVerifier(asked, log: log))
    }

    /// What verifies proofs, and the store that it asks, if it asks one.
    static func verifier(_ arguments: ParsedArguments) throws -> (any PaymentVerifier, StoreConnection?) {
        let (bundles, pinned) = (try bundles(arguments), try pinned(arguments))
        guard !arguments[BackendOptions.isOffline] else {
            return (try PinnedVerifier(pinned, bundleIDs: bundles), nil)
        }
        let store = try connection(arguments)
        return (try StoreVerifier(store, bundleIDs: bundles, roots: pinned), store)
    }

    private static func bundles(_ arguments: ParsedArguments) throws -> Set<BundleID> {
        let bundles = Set(arguments[BackendOptions.bundles])
        guard !bundles.isEmpty else {
            throw CommandFailure(.usage, "name an app with --bundle, such as com.example.app")
        }
        return bundles
    }

    /// The root certificates of both environments.
    private static func pinned(_ arguments: ParsedArguments) throws -> [PinnedStore] {
        let roots = try arguments[BackendOptions.roots].map(root)
        let own = try arguments[BackendOptions.sandboxRoots].map(root)
        return [PinnedStore(.production, roots: roots), PinnedStore(.sandbox, roots: own.isEmpty ? roots : own)]
            .filter { !$0.roots.isEmpty }
    }

    /// The certificates of a file, which is named where it has none.
    private static func root(_ path: String) throws -> [UInt8] {
        let bytes = try file(path)
        do {
            try PinnedStore(.production, roots: [bytes]).check()
            return bytes
        } catch let error as BackendError {
            throw CommandFailure(.badData, "\(path) is no root certificate. \(error.message)")
        }
    }

    private static func connection(_ arguments: ParsedArguments) throws -> StoreConnection {
        let (production, sandbox) = (arguments[BackendOptions.store], arguments[BackendOptions.sandboxStore])
        let addresses =
            production == nil && sandbox == nil
            ? StoreAddresses.apple : try StoreAddresses(production: production, sandbox: sandbox)
        let secrets = try arguments[BackendOptions.secretFile].map(SharedSecrets.init)
        let sandboxSecrets = try arguments[BackendOptions.sandboxSecretFile].map(SharedSecrets.init) ?? secrets
        func known(_ secret: (SharedSecrets) -> String?) -> [StoreEnvironment: String] {
            var known: [StoreEnvironment: String] = [:]
            known[.production] = secrets.flatMap(secret)
            known[.sandbox] = sandboxSecrets.flatMap(secret)
            return known
        }
        var appSecrets: [BundleID: [StoreEnvironment: String]] = [:]
        for app in try bundles(arguments) { appSecrets[app] = known { $0.ofApps[app] } }
        return StoreConnection(
            addresses, key: try key(arguments), sharedSecrets: known(\.ofAll), appSecrets: appSecrets)
    }

    private static func key(_ arguments: ParsedArguments) throws -> StoreKey? {
        guard let path = arguments[BackendOptions.key], let id = arguments[BackendOptions.keyID],
            let issuer = arguments[BackendOptions.issuer]
        else { return nil }
        return try StoreKey(issuerID: issuer, keyID: id, privateKey: String(decoding: file(path), as: UTF8.self))
    }

    /// The longest file that an option names.
    private static let fileBytes = 1 << 20

    static func file(_ path: String) throws -> [UInt8] {
        let bytes = try InputFile.read(path, limit: fileBytes)
        guard bytes.count <= fileBytes else { throw CommandFailure(.badData, "\(path) is longer than 1 MiB") }
        return bytes
    }

    /// Says at the start what cannot be verified, because nobody gave a secret for it.
    private static func warn(about bundles: Set<BundleID>, in store: StoreConnection, _ log: Log) {
        for app in bundles.sorted(by: { $0.text < $1.text }) {
            let without = store.environments.filter { !store.hasSharedSecret(of: app, in: $0) }
            guard !without.isEmpty else { continue }
            log.warning(
                "backend.no_secret",
                "There is no shared secret: receipts of customers with a subscription that renews will not be taken. "
                    + "Give it with --shared-secret-file.",
                [
                    "app": .text(app.text),
                    "environments": .text(without.map(\.rawValue).sorted().joined(separator: ", ")),
                ])
        }
    }
}

/// The shared secrets in a file: one line with that of all apps, or a line `BUNDLE SECRET` for each app.
struct SharedSecrets {
    private(set) var ofAll: String?
    private(set) var ofApps: [BundleID: String] = [:]

    init(_ path: String) throws {
        let text = String(decoding: try BackendVerification.file(path), as: UTF8.self)
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            if words.count == 1, ofAll == nil {
                ofAll = words[0]
            } else if words.count == 2, let app = BundleID(words[0]) {
                ofApps[app] = words[1]
            } else if !words.isEmpty {
                throw CommandFailure(
                    .badData, "\(path) has something else than one secret, or lines of a bundle id and its secret")
            }
        }
        guard ofAll != nil || !ofApps.isEmpty else { throw CommandFailure(.badData, "\(path) has no shared secret") }
    }

    /// Whether each looks like those that the App Store and Till make.
    var areUsual: Bool { (Array(ofApps.values) + [ofAll].compactMap(\.self)).allSatisfy(Self.isUsual) }

    /// Whether a shared secret looks like those that the App Store and Till make.
    static func isUsual(_ secret: String) -> Bool { secret.count == 32 && secret.allSatisfy(\.isHexDigit) }
}
