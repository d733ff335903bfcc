import CommandOptions
import Foundation
import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreServer
import StoreService

/// `till items`
enum ItemsCommand {
    static let command = Command<TillProgram.Action>(
        "items", "Enter what the storefront shows: apps, music, films, television and books.",
        discussion: """
            An item has a page of its own, under its store id, and may have files: artwork, samples, and what those download \
            who bought it. The sandbox shows what is complete, production what is approved. Reviews, taxes and prices set \
            beforehand are those of a product, whose names till items show prints.
            """,
        options: AdminConnection.options,
        examples: [
            Example(
                "Enter a film",
                "till items create film --name 'The Harbour' --artist 'Ada Film' --genre 4406 --price 9.99"),
            Example("Give it a poster", "till items file 1000000010 artwork poster.png"),
            Example("Give it the film itself", "till items file 1000000010 package harbour.webm"),
            Example("Ask for a review", "till items submit 1000000010"),
        ],
        seeAlso: ["till review", "till prices"],
        subcommands: subcommands.flatMap(\.self))

    private static let subcommands: [[Command<TillProgram.Action>]] = [
        [list, show], ItemsEntry.commands, [ItemFileCommand.command, price, submit, note, remove],
        ItemArtists.commands, ItemFeatures.commands,
    ]

    // MARK: What they share

    static let storeIDFormat = ValueFormat<Int64>(
        "STOREID", rule: "the store id of an item, as till items list shows it", explainsRule: false
    ) { Int64($0) }
    static let storeID = Argument<Int64>.required(storeIDFormat, help: "The store id of the item.")
    static let path = CatalogueOptions.path + "/items"

    static func path(_ arguments: ParsedArguments) -> String { "\(path)/\(arguments[storeID])" }

    static let missing = ExitCode.inputMissing.when("There is no such item, or no store.")
    static let exits: [ExitCode] = [
        missing, CatalogueOptions.unavailable, .badData.when("A value is refused; nothing was changed."),
        .failure.when("It contradicts what is there; the message says how."),
    ]

    /// Prints an item as it is then.
    static func tell(
        _ arguments: ParsedArguments, _ context: CommandContext,
        _ body: (AdminConnection) async throws -> ItemDetailsMessage
    ) async throws {
        let details = try await AdminConnection.withStore(arguments, context, body)
        if arguments[StandardOptions.json] { return try context.printJSON(details) }
        for line in ItemText.lines(details) { context.print(line) }
    }

    // MARK: Looking

    private static let kind = Option<String?>.optional(
        "kind", .choice("KIND", ItemKind.all.map(\.rawValue)), help: "Of this kind only.")
    private static let parent = Option<Int64?>.optional(
        "parent", storeIDFormat, help: "The songs of this album, the episodes of this season.")

