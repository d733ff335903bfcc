import CommandOptions
import StoreCatalogue
import StoreModel
import StoreRules
import StoreServer

/// What `till teams` does with teams that would like to sell.
enum ApplicationCommands {
    private static let application = Argument<String>.required(
        .text("APPLICATION"), help: "The id of the application, as the list has it.")

    static let list = Command<TillProgram.Action>(
        "applications", "List teams that would like to sell, and what the store has said.",
        discussion: "Teams apply by themselves, at /console/apply of production.", options: ListOptions.all,
        examples: [Example("All", "till teams applications")], exitCodes: PeopleActs.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withStore(arguments, context) {
                try await $0.ask("GET", CatalogueOptions.path + "/applications", as: Page<ApplicationAnswer>.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found) }
            context.printList(
                found.items, as: CatalogueTables.applications, arguments, nothing: "No team has applied.")
        })

    static let approve = Command<TillProgram.Action>(
        "approve", "Say yes to an application: enrols the team, with who asked as its owner.",
        options: [StandardOptions.json], arguments: [application],
        examples: [Example("One", "till teams approve 1f2e3d4c5b6a")], exitCodes: PeopleActs.exits,
        action: { arguments, context in
            try await print(arguments, context) {
                try await $0.ask("POST", path(arguments) + "/approval", as: ApplicationAnswer.self)
            }
        })

    static let refuse = Command<TillProgram.Action>(
        "refuse", "Say no to an application, with the reason that whoever asked reads.",
        options: [TeamOptions.reason, StandardOptions.json], arguments: [application],
        examples: [Example("One", "till teams refuse 1f2e3d4c5b6a --because 'not our kind of app'")],
        exitCodes: PeopleActs.exits,
        action: { arguments, context in
            let reason = ReasonRequest(reason: arguments[TeamOptions.reason])
            try await print(arguments, context) {
                try await $0.ask("POST", path(arguments) + "/refusal", reason, as: ApplicationAnswer.self)
            }
        })

    private static func path(_ arguments: ParsedArguments) -> String {
        CatalogueOptions.path + "/applications/\(SaleOptions.escaped(arguments[application]))"
    }

    private static func print(
        _ arguments: ParsedArguments, _ context: CommandContext,
        _ ask: @escaping @Sendable (AdminConnection) async throws -> ApplicationAnswer
    ) async throws {
        let asked = try await AdminConnection.withStore(arguments, context, ask)
        if arguments[StandardOptions.json] { return try context.printJSON(asked) }
        context.print(
            asked.reason.map { "\(asked.teamId) is refused: \(PrintableText($0, limit: 400))" }
                ?? "\(asked.teamId) may sell; \(asked.email) is its owner.")
    }
}

/// `till agreements text`
enum AgreementTextCommand {
    private static let kind = TeamOptions.kind
    private static let file = Option<String?>.optional(
        "file", .text("FILE"), help: "A file whose text is published; without one the text that counts is printed.")

    static let command = Command<TillProgram.Action>(
        "text", "Print the text of an agreement, or publish another one.",
        discussion: "Teams that have agreed already go on with the text that they read.",
        options: [file, StandardOptions.json], arguments: [kind],
        examples: [
            Example("Read it", "till agreements text paid"),
            Example("Publish another one", "till agreements text paid --file agreement.txt"),
        ],
        exitCodes: TeamOptions.exits,
        action: { arguments, context in
            let path = CatalogueOptions.path + "/agreements/\(arguments[kind])"
            let wanted = try arguments[file].map { file in
                let bytes = try InputFile.read(file, limit: 4 * AgreementText.longest)
                return AgreementTextRequest(text: String(decoding: bytes, as: UTF8.self))
            }
            let text = try await AdminConnection.withStore(arguments, context) { store in
                guard let wanted else { return try await store.ask("GET", path, as: AgreementTextAnswer.self) }
                return try await store.ask("PUT", path, wanted, as: AgreementTextAnswer.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(text) }
            context.print("Text \(text.version) of the \(text.kind) agreement\n\n" + text.text)
        })
}
