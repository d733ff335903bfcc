import CommandOptions
import Foundation
import StoreModel
import StoreSigning

/// `till keys`: the keys that a store signs with.
enum KeysCommand {
    static let command = Command<TillProgram.Action>(
        "keys", "Make, show and replace the keys that a store signs with.",
        discussion: """
            A store has two chains of certificates for each of its environments: one signs JSON (transactions, renewals, \
            notifications), the other receipts. Each is a root, an intermediate and a leaf. Whoever verifies a purchase \
            needs the root alone; the private keys never leave the data directory.
            """,
        options: [DataOptions.data, SettingsOptions.file],
        examples: [
            Example("Make the keys of a store in /srv/till", "till keys init --data /srv/till"),
            Example("Show them", "till keys show --data /srv/till"),
        ],
        subcommands: [
            KeysInit.command, KeysShow.command, KeysRotate.command, KeysRevoke.command, KeysRoot.command,
        ])
}

/// The options that several of the `till keys` commands share.
enum KeysOptions {
    /// One environment; all of them by default.
    static let environment = Option<StoreEnvironment?>.optional(
        "environment", .choice("ENVIRONMENT", of: StoreEnvironment.self),
        help: "Only this environment; both if left out.")

    static let requiredEnvironment = Option<StoreEnvironment>.required(
        "environment", .choice("ENVIRONMENT", of: StoreEnvironment.self), help: "Which environment.")

    static let passphraseFile = Option<String?>.optional(
        "passphrase-file", .file(), environment: "TILL_PASSPHRASE_FILE",
        help: "A file whose first line is the passphrase of the private keys.")

    static func store(_ arguments: ParsedArguments) -> KeyStore {
        KeyStore(dataDirectory: arguments[DataOptions.data])
    }

    static func environments(_ arguments: ParsedArguments) -> [StoreEnvironment] {
        arguments[environment].map { [$0] } ?? StoreEnvironment.allCases
    }
}

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

    /// X.509 allows 64 characters in a name, including the titles of certificates.
    private static let longestOrganization = 32
}

/// Where the passphrase of the keys comes from.
enum Passphrase {
    /// The passphrase from the file in the options, if there is one.
    static func fromFile(_ arguments: ParsedArguments) throws -> [UInt8]? {
        guard let path = arguments[KeysOptions.passphraseFile] else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.inputMissing, "the passphrase file \(path) cannot be read")
        }
        let line = data.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return try checked(Array(line), "the passphrase file \(path)")
    }

    /// Asks for a new passphrase, twice.
    static func askForNew(_ context: CommandContext) throws -> [UInt8] {
        guard let ask = context.ask else {
            throw CommandFailure(.usage, "--ask-passphrase needs a terminal; use --passphrase-file in a script")
        }
        let first = try ask("New passphrase for the private keys: ")
        guard try ask("The same again: ") == first else {
            throw CommandFailure(.badData, "the two passphrases are not the same; nothing was made")
        }
        return try checked(Array(first.utf8), "the passphrase")
    }

    /// Asks for the passphrase of keys that have one.
    static func askForExisting(_ context: CommandContext) throws -> [UInt8] {
        guard let ask = context.ask else {
            throw CommandFailure(
                .noPermission,
                "the keys are under a passphrase; name the file that holds it with --passphrase-file FILE or in "
                    + "TILL_PASSPHRASE_FILE")
        }
        return try checked(Array(ask("Passphrase of the private keys: ").utf8), "the passphrase")
    }

    private static func checked(_ passphrase: [UInt8], _ name: String) throws -> [UInt8] {
        guard (1...SigningLimits.passphraseBytes).contains(passphrase.count) else {
            throw CommandFailure(.badData, "\(name) must hold 1 to \(SigningLimits.passphraseBytes) bytes")
        }
        return passphrase
    }
}
