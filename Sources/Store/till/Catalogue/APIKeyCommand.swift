import CommandOptions
import Foundation
import StoreModel
import StoreServer

/// `till api-key`
enum APIKeyCommand {
    private static let key = Argument<String>.required(.text("KEY"), help: "The id of the key.")
    private static let name = Argument<String>.required(.text("NAME"), help: "What it is for.")
    private static let team = Option<TeamID?>.optional(
        "team", CatalogueOptions.teamFormat, help: "Whose it is; the only team without it.")
    private static let environment = Option<String>.defaulted(
        "environment", .choice("ENVIRONMENT", ["sandbox", "production", "both"]), to: "sandbox",
        help: "What it opens.")
    private static let output = Option<String?>.optional(
        "output", .file(),
        help: "Where the private key goes; - for standard output. Without it SubscriptionKey_KEY.p8, in this folder.")

    private static let exits: [ExitCode] = [
        CatalogueOptions.missing, CatalogueOptions.unavailable, .badData.when("A value is refused."),
    ]

    static let command = Command<TillProgram.Action>(
        "api-key", "Manage the keys with which developers' servers ask the App Store Server API.",
        discussion: """
            Servers sign a token with the private key, and name in it the id of the key and the issuer of the team. The store \
            keeps the public half, by which it verifies them. A key reaches every app of its team.
            """,
        options: AdminConnection.options,
        examples: [Example("A key for a server that is being tested", "till api-key create backend")],
        seeAlso: ["till offer-keys"],
        subcommands: [creation, list, revocation])

    private static let list = Command<TillProgram.Action>(
        "list", "List the keys, those that were revoked too.", options: ListOptions.all + [team],
        examples: [Example("For a program", "till api-key list --json")], exitCodes: exits,
        action: { arguments, context in
            let query = arguments[team].map { "?teamId=\($0)" } ?? ""
            let page = try await AdminConnection.withStore(arguments, context) {
                try await $0.ask("GET", path + query, as: Page<APIKeyMessage>.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(page) }
            context.printList(
                page.items, as: CatalogueTables.apiKeys, arguments,
                nothing: "There are no keys. To make one: till api-key create NAME")
        })

    private static let creation = Command<TillProgram.Action>(
        "create", "Make a key. Its private half goes into a file, and is kept nowhere else.",
        discussion: "A file that is there is not overwritten.",
        options: [team, environment, output, StandardOptions.json], arguments: [name],
        examples: [
            Example("For the sandbox", "till api-key create backend"),
            Example("For both environments", "till api-key create backend --environment both --output backend.p8"),
        ],
        exitCodes: exits + [.cannotCreate.when("The file is there already or cannot be made.")],
        action: { arguments, context in
            let file = arguments[output]
            if let file, file != "-", FileManager.default.fileExists(atPath: file) {
                throw CommandFailure(.cannotCreate, "\(file) is there already, and is not overwritten")
            }
            let environments: [StoreEnvironment] =
                StoreEnvironment(rawValue: arguments[environment]).map { [$0] } ?? StoreEnvironment.allCases
            let wanted = APIKeyRequest(name: arguments[name], teamId: arguments[team], environments: environments)
            var made = try await AdminConnection.withStore(arguments, context) {
                try await $0.ask("POST", path, wanted, as: APIKeyMessage.self)
            }
            guard let secret = made.privateKey else { return }
            let place = file ?? "SubscriptionKey_\(made.keyId).p8"
            if place == "-" {
                context.printError("key id \(made.keyId)\nissuer id \(made.issuerId)")
                return context.print(secret.trimmingCharacters(in: .newlines))
            }
            try write(secret, to: place, of: made)
            made.privateKey = nil
            if arguments[StandardOptions.json] { return try context.printJSON(Made(key: made, file: place)) }
            for line in lines(made, place) { context.print(line) }
        })

    private static let revocation = Command<TillProgram.Action>(
        "revoke", "Take a key out of use; what is signed with it opens nothing from now on.",
        options: [StandardOptions.json], arguments: [key],
        examples: [Example("One", "till api-key revoke ABCDE12345")], exitCodes: exits,
        action: { arguments, context in
            let name = arguments[key].addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let revoked = try await AdminConnection.withStore(arguments, context) {
                try await $0.ask("DELETE", "\(path)/\(name)", as: APIKeyMessage.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(revoked) }
            context.print("\(revoked.keyId) (\(PrintableText(revoked.name, limit: 100))) is revoked.")
        })

    private static var path: String { "\(CatalogueOptions.path)/api-keys" }

    /// A key and where its private half is.
    private struct Made: Encodable {
        let key: APIKeyMessage
        let file: String
    }

    /// What a server is to be told.
    private static func lines(_ made: APIKeyMessage, _ file: String) -> [String] {
        [
            "Key id      \(made.keyId)", "Issuer id   \(made.issuerId)", "Private key \(file)",
            "It opens \(made.environments.map(\.rawValue).joined(separator: " and ")) for the apps of team "
                + "\(made.teamId). The store has no copy of the private key.",
        ]
    }

    /// Writes the private half where nobody else reads it. It is known this once.
    private static func write(_ secret: String, to place: String, of made: APIKeyMessage) throws {
        let descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .cannotCreate,
                "\(place) cannot be made: \(String(cString: strerror(errno))). Nobody has the private half of the key: "
                    + "till api-key revoke \(made.keyId)")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data(secret.utf8))
        try file.synchronize()
    }
}
