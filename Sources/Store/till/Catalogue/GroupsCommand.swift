import CommandOptions
import StoreCatalogue
import StoreModel
import StoreServer

/// `till groups`
enum GroupsCommand {
    private static let group = Argument<SubscriptionGroupID>.required(
        ValueFormat(
            "GROUP", rule: "the id of a group: letters, digits, periods, underscores and hyphens", explainsRule: false,
            parse: { SubscriptionGroupID($0) }), help: "The id of the group.")
    private static let newName = Option<String>.required("name", .text("NAME"), help: "What its developer calls it.")
    private static let name = Option<String?>.optional("name", .text("NAME"), help: "What its developer calls it.")
    private static let texts = Option<[CatalogueOptions.Pair]>.repeated(
        "text", CatalogueOptions.pair("LANGUAGE=NAME", mayBeEmpty: true),
        help: "What customers read of it in a language; an empty name takes the text away.")
    private static let appNames = Option<[CatalogueOptions.Pair]>.repeated(
        "app-name", CatalogueOptions.pair("LANGUAGE=NAME"),
        help: "What the app is called where its subscriptions are listed; it goes with a --text of the language.")
    private static let levels = Option<[CatalogueOptions.Pair]>.repeated(
        "level", CatalogueOptions.pair("PRODUCT=N"), help: "The rank of a subscription; 1 is the highest service.")

    private static let direction = Argument<String>.required(
        .choice("DIRECTION", LevelMove.allCases.map(\.rawValue)), help: "up or down.")

    private static let exits: [ExitCode] = [
        CatalogueOptions.missing, CatalogueOptions.unavailable, .badData.when("A value is refused."),
        .failure.when("It contradicts what is there."),
    ]

    static let command = Command<TillProgram.Action>(
        "groups", "Name the groups of subscriptions, and rank what is in them.",
        discussion:
            "A customer has one subscription of a group at a time, and changes from one to another by their ranks.",
        options: AdminConnection.options,
        examples: [Example("What an app has", "till groups list com.example.app")],
        seeAlso: ["till offers", "till products"],
        subcommands: [
            Command(
                "list", "List the groups of an app.", options: ListOptions.all,
                arguments: [CatalogueOptions.bundle],
                examples: [Example("For a program", "till groups list com.example.app --json")], exitCodes: exits,
                action: { arguments, context in
                    let page = try await AdminConnection.withStore(arguments, context) { store in
                        try await store.ask("GET", path(arguments), as: Page<GroupMessage>.self)
                    }
                    if arguments[StandardOptions.json] { return try context.printJSON(page) }
                    context.printList(
                        page.items, as: CatalogueTables.groups, arguments,
                        nothing: "The app has no groups. To enter one: till groups create BUNDLE GROUP --name NAME")
                }),
            Command(
                "create", "Enter a group.", options: [newName, texts, appNames, StandardOptions.json],
                arguments: [CatalogueOptions.bundle, group],
                examples: [
                    Example("One", "till groups create com.example.app club --name Club --text en-US='Banana Club'")
                ],
                exitCodes: exits, action: { try await put($0, $1, name: $0[newName], levels: [], isNew: true) }),
            Command(
                "set", "Change a group's names and levels.",
                options: [name, texts, appNames, levels, CatalogueOptions.publish, StandardOptions.json],
                arguments: [CatalogueOptions.bundle, group],
                examples: [
                    Example(
                        "The ranks",
                        "till groups set com.example.app club --level com.example.app.gold=1 --level com.example.app.silver=2"
                    )
                ],
                exitCodes: exits, action: { try await put($0, $1, name: $0[name], levels: $0[levels], isNew: false) }),
            Command(
                "move", "Move a subscription one rank up or down in its group.", options: [StandardOptions.json],
                arguments: [CatalogueOptions.bundle, group, CatalogueOptions.product, direction],
                examples: [
                    Example("To a higher service", "till groups move com.example.app club com.example.app.gold up")
                ], exitCodes: exits,
                action: { arguments, context in
                    let wanted = LevelMoveRequest(
                        productId: arguments[CatalogueOptions.product], direction: arguments[direction])
                    let page = try await AdminConnection.withStore(arguments, context) { store in
                        try await store.ask(
                            "POST", "\(path(arguments))/\(arguments[group])/moves", wanted,
                            as: Page<GroupMessage>.self)
                    }
                    try show(page, arguments, context)
                }),
            Command(
                "remove", "Remove a group that has no subscriptions.", options: [StandardOptions.json],
                arguments: [CatalogueOptions.bundle, group],
                examples: [Example("One", "till groups remove com.example.app club")], exitCodes: exits,
                action: { arguments, context in
                    try await AdminConnection.withStore(arguments, context) { store in
                        try await store.send("DELETE", "\(path(arguments))/\(arguments[group])")
                    }
                    if arguments[StandardOptions.json] { return try context.printJSON(["removed": arguments[group]]) }
                    context.print("removed \(arguments[group])")
                }),
        ])

    private static func path(_ arguments: ParsedArguments) -> String {
        "\(CatalogueOptions.path(arguments[CatalogueOptions.bundle]))/groups"
    }

    private static func put(
        _ arguments: ParsedArguments, _ context: CommandContext, name: String?, levels: [CatalogueOptions.Pair],
        isNew: Bool
    ) async throws {
        let names = try CatalogueOptions.dictionary(arguments[appNames], "--app-name")
        var texts: [String: GroupMessage.Text] = [:]
        for (language, name) in try CatalogueOptions.dictionary(arguments[Self.texts], "--text") {
            texts[language] = GroupMessage.Text(name: name, appName: names[language])
        }
        if let alone = names.keys.sorted().first(where: { texts[$0] == nil }) {
            throw CommandFailure(.usage, "--app-name \(alone)=… needs a --text \(alone)=… beside it")
        }
        let ranks = try CatalogueOptions.dictionary(levels, "--level").mapValues { text in
            guard let level = Int(text) else {
                throw CommandFailure(.usage, "--level needs a product and a whole number, such as PRODUCT=1")
            }
            return level
        }
        let wanted = GroupRequest(referenceName: name, texts: texts, levels: ranks)
        let id = arguments[group]
        let page = try await AdminConnection.withStore(arguments, context) { store in
            let known = try await store.ask("GET", path(arguments), as: Page<GroupMessage>.self)
            guard known.items.contains(where: { $0.groupId == id }) != isNew else {
                throw isNew
                    ? CommandFailure(.failure, "there is a group \(id); to change it: till groups set BUNDLE \(id)")
                    : CommandFailure(
                        .inputMissing,
                        "there is no group \(id); to enter it: till groups create BUNDLE \(id) --name NAME")
            }
            let publication = isNew ? "" : CatalogueOptions.publication(arguments)
            return try await store.ask(
                "PUT", "\(path(arguments))/\(id)\(publication)", wanted, as: Page<GroupMessage>.self)
        }
        try show(page, arguments, context)
    }

    private static func show(
        _ page: Page<GroupMessage>, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        if arguments[StandardOptions.json] { return try context.printJSON(page) }
        for group in page.items {
            context.print("\(group.groupId): \(PrintableText(group.referenceName, limit: 100))")
            for (language, text) in group.texts.sorted(by: { $0.key < $1.key }) {
                let app = text.appName.map { ", the app is called \(PrintableText($0, limit: 100))" } ?? ""
                context.print("  \(language): \(PrintableText(text.name, limit: 100))\(app)")
            }
            for member in group.subscriptions {
                context.print("  \(member.level.map { "level \($0)" } ?? "no level"): \(member.productId)")
            }
        }
    }
}
