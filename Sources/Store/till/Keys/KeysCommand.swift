import CommandOptions
import Foundation
import StoreFoundation
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
            KeysTransfer.export, KeysTransfer.importing,
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

            Certificates name the place where verifiers ask about them online, if the settings of till serve give it; \
            without such settings the first start lets them name it.
            """,
        options: [
            KeysOptions.environment, organization, KeysOptions.passphraseFile, askPassphrase, StandardOptions.json,
        ] + OnlineChecks.options,
        rules: [.atMostOne(KeysOptions.passphraseFile, askPassphrase)] + ServeOptions.rules,
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
        let addresses = OnlineChecks.isConfigured(arguments) ? OnlineChecks.configured(arguments) : [:]
        var results: [Result] = []
        for environment in KeysOptions.environments(arguments) {
            let created = try store.create(
                environment, organization: name, passphrase: passphrase, onlineChecks: addresses[environment],
                at: context.now)
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
        if let flaw = NameRule.flaw(of: name) { throw CommandFailure(.usage, "--organization has \(flaw)") }
        return name
    }

    /// X.509 allows 64 characters in a name, including the titles of certificates.
    private static let longestOrganization = 32
}

/// `till keys export` and `till keys import`: the same keys for another server of the same store.
enum KeysTransfer {
    private static let output = Argument<String>.required(
        .text("FILE"), help: "The file that is made, or - for standard output.")
    private static let input = Argument<String>.required(.text("FILE"), help: "The file, or - for standard input.")

    static let export = Command<TillProgram.Action>(
        "export", "Write the keys into one file, for another server of the same store.",
        discussion: """
            Servers that work on the same PostgreSQL databases have to sign with the same keys. The file holds the private \
            keys, under their passphrase if they have one: whoever has it can sign as this store does. A file that is \
            there is not overwritten.
            """,
        options: [KeysOptions.environment], arguments: [output],
        examples: [
            Example(
                "Bring them to another machine without leaving a file behind",
                "till keys export - --data /srv/till | ssh other till keys import - --data /srv/till")
        ],
        exitCodes: [
            .cannotCreate.when("The file is there already or cannot be made."),
            .configuration.when("There are no keys, or they are damaged."),
        ],
        seeAlso: ["till keys import"],
        action: { arguments, context in
            let bundle = try KeysOptions.store(arguments).bundle(KeysOptions.environments(arguments))
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let bytes = try Array(encoder.encode(bundle)) + Array("\n".utf8)
            guard arguments[output] != "-" else { return context.write(bytes) }
            let descriptor = open(arguments[output], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw CommandFailure(
                    .cannotCreate, "\(arguments[output]) cannot be made: \(String(cString: strerror(errno)))")
            }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try file.write(contentsOf: Data(bytes))
            try file.synchronize()
        })

    static let importing = Command<TillProgram.Action>(
        "import", "Take the keys that another server of the same store has exported.",
        discussion: """
            Keys are tried before they are put in place: all that the file holds, or nothing. Keys that are there already \
            are never replaced; those that the other server has made since join them, and a store that is running works \
            with them at once.
            """,
        options: [KeysOptions.passphraseFile, StandardOptions.json], arguments: [input],
        examples: [Example("From a file", "till keys import keys.json --data /srv/till")],
        exitCodes: [
            .tryAgain.when("Another process is making keys."),
            .inputMissing.when("The file cannot be read."),
            .noPermission.when("The keys are under a passphrase, and it is wrong or missing."),
            .configuration.when("The file holds no keys, or there are others."),
        ],
        seeAlso: ["till keys export"],
        action: { arguments, context in
            let bundle = try KeyBundle(
                reading: try InputFile.read(arguments[input], limit: KeyBundle.longest))
            let directory = DataDirectory(arguments[DataOptions.data])
            try directory.make()
            let added = try KeysOptions.store(arguments).add(bundle, passphrase: try Passphrase.fromFile(arguments))
            if !added.isEmpty { _ = try await KeysAnnouncement.makeIfServed(arguments, context) }
            if arguments[StandardOptions.json] { return try context.printJSON(["added": added]) }
            for environment in added { context.print("Took the \(environment.rawValue) keys.") }
            if added.isEmpty { context.print("These keys are there already.") }
        })
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
        let texts = context.texts
        let first = try ask(texts("till.passphrase_new") + " ")
        guard try ask(texts("till.passphrase_again") + " ") == first else {
            throw CommandFailure(.badData, texts("till.passphrase_differs"))
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
        return try checked(Array(ask(context.texts("till.passphrase") + " ").utf8), "the passphrase")
    }

    private static func checked(_ passphrase: [UInt8], _ name: String) throws -> [UInt8] {
        guard (1...SigningLimits.passphraseBytes).contains(passphrase.count) else {
            throw CommandFailure(.badData, "\(name) must hold 1 to \(SigningLimits.passphraseBytes) bytes")
        }
        return passphrase
    }
}
