import CommandOptions
import Foundation
import StoreModel
import StoreRules
import StoreServer

/// `till versions`
enum VersionsCommand {
    private static let reason = Option<String>.required(
        "reason", .choice("REASON", RejectionReason.known.map(\.rawValue).sorted()), help: "Why it is rejected.")
    private static let message = Option<String?>.optional("message", .text("TEXT"), help: "To the developer.")
    private static let version = Argument<String>.required(.text("VERSION"), help: "Such as 1.0.2.")

    static let command = Command<TillProgram.Action>(
        "versions", "Enter versions of an app, and take them through review.",
        discussion: """
            Products may be submitted with a version, and the first of a kind has to be. While the newest version is rejected \
            and none is approved, nothing of StoreKit works in the app.
            """,
        options: AdminConnection.options,
        examples: [Example("One", "till versions add com.example.app 1.0")], seeAlso: ["till review"],
        subcommands: [
            Command(
                "list", "List the versions of an app, the newest last.", options: ListOptions.all,
                arguments: [CatalogueOptions.bundle],
                examples: [Example("All", "till versions list com.example.app")], exitCodes: AppsCommand.exits,
                action: { arguments, context in
                    let path = CatalogueOptions.path(arguments[CatalogueOptions.bundle]) + "/versions"
                    let page = try await AdminConnection.withStore(arguments, context) {
                        try await $0.ask("GET", path, as: Page<VersionAnswer>.self)
                    }
                    if arguments[StandardOptions.json] { return try context.printJSON(page) }
                    context.printList(
                        page.items.sorted { $0.createdAt < $1.createdAt }, as: CatalogueTables.versions, arguments,
                        nothing: "The app has no versions. To enter one: till versions add BUNDLE VERSION")
                }),
            step("add", "Enter a version.") { VersionRequest(version: $0[version]) },
            step("submit", "Ask for a review of a version.", "submission"),
            step("withdraw", "Its developer rejects a version, also one that was approved.", "withdrawal"),
            step("review", "Take a version up for review.", "review"),
            step("approve", "Approve a version, and what was submitted with it.", "decision") { _ in
                DecisionRequest(isApproved: true)
            },
            step(
                "reject", "Reject a version, and send back what was submitted with it.", "decision",
                options: [reason, message], words: " --reason metadata --message 'the description is of another app'"
            ) { DecisionRequest(isApproved: false, reason: $0[reason], message: $0[message]) },
            removing,
        ])

    private static let removing = Command<TillProgram.Action>(
        "remove", "Take back a version that was never submitted.", options: [StandardOptions.json],
        arguments: [CatalogueOptions.bundle, version],
        examples: [Example("One", "till versions remove com.example.app 1.0")], exitCodes: AppsCommand.exits,
        action: { arguments, context in
            let all = CatalogueOptions.path(arguments[CatalogueOptions.bundle]) + "/versions"
            try await AdminConnection.withStore(arguments, context) { store in
                try await store.send("DELETE", "\(all)/\(SaleOptions.escaped(arguments[version]))")
            }
            if arguments[StandardOptions.json] { return try context.printJSON(["removed": arguments[version]]) }
            context.print("removed version \(PrintableText(arguments[version], limit: 30))")
        })

    private static func step(
        _ word: String, _ summary: String, _ path: String? = nil, options: [any OptionDeclaration] = [],
        words: String = "", body: (@Sendable (ParsedArguments) -> any Encodable & Sendable)? = nil
    ) -> Command<TillProgram.Action> {
        Command(
            word, summary, options: options + [StandardOptions.json], arguments: [CatalogueOptions.bundle, version],
            examples: [Example("One", "till versions \(word) com.example.app 1.0\(words)")],
            exitCodes: AppsCommand.exits,
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
        let reason = version.reason.map { ": \($0.replacing("_", with: " "))" } ?? ""
        let message = version.message.flatMap { $0.isEmpty ? nil : ": \(PrintableText($0, limit: 400))" } ?? ""
        return "\(version.version)  \(version.state.replacing("_", with: " ")), since \(version.changedAt.rfc3339)"
            + reason + message
    }
}
