import CommandOptions
import StoreModel
import StoreServer
import StoreSigning

/// `till keys rotate`
enum KeysRotate {
    static let from = Option<CertificateRole?>.optional(
        "from", .choice("ROLE", among: CertificateRole.chain),
        help:
            "The highest certificate to replace; those below it are replaced too. Without it the leaf, and the intermediate "
            + "of signed data where that names another place for online checks than the store has.")
    static let purpose = Option<ChainPurpose?>.optional(
        "purpose", .choice("PURPOSE", of: ChainPurpose.self), help: "Only this chain; both if left out.")
    static let revoke = Option<Bool>.flag(
        "revoke", help: "Declare the replaced certificates void, with all that they ever signed.")

    static let command = Command<TillProgram.Action>(
        "rotate", "Replace certificates and their keys by new ones.",
        discussion: """
            What the old certificates signed goes on verifying. A new leaf or intermediate stands under the same root, so \
            that nobody else has to do anything. A new root has to be given to everyone who verifies, beside the old one.

            With --revoke the replaced certificates vouch for nothing any more, whatever date a signature claims. That is \
            for keys that somebody else may have.

            A store that is running works with the new certificates when the command ends, and so do commands. With \
            PostgreSQL the command tells every server of the databases what is void, and waits for all of them. A server with \
            another data directory has the new keys only when they are brought there (till keys export, till keys \
            import); if its own certificate is void, it answers 503 until then. To replace keys without that, rotate \
            without --revoke, bring them to all servers, and revoke the old ones then (till keys revoke).

            Verifiers that check online ask about the new certificates at the store that runs; where none does, at the place \
            that the settings of till serve give, and without such settings where they ask about the certificates in use.
            """,
        options: [
            KeysOptions.requiredEnvironment, from, purpose, revoke, KeysOptions.passphraseFile, StandardOptions.json,
        ] + KeysAnnouncement.options + OnlineChecks.options,
        rules: ServeOptions.rules,
        examples: [
            Example("Renew the leaves of production", "till keys rotate --environment production"),
            Example(
                "Replace everything below the receipt root after a leak",
                "till keys rotate --environment production --purpose receipt --from intermediate --revoke"),
        ],
        exitCodes: [
            .badData.when("The passphrase is empty or too long."),
            .inputMissing.when("There are no keys to replace, or the passphrase file cannot be read."),
            .tryAgain.when("Another process is changing the keys."),
            .noPermission.when("The passphrase is missing or wrong; nothing was changed."),
            .configuration.when("The key store is damaged, or the issuing key is kept elsewhere."),
            .unavailable.when("The keys were replaced, but a server has not taken note; which one is said."),
        ],
        seeAlso: ["till keys show --all", "till keys root"],
        action: run)

    /// What a command prints with --json.
    private struct Result: Encodable {
        let certificates: [KeysReport.Certificate]
        let servers: [KeyServerReport]
    }

