import CommandOptions
import StoreModel
import StoreServer

/// The commands of `till items` about the home page.
enum ItemFeatures {
    private static let path = CatalogueOptions.path + "/features"
    private static let items = Argument<[Int64]>.rest(
        ItemsCommand.storeIDFormat, atLeastOne: false,
        help: "Store ids in the order of the page; none lets the newest begin it.")

    static let commands: [Command<TillProgram.Action>] = [
        Command(
            "features", "List what the home page begins with.", options: ListOptions.all,
            examples: [Example("All", "till items features")],
            exitCodes: [CatalogueOptions.noStore, CatalogueOptions.unavailable],
            action: { arguments, context in
                let found = try await AdminConnection.withStore(arguments, context) {
                    try await $0.ask("GET", path, as: Page<ItemMessage>.self)
                }
                try print(found, arguments, context)
            }),
        Command(
            "feature", "Choose what the home page begins with, in place of what was chosen.",
            options: ListOptions.all, arguments: [items],
            examples: [
                Example("Two of them", "till items feature 1000000010 1000000001"),
                Example("The newest again", "till items feature"),
            ],
            exitCodes: ItemsCommand.exits,
            action: { arguments, context in
                let wanted = FeaturesRequest(items: arguments[items])
                let found = try await AdminConnection.withStore(arguments, context) {
                    try await $0.ask("PUT", path, wanted, as: Page<ItemMessage>.self)
                }
                try print(found, arguments, context)
            }),
    ]

    private static func print(
        _ found: Page<ItemMessage>, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        if arguments[StandardOptions.json] { return try context.printJSON(found) }
        context.printList(
            found.items, as: ItemText.table, arguments, nothing: "Nothing is chosen: the newest items begin the page.")
    }
}
