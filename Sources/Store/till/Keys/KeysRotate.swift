import CommandOptions
import StoreModel
import StoreSigning

/// `till keys rotate`
enum KeysRotate {
    static let from = Option<CertificateRole>.defaulted(
        "from", .choice("ROLE", of: CertificateRole.self), to: .leaf,
        help: "The highest certificate to replace; those below it are replaced too.")
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

            A store that is running goes on signing with the keys it started with until it is restarted.
            """,
        options: [
            KeysOptions.requiredEnvironment, from, purpose, revoke, KeysOptions.passphraseFile, StandardOptions.json,
        ],
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
        ],
        seeAlso: ["till keys show --all", "till keys root"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let store = KeysOptions.store(arguments)
        let environment = arguments[KeysOptions.requiredEnvironment]
        let role = arguments[from]
        let purposes = arguments[purpose].map { [$0] } ?? ChainPurpose.allCases
        let before = try Set(store.keyring(environment).entries.map(\.fingerprint))
        var passphrase = try Passphrase.fromFile(arguments)
        if passphrase == nil, try store.isProtected(environment) {
            passphrase = try Passphrase.askForExisting(context)
        }
        try store.rotate(
            environment, purposes: purposes, from: role, revoking: arguments[revoke], passphrase: passphrase,
            at: context.now)
        let report = try KeysReport(store, environment)
        let made = report.certificates.filter { !before.contains($0.fingerprint) }
        if arguments[StandardOptions.json] { return try context.printJSON(["certificates": made]) }
        for certificate in made {
            context.print(
                "New \(certificate.purpose.rawValue) \(certificate.role.rawValue) \(certificate.number): "
                    + certificate.fingerprint)
        }
        if arguments[revoke] {
            context.print("What the replaced certificates signed is void from now on.")
        }
        if role == .root {
            context.print("Give the new root to everyone who verifies:")
            for purpose in purposes {
                context.print(
                    "  till keys root --environment \(environment.rawValue) --purpose \(purpose.rawValue) --all")
            }
        }
    }
}
