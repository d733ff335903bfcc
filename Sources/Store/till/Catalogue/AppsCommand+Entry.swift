import CommandOptions
import Foundation
import StoreCatalogue
import StoreModel
import StoreRules
import StoreServer
import StoreService

/// The commands of `till apps` that enter and find apps.
extension AppsCommand {
    private static let name = Argument<String>.required(.text("NAME"), help: "What customers read.")
    private static let language = Option<String>.defaulted(
        "language", .text("LANGUAGE"), to: "en-US", help: "Of texts where no other fits.")
    private static let team = Option<TeamID?>.optional(
        "team", CatalogueOptions.teamFormat, help: "Whose it is; the first team's.")
    private static let capabilities = Argument<[String]>.rest(
        .choice("CAPABILITY", AppCapability.known.map(\.rawValue).sorted()), atLeastOne: false,
        help: "What the app may use; nothing if none is named.")
    private static let what = Argument<String>.required(
        .text("ID"), help: "A store id, a link to the store, a bundle id or the id of a product.")

    private static let newName = Option<String?>.optional("name", .text("NAME"), help: "What customers read.")
    private static let newLanguage = Option<String?>.optional(
        "language", .text("LANGUAGE"), help: "Of texts where no other fits.")

    static let exits: [ExitCode] = [
        CatalogueOptions.missing, CatalogueOptions.unavailable, .badData.when("A value is refused."),
        .failure.when("It contradicts what is there; the message says how."),
    ]

    static let developing: [Command<TillProgram.Action>] = [
        Command(
            "create", "Enter an app.",
            discussion: """
                An app has an explicit bundle id. A wildcard belongs into a provisioning profile only, and sells nothing.
                """,
            options: [team, language, StandardOptions.json], arguments: [CatalogueOptions.bundle, name],
            examples: [Example("One", "till apps create com.example.app 'Example'")], exitCodes: exits,
            action: { arguments, context in
                let wanted = AppRequest(
                    bundleId: arguments[CatalogueOptions.bundle], name: arguments[name],
                    primaryLanguage: arguments[language], teamId: arguments[team])
                try await tell(arguments, context) {
                    try await $0.ask("POST", CatalogueOptions.path + "/apps", wanted, as: CatalogueAppAnswer.self)
                }
            }),
        Command(
            "set", "Give an app another name, or another language for texts where no other fits.",
            options: [newName, newLanguage, StandardOptions.json], arguments: [CatalogueOptions.bundle],
            examples: [Example("Its name", "till apps set com.example.app --name 'Example 2'")], exitCodes: exits,
            action: { arguments, context in
                let wanted = AppChangeRequest(name: arguments[newName], primaryLanguage: arguments[newLanguage])
                guard wanted.name != nil || wanted.primaryLanguage != nil else {
                    throw CommandFailure(.usage, "say what is to change: --name or --language")
                }
                try await tell(arguments, context) {
                    try await $0.ask(
                        "PUT", CatalogueOptions.path(arguments[CatalogueOptions.bundle]), wanted,
                        as: CatalogueAppAnswer.self)
                }
            }),
        Command(
            "capabilities", "Set what an app may use; if that changes anything, its profiles become stale.",
            discussion:
                "An app sells only with in_app_purchase. Stale profiles are replaced by: till provision BUNDLE --sandbox",
            options: [StandardOptions.json], arguments: [CatalogueOptions.bundle, capabilities],
            examples: [
                Example("Purchases on", "till apps capabilities com.example.app in_app_purchase"),
                Example("Off", "till apps capabilities com.example.app"),
            ], exitCodes: exits,
            action: { arguments, context in
                let wanted = CapabilitiesMessage(capabilities: arguments[capabilities])
                try await tell(arguments, context) {
                    try await $0.ask(
                        "PUT", CatalogueOptions.path(arguments[CatalogueOptions.bundle]) + "/capabilities", wanted,
                        as: CatalogueAppAnswer.self)
                }
            }),
        Command(
            "find", "Say what a store id, a link, a bundle id or the id of a product is of.",
            options: [StandardOptions.json],
            arguments: [what], examples: [Example("One", "till apps find 1000000001")], exitCodes: exits, action: find),
    ]

    private static func tell(
        _ arguments: ParsedArguments, _ context: CommandContext,
        _ body: (AdminConnection) async throws -> CatalogueAppAnswer
    ) async throws {
        let app = try await AdminConnection.withStore(arguments, context, body)
        if arguments[StandardOptions.json] { return try context.printJSON(app) }
        for line in lines(app) { context.print(line) }
    }

    private static func find(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let item = try await AdminConnection.withStore(arguments, context) { store in
            try await store.ask(
                "GET", CatalogueOptions.path + "/items/\(SaleOptions.escaped(arguments[what]))", as: ItemAnswer.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(item) }
        let kind = item.productId.map { "product \($0) of \(item.bundleId)" } ?? "app \(item.bundleId)"
        context.print("\(item.storeId): \(kind), \(PrintableText(item.name, limit: 100))")
        context.print("  \(item.link)")
    }
}