    private static let list = Command<TillProgram.Action>(
        "list", "List the items.", options: [kind, parent] + ListOptions.all,
        examples: [Example("The books", "till items list --kind book")],
        exitCodes: [CatalogueOptions.noStore, CatalogueOptions.unavailable],
        action: { arguments, context in
            let query =
                (arguments[kind].map { ["kind=\($0)"] } ?? []) + (arguments[parent].map { ["parent=\($0)"] } ?? [])
            let found = try await AdminConnection.withStore(arguments, context) {
                try await $0.all(path, query: query, of: ItemMessage.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(Page(found)) }
            context.printList(
                found, as: ItemText.table, arguments,
                nothing: "There are no items. To enter one: till items create KIND --name NAME")
        })

    private static let show = Command<TillProgram.Action>(
        "show", "Show an item with its texts, prices and files, and what it lacks.", options: [StandardOptions.json],
        arguments: [storeID], examples: [Example("One", "till items show 1000000010")],
        exitCodes: [missing, CatalogueOptions.unavailable],
        action: { arguments, context in
            let (details, parts) = try await AdminConnection.withStore(arguments, context) { store in
                let details = try await store.ask("GET", path(arguments) + "/details", as: ItemDetailsMessage.self)
                let isWhole = ItemKind(rawValue: details.item.kind).isCollection && !arguments[StandardOptions.json]
                let query = ["parent=\(details.item.storeId)"]
                return (details, isWhole ? try await store.all(path, query: query, of: ItemMessage.self) : [])
            }
            if arguments[StandardOptions.json] { return try context.printJSON(details) }
            for line in ItemText.lines(details, parts: parts) { context.print(line) }
        })

    // MARK: Prices

    private static let amount = Argument<String>.required(
        .text("AMOUNT"),
        help:
            "What it costs there; none takes the item out of the storefront, derived sells it for what its price elsewhere "
            + "comes to.")
    private static let everywhere = Option<Bool>.flag(
        "everywhere", help: "Price all storefronts: the others sell it for what the amount comes to in their currency.")

    private static let price = Command<TillProgram.Action>(
        "price", "Set what an item costs in a storefront, or in all of them.",
        discussion: "A song without a price is sold with its album only, an episode with its season.",
        options: [everywhere, CatalogueOptions.publish, StandardOptions.json],
        arguments: [storeID, CatalogueOptions.storefront, amount],
        examples: [Example("Sell it everywhere", "till items price 1000000010 USA 9.99 --everywhere")],
        exitCodes: exits,
        action: { arguments, context in
            let (storefront, amount) = (arguments[CatalogueOptions.storefront], arguments[amount])
            let isAmount = !["none", PriceRequest.derived].contains(amount)
            guard isAmount || !arguments[everywhere] else {
                throw CommandFailure(.usage, "--everywhere needs an amount, such as 9.99")
            }
            let publication = CatalogueOptions.publication(arguments)
            let one = "\(path(arguments))/prices/\(storefront.alpha3)\(publication)"
            try await tell(arguments, context) { store in
                if arguments[everywhere] {
                    return try await store.ask(
                        "PUT", path(arguments) + "/price" + publication,
                        BasePrice(amount: amount, currency: storefront.currency), as: ItemDetailsMessage.self)
                }
                if amount == "none" { return try await store.ask("DELETE", one, as: ItemDetailsMessage.self) }
                return try await store.ask("PUT", one, PriceRequest(amount: amount), as: ItemDetailsMessage.self)
            }
        })

    // MARK: Review

    private static let toReviewer = Option<String?>.optional("note", .text("TEXT"), help: "For the reviewer.")

    private static let submit = Command<TillProgram.Action>(
        "submit", "Ask for a review of an item.", options: [toReviewer, StandardOptions.json], arguments: [storeID],
        examples: [Example("One", "till items submit 1000000010")], exitCodes: exits,
        action: { arguments, context in
            try await tell(arguments, context) {
                try await $0.ask(
                    "POST", path(arguments) + "/submission", ItemSubmissionRequest(note: arguments[toReviewer]),
                    as: ItemDetailsMessage.self)
            }
        })

    private static let version = Argument<String>.required(.text("VERSION"), help: "The version of the app.")
    private static let news = Argument<String>.required(
        ValueFormat("TEXT", rule: "text", explainsRule: false) { $0 },
        help: "What is new in it; an empty text takes that away.")
    private static let language = Option<String>.defaulted(
        "language", .text("LANGUAGE"), to: "en-US", help: "Of the text.")

    private static let note = Command<TillProgram.Action>(
        "note", "Say what is new in a version of an app.", options: [language, StandardOptions.json],
        arguments: [storeID, version, news],
        examples: [Example("One", "till items note 1000000001 1.1 'It plays backwards too.'")], exitCodes: exits,
        action: { arguments, context in
            let place =
                "/versions/\(SaleOptions.escaped(arguments[version]))/notes/\(SaleOptions.escaped(arguments[language]))"
            try await tell(arguments, context) {
                try await $0.ask(
                    "PUT", path(arguments) + place, VersionNoteRequest(note: arguments[news]),
                    as: ItemDetailsMessage.self)
            }
        })

    private static let remove = Command<TillProgram.Action>(
        "remove", "Remove an item for good; customers keep what they bought.",
        discussion: "The store id of an item that was removed is never used again.",
        options: [CatalogueOptions.publish, StandardOptions.json], arguments: [storeID],
        examples: [Example("One", "till items remove 1000000010")], exitCodes: exits,
        action: { arguments, context in
            try await AdminConnection.withStore(arguments, context) {
                try await $0.send("DELETE", path(arguments) + CatalogueOptions.publication(arguments))
            }
            if arguments[StandardOptions.json] { return try context.printJSON(["removed": arguments[storeID]]) }
            context.print("removed \(arguments[storeID])")
        })
}
