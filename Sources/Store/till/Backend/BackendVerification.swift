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
        self.settings = settings
        let pinned = try Self.pinned(arguments)
        let (asked, store) = try Self.verifier(arguments)
        connection = store.flatMap { $0.hasKey ? $0 : nil }
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
        guard !bundles.isEmpty else { throw CommandFailure(.usage, "name an app with --bundle") }
        return bundles
    }

    /// The root certificates of both environments.
    private static func pinned(_ arguments: ParsedArguments) throws -> [PinnedStore] {
        let roots = try arguments[BackendOptions.roots].map(file)
        let own = try arguments[BackendOptions.sandboxRoots].map(file)
        return [PinnedStore(.production, roots: roots), PinnedStore(.sandbox, roots: own.isEmpty ? roots : own)]
            .filter { !$0.roots.isEmpty }
    }

    private static func connection(_ arguments: ParsedArguments) throws -> StoreConnection {
        let (production, sandbox) = (arguments[BackendOptions.store], arguments[BackendOptions.sandboxStore])
        let addresses =
            production == nil && sandbox == nil
            ? StoreAddresses.apple : try StoreAddresses(production: production, sandbox: sandbox)
        let secret = try arguments[BackendOptions.secretFile].map(line)
        return StoreConnection(
            addresses, key: try key(arguments),
            sharedSecrets: secret.map { secret in
                Dictionary(uniqueKeysWithValues: StoreEnvironment.allCases.map { ($0, secret) })
            } ?? [:])
    }

    private static func key(_ arguments: ParsedArguments) throws -> StoreKey? {
        guard let path = arguments[BackendOptions.key], let id = arguments[BackendOptions.keyID],
            let issuer = arguments[BackendOptions.issuer]
        else { return nil }
        return try StoreKey(issuerID: issuer, keyID: id, privateKey: String(decoding: file(path), as: UTF8.self))
    }

    /// The longest file that an option names.
    private static let fileBytes = 1 << 20

    private static func file(_ path: String) throws -> [UInt8] {
        let bytes = try InputFile.read(path, limit: fileBytes)
        guard bytes.count <= fileBytes else { throw CommandFailure(.badData, "\(path) is longer than 1 MiB") }
        return bytes
    }

    /// The first line of a file.
    private static func line(_ path: String) throws -> String {
        let text = String(decoding: try file(path), as: UTF8.self)
        return String(text.prefix { !$0.isNewline })
    }
}