    /// Where verifiers shall ask about new certificates; nil for where they ask about those in use.
    private static func onlineChecks(
        _ environment: StoreEnvironment, _ arguments: ParsedArguments
    ) async throws -> String? {
        if let running = try await OnlineChecks.running(DataDirectory(arguments[DataOptions.data])) {
            return running[environment]
        }
        return OnlineChecks.isConfigured(arguments) ? OnlineChecks.configured(arguments)[environment] : nil
    }

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let store = KeysOptions.store(arguments)
        let environment = arguments[KeysOptions.requiredEnvironment]
        let purposes = arguments[purpose].map { [$0] } ?? ChainPurpose.allCases
        let address = try await onlineChecks(environment, arguments)
        let before = try Set(store.keyring(environment).entries.map(\.fingerprint))
        var passphrase = try Passphrase.fromFile(arguments)
        if passphrase == nil, try store.isProtected(environment) {
            passphrase = try Passphrase.askForExisting(context)
        }
        let isElsewhere = try address != nil && store.onlineChecks(of: environment) != address
        let parts = purposes.map { purpose in
            (purpose, arguments[from] ?? (isElsewhere && purpose == .jws ? .intermediate : .leaf))
        }
        try store.rotate(
            environment, parts, revoking: arguments[revoke], passphrase: passphrase, onlineChecks: address,
            at: context.now)
        let report = try KeysReport(store, environment)
        let made = report.certificates.filter { !before.contains($0.fingerprint) }
        let announced = try await KeysAnnouncement.make(arguments, context)
        if arguments[StandardOptions.json] {
            return try context.printJSON(Result(certificates: made, servers: announced.servers))
        }
        for certificate in made {
            context.print(
                "New \(certificate.purpose.rawValue) \(certificate.role.rawValue) \(certificate.number): "
                    + certificate.fingerprint)
        }
        if arguments[revoke] {
            context.print("What the replaced certificates signed is void from now on.")
        }
        try announced.print(environment, arguments, context)
        if arguments[from] == .root {
            context.print("Give the new root to everyone who verifies:")
            for purpose in purposes {
                context.print(
                    "  till keys root --environment \(environment.rawValue) --purpose \(purpose.rawValue) --all")
            }
        }
    }
}

/// `till keys revoke`
enum KeysRevoke {
    static let fingerprint = Argument<String>.required(
        .text("FINGERPRINT"), help: "The fingerprint that 'till keys show --all' gives, or its first 16 digits or more."
    )

    static let command = Command<TillProgram.Action>(
        "revoke", "Declare a certificate void that was replaced earlier.",
        discussion: """
            For a key of which it turns out later that somebody else had it. What it signed, and what stands under it, is \
            void from now on, whatever date a signature claims. There is no way back.

            A certificate in use is replaced and revoked in one step by 'till keys rotate --revoke'.
            """,
        options: [KeysOptions.requiredEnvironment, StandardOptions.json] + KeysAnnouncement.options,
        arguments: [fingerprint],
        examples: [
            Example("Revoke an earlier leaf", "till keys revoke --environment production 7984d8475bd4af2b")
        ],
        exitCodes: [
            .inputMissing.when("There are no keys, or none with this fingerprint."),
            .badData.when("The certificate is in use, or the digits fit several."),
            .tryAgain.when("Another process is changing the keys."),
            .configuration.when("The key store is damaged."),
            .unavailable.when("It was revoked, but a server has not taken note; which one is said."),
        ],
        seeAlso: ["till keys show --all", "till keys rotate --revoke"],
        action: run)

    private static let fewestDigits = 16

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let store = KeysOptions.store(arguments)
        let environment = arguments[KeysOptions.requiredEnvironment]
        let digits = arguments[fingerprint].lowercased()
        guard digits.count >= fewestDigits, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw CommandFailure(.usage, "FINGERPRINT must be at least \(fewestDigits) hexadecimal digits")
        }
        let found = try store.keyring(environment).entries.filter { $0.fingerprint.hasPrefix(digits) }
        guard let entry = found.first else {
            throw CommandFailure(.inputMissing, "no \(environment.rawValue) certificate has the fingerprint \(digits)")
        }
        guard found.count == 1 else {
            throw CommandFailure(.badData, "\(found.count) certificates begin with \(digits); give more digits")
        }
        guard entry.retiredAt != nil else {
            throw CommandFailure(
                .badData,
                "\(entry.fileName) is in use; replace and revoke it with: till keys rotate --environment "
                    + "\(environment.rawValue) --purpose \(entry.purpose.rawValue) --from \(entry.role.rawValue) --revoke"
            )
        }
        try store.revoke(entry, of: environment, at: context.now)
        let announced = try await KeysAnnouncement.make(arguments, context)
        if arguments[StandardOptions.json] {
            let report = try KeysReport(store, environment)
            return try context.printJSON(
                ["certificates": report.certificates.filter { $0.fingerprint == entry.fingerprint }])
        }
        context.print("Revoked \(entry.fileName). What it signed is void from now on.")
        try announced.print(environment, arguments, context)
    }
}
