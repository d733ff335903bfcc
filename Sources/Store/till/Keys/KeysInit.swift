import CommandOptions
import StoreModel
import StoreSigning

/// `till keys init`
enum KeysInit {
    static let organization = Option<String>.defaulted(
        "organization", .text("NAME"), to: "Till", environment: "TILL_ORGANIZATION",
        help: "The operator's name, which stands in every certificate.")
    static let askPassphrase = Option<Bool>.flag(
        "ask-passphrase", help: "Ask for a passphrase that protects the private keys.")

    static let command = Command<TillProgram.Action>(
        "init", "Make the keys of a store, where it has none yet.",
        discussion: """
            Environments that have keys are left as they are, so that the command may be run any number of times.

            Without a passphrase the private keys are protected by their file mode alone (0600). With one, every private \
            key is encrypted (PKCS#8, scrypt, AES-256) and the store asks for it when it starts.
            """,
        options: [
            KeysOptions.environment, organization, KeysOptions.passphraseFile, askPassphrase, StandardOptions.json,
        ],
        rules: [.atMostOne(KeysOptions.passphraseFile, askPassphrase)],
        examples: [
            Example("Make the keys of both environments in ./till_data", "till keys init"),
            Example(
                "Make production keys under a passphrase",
                "till keys init --data /srv/till --environment production --passphrase-file /run/secrets/till"),
        ],
        exitCodes: [
            .tryAgain.when("Another process is making keys."),
            .badData.when("The passphrase is empty, too long, or not the same the second time."),
            .inputMissing.when("The passphrase file cannot be read."),
            .configuration.when("The key store cannot be written or is damaged."),
        ],
        seeAlso: ["till keys show"],
        action: run)

    private struct Result: Encodable {
        let environment: StoreEnvironment
        let created: Bool
        let path: String
    }

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let store = KeysOptions.store(arguments)
        let name = try organization(arguments)
        let passphrase =
            try arguments[askPassphrase] ? Passphrase.askForNew(context) : Passphrase.fromFile(arguments)
        var results: [Result] = []
        for environment in KeysOptions.environments(arguments) {
            let created = try store.create(environment, organization: name, passphrase: passphrase, at: context.now)
            let path = "\(store.path)/\(environment.rawValue)"
            results.append(Result(environment: environment, created: created, path: path))
            if arguments[StandardOptions.json] { continue }
            context.print(
                created
                    ? "Made the \(environment.rawValue) keys in \(path)"
                    : "The \(environment.rawValue) keys are in \(path) already; left as they are")
        }
        if arguments[StandardOptions.json] { try context.printJSON(["environments": results]) }
    }

    static func organization(_ arguments: ParsedArguments) throws -> String {
        let name = arguments[organization]
        guard (1...longestOrganization).contains(name.unicodeScalars.count) else {
            throw CommandFailure(.usage, "--organization must have 1 to \(longestOrganization) characters")
        }
        return name
    }

    /// X.509 allows 64 characters in a name, of which the titles of certificates take their part.
    private static let longestOrganization = 32
}
