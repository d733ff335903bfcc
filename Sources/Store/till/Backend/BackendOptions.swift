import CommandOptions
import Foundation
import StoreBackend
import StoreHTTP
import StoreModel

/// The options of `till backend`.
enum BackendOptions {
    static let data = Option.defaulted(
        "data", .directory(), to: "./till_backend", environment: "TILL_BACKEND_DATA",
        help: "The data directory of the server.")

    static let database = Option<DatabaseAddress>.defaulted(
        "database",
        // The text may hold a password.
        ValueFormat(
            "URL", rule: "the word sqlite, or the postgresql:// URL of a database", isSecret: true,
            describe: { $0 == .sqlite ? "sqlite" : "postgresql://…" }, parse: { DatabaseAddress($0) }),
        to: .sqlite, environment: "TILL_BACKEND_DATABASE",
        help: "Where the database is: a file in the data directory, or a PostgreSQL server.")

    /// Those of every command that opens the database.
    static let place: [any OptionDeclaration] = [data, database]

    static let bundles = Option<[BundleID]>.repeated(
        "bundle", bundleFormat, help: "An app whose purchases are taken; may be given several times.")

    static let bundle = Argument<BundleID>.required(bundleFormat, help: "The app.")

    private static let bundleFormat = ValueFormat<BundleID>(
        "BUNDLE", rule: "the bundle id of an app, as com.example.app", parse: { BundleID($0) })

    static let listen = Option<ListenAddress>.defaulted(
        "listen", ListenAddress.format, to: .loopback(port: 8090), environment: "TILL_BACKEND_LISTEN",
        help: "Where apps and the store reach the server.")

    static let certificate = Option<String?>.optional(
        "tls-cert", .file(), environment: "TILL_BACKEND_TLS_CERT",
        help: "The certificate chain of the server, in PEM. SIGHUP reads it again.")

    static let certificateKey = Option<String?>.optional(
        "tls-key", .file(), environment: "TILL_BACKEND_TLS_KEY",
        help: "The private key of that certificate, in PEM.")

    static let store = Option<String?>.optional(
        "store", .text("URL"), environment: "TILL_BACKEND_STORE",
        help: "The address of the store, if it is not the App Store.")

    static let sandboxStore = Option<String?>.optional(
        "store-sandbox", .text("URL"), environment: "TILL_BACKEND_STORE_SANDBOX",
        help: "The address of the store's sandbox, if it is not that of the App Store.")

    static let roots = Option<[String]>.repeated(
        "root", .file(),
        help: "A root certificate of the store, in PEM or DER. It is the sandbox's too, unless --sandbox-root is given."
    )

    static let sandboxRoots = Option<[String]>.repeated(
        "sandbox-root", .file(), help: "A root certificate of the store's sandbox, where that has its own.")

    static let key = Option<String?>.optional(
        "key", .file(), environment: "TILL_BACKEND_KEY",
        help: "The private key for the App Store Server API, a file of .p8.")

    static let keyID = Option<String?>.optional(
        "key-id", .text("ID"), environment: "TILL_BACKEND_KEY_ID", help: "The id of that key.")

    static let issuer = Option<String?>.optional(
        "issuer", .text("ID"), environment: "TILL_BACKEND_ISSUER", help: "The id of the team that the key is of.")

    static let secretFile = Option<String?>.optional(
        "shared-secret-file", .file(), environment: "TILL_BACKEND_SHARED_SECRET_FILE",
        help:
            "A file with the shared secret of all apps, or a line BUNDLE SECRET for each: receipts of subscriptions need it."
    )

    static let sandboxSecretFile = Option<String?>.optional(
        "sandbox-shared-secret-file", .file(), environment: "TILL_BACKEND_SANDBOX_SHARED_SECRET_FILE",
        help: "The same for the store's sandbox, where that has its own secrets, as that of Till has.")

    static let isOffline = Option<Bool>.flag(
        "offline", environment: "TILL_BACKEND_OFFLINE",
        help: "Verify by the root certificates alone, and never ask the store.")

    static let policy = Option<OwnershipPolicy>.defaulted(
        "policy", .choice("POLICY", of: OwnershipPolicy.self), to: .keep, environment: "TILL_BACKEND_POLICY",
        help:
            "Whose a purchase is that a second user brings: the first's (keep), the second's (transfer), or both's (share)."
    )

    static let ignoresAccountTokens = Option<Bool>.flag(
        "ignore-account-tokens", environment: "TILL_BACKEND_IGNORE_ACCOUNT_TOKENS",
        help: "An appAccountToken of a purchase is not the id of a user here: it says nothing of whose that is.")

    static let catchUp = Option<Duration>.defaulted(
        "catch-up", .duration(), to: .seconds(3600), environment: "TILL_BACKEND_CATCH_UP",
        help: "How often the store is asked whether a notification was missed, where there is a key.")

    static let requestsPerMinute = rate(
        "requests-per-minute", "TILL_BACKEND_REQUESTS_PER_MINUTE", "Requests from one address, or one /64 of IPv6",
        BackendServerLimits().requestsPerMinute, countsLocal: false)

    static let accountsPerMinute = rate(
        "accounts-per-minute", "TILL_BACKEND_ACCOUNTS_PER_MINUTE",
        "Accounts made and passwords tried from one address", BackendServerLimits().accountsPerMinute,
        countsLocal: false)

    static let proofsPerMinute = rate(
        "proofs-per-minute", "TILL_BACKEND_PROOFS_PER_MINUTE", "Proofs of payment of one user",
        BackendServerLimits().proofsPerMinute, countsLocal: true)

    static let refusedProofsPerMinute = rate(
        "refused-proofs-per-minute", "TILL_BACKEND_REFUSED_PROOFS_PER_MINUTE",
        "Proofs of payment from one address that do not hold", BackendServerLimits().refusedProofsPerMinute,
        countsLocal: false)

    private static func rate(
        _ name: String, _ variable: String, _ what: String, _ standard: Int?, countsLocal: Bool
    ) -> Option<Int?> {
        .optional(
            name, .integer("COUNT", in: 0...1_000_000), environment: variable,
            help: "\(what) in a minute; 0 for as many as come. Without it \(standard ?? 0)"
                + (countsLocal ? "." : ", but for those from this machine."))
    }

    static let metricsFor = Option<[String]?>.optional(
        "metrics-for",
        .list(of: ValueFormat("ADDRESS", rule: "a numeric address") { PeerAddress.isNumeric($0) ? $0 : nil }),
        environment: "TILL_BACKEND_METRICS_FOR", help: "Who may read GET /metrics, beside this machine.")

    /// Those that decide what the server takes, and from whom.
    static let limits: [any OptionDeclaration] = [
        requestsPerMinute, accountsPerMinute, proofsPerMinute, refusedProofsPerMinute, metricsFor,
    ]

    /// How the store is known.
    static let verification: [any OptionDeclaration] = [
        store, sandboxStore, roots, sandboxRoots, key, keyID, issuer, secretFile, sandboxSecretFile,
        isOffline,
    ]

    /// A certificate needs its key, and a key its names.
    static let rules: [OptionRule] =
        [.option(certificate, needs: certificateKey), .option(certificateKey, needs: certificate)] + verificationRules

    /// Those of ``verification``.
    static let verificationRules: [OptionRule] = [
        .option(key, needs: keyID), .option(key, needs: issuer), .option(isOffline, needs: roots),
    ]
}
