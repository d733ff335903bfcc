import CommandOptions
import StoreModel
import StoreServer

/// `till control-token`
enum ControlTokenCommand {
    private static let path = "/admin/v1/operator-tokens"
    private static let name = Argument<String>.required(.text("NAME"), help: "What the token is called.")

    static let command = Command<TillProgram.Action>(
        "control-token", "Make and revoke the tokens for the control interface.",
        discussion: """
            A token lets a program do by HTTP, under /control/v1 of either listener, what these commands do. The store keeps \
            no more of it than its hash: it is shown once.
            """,
        options: AdminConnection.options,
        examples: [Example("A token for the tests of an app", "till control-token create tests")],
        subcommands: [
            Command(
                "create", "Make a token and print it.", options: [StandardOptions.json], arguments: [name],
                examples: [Example("For the tests of an app", "till control-token create tests")],
                exitCodes: [
                    .failure.when("There is or was a token of this name."), CatalogueOptions.noStore,
                    CatalogueOptions.unavailable,
                ],
                action: create),
            Command(
                "list", "List the tokens.", options: [StandardOptions.json],
                examples: [Example("Who may come in", "till control-token list")],
                exitCodes: [CatalogueOptions.noStore, CatalogueOptions.unavailable], action: list),
            Command(
                "revoke", "Let a token in no more.", options: [StandardOptions.json], arguments: [name],
                examples: [Example("When the tests are over", "till control-token revoke tests")],
                exitCodes: [.inputMissing.when("There is no such token, or no store."), CatalogueOptions.unavailable],
                action: revoke),
        ])

    private static func create(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let made = try await AdminConnection.withStore(arguments, context) { store in
            try await store.ask("POST", path, OperatorTokenName(name: arguments[name]), as: NewOperatorToken.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(made) }
        context.print(made.token)
    }

    private static func list(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let found = try await AdminConnection.withStore(arguments, context) { store in
            try await store.ask("GET", path, as: OperatorTokenList.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(found) }
        for token in found.tokens {
            let end = token.revokedAt.map { ", revoked \($0)" } ?? ""
            context.print("\(PrintableText(token.name, limit: 100)): made \(token.createdAt)\(end)")
        }
    }

    private static func revoke(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        try await AdminConnection.withStore(arguments, context) { store in
            try await store.tell("POST", path + "/revoke", OperatorTokenName(name: arguments[name]))
        }
        if arguments[StandardOptions.json] { try context.printJSON(["revoked": arguments[name]]) }
    }
}
