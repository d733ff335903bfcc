import CommandOptions
import Foundation
import StoreModel
import StoreRules
import StoreServer
import StoreService

/// The commands of `till apps` that enter apps and take their versions through review.
extension AppsCommand {
    private static let name = Argument<String>.required(.text("NAME"), help: "What customers read.")
    private static let language = Option<String>.defaulted(
        "language", .text("LANGUAGE"), to: "en-US", help: "Of texts where no other fits.")
    private static let team = Option<TeamID?>.optional(
        "team", CatalogueOptions.teamFormat, help: "Whose it is; the first team's.")
    private static let capabilities = Argument<[String]>.rest(
        .choice("CAPABILITY", AppCapability.known.map(\.rawValue).sorted()), atLeastOne: false,
        help: "What the app may use; nothing if none is named.")
    private static let version = Argument<String>.required(.text("VERSION"), help: "Such as 1.0.2.")
    private static let what = Argument<String>.required(
        .text("ID"), help: "A store id, a link to the store, or a bundle id.")

    private static let exits: [ExitCode] = [
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
            "capabilities", "Set what an app may use; if that changes anything, its profiles become stale.",
            discussion: "An app sells only with in_app_purchase. Stale profiles are replaced by: till provision",
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
            "find", "Say what a store id, a link or a bundle id is of.", options: [StandardOptions.json],
            arguments: [what], examples: [Example("One", "till apps find 1000000001")], exitCodes: exits, action: find),
        versions,
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
            var text = arguments[what]
            // The path of a request takes a link as one part; and a bundle id is looked up by its app.
            if let bundle = BundleID(text), text.contains(where: { !$0.isNumber }) {
                text = try await store.ask("GET", CatalogueOptions.path(bundle), as: CatalogueAppAnswer.self).appId
                    .description
            }
            return try await store.ask(
                "GET", CatalogueOptions.path + "/items/\(SaleOptions.escaped(text))", as: ItemAnswer.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(item) }
        let kind = item.productId.map { "product \($0) of \(item.bundleId)" } ?? "app \(item.bundleId)"
        context.print("\(item.storeId): \(kind), \(PrintableText(item.name, limit: 100))")
        context.print("  \(item.link)")
    }

    // MARK: Versions

    private static let versions = Command<TillProgram.Action>(
        "version", "Enter versions of an app, and take them through review.",
        discussion: """
            Products may be submitted with a version, and the first of a kind has to be. While the newest version is rejected \
            and none is approved, nothing of StoreKit works in the app.
            """,
        examples: [Example("One", "till apps version add com.example.app 1.0")],
        subcommands: [
            Command(
                "list", "List the versions of an app.", options: [StandardOptions.json],
                arguments: [CatalogueOptions.bundle],
                examples: [Example("All", "till apps version list com.example.app")], exitCodes: exits,
                action: { arguments, context in
                    let path = CatalogueOptions.path(arguments[CatalogueOptions.bundle]) + "/versions"
                    let page = try await AdminConnection.withStore(arguments, context) {
                        try await $0.ask("GET", path, as: Page<VersionAnswer>.self)
                    }
                    if arguments[StandardOptions.json] { return try context.printJSON(page) }
                    for version in page.items { context.print(line(version)) }
                }),
            step("add", "Enter a version.") { VersionRequest(version: $0[version]) },
            step("submit", "Ask for a review of a version.", "submission"),
            step("withdraw", "Its developer rejects a version, also one that was approved.", "withdrawal"),
            step("review", "Take a version up for review.", "review"),
            step("approve", "Approve a version, and what was submitted with it.", "decision") { _ in
                DecisionRequest(isApproved: true)
            },
            step("reject", "Reject a version.", "decision") { _ in DecisionRequest(isApproved: false) },
        ])

    private static func step(
        _ word: String, _ summary: String, _ path: String? = nil,
        body: (@Sendable (ParsedArguments) -> any Encodable & Sendable)? = nil
    ) -> Command<TillProgram.Action> {
        Command(
            word, summary, options: [StandardOptions.json], arguments: [CatalogueOptions.bundle, version],
            examples: [Example("One", "till apps version \(word) com.example.app 1.0")], exitCodes: exits,
            action: { arguments, context in
                let all = CatalogueOptions.path(arguments[CatalogueOptions.bundle]) + "/versions"
                let place = path.map { "\(all)/\(SaleOptions.escaped(arguments[version]))/\($0)" } ?? all
                let answer = try await AdminConnection.withStore(arguments, context) { store in
                    guard let body else { return try await store.ask("POST", place, as: VersionAnswer.self) }
                    return try await store.ask(
                        "POST", place, bytes: Array(JSONEncoder().encode(body(arguments))), as: VersionAnswer.self)
                }
                if arguments[StandardOptions.json] { return try context.printJSON(answer) }
                context.print(line(answer))
            })
    }

    private static func line(_ version: VersionAnswer) -> String {
        "\(version.version)  \(version.state.replacing("_", with: " ")), since \(version.changedAt.rfc3339)"
    }
}
