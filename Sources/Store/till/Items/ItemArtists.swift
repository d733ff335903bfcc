import CommandOptions
import StoreCatalogue
import StoreModel
import StoreServer

/// The commands of `till items` about those who made them.
enum ItemArtists {
    private static let path = CatalogueOptions.path + "/artists"
    private static let name = Argument<String>.required(.text("NAME"), help: "What the artist is called.")
    private static let artist = Argument<Int64>.required(
        ItemsCommand.storeIDFormat, help: "The store id of the artist.")
    private static let kind = Option<String>.required(
        "kind", .choice("KIND", ArtistKind.known.map(\.rawValue).sorted()), help: "What the artist makes.")
    private static let brought = Option<Int64?>.optional(
        "store-id", ItemsCommand.storeIDFormat, help: "The store id that the artist brings.")
    private static let team = Option<TeamID?>.optional(
        "team", CatalogueOptions.teamFormat, help: "Whose items the artist makes; the first team's.")

    static let commands: [Command<TillProgram.Action>] = [
        Command(
            "artists", "List those who made the items.", options: ListOptions.all,
            examples: [Example("All", "till items artists")],
            exitCodes: [CatalogueOptions.noStore, CatalogueOptions.unavailable],
            action: { arguments, context in
                let found = try await AdminConnection.withStore(arguments, context) {
                    try await $0.all(path, of: ArtistMessage.self)
                }
                if arguments[StandardOptions.json] { return try context.printJSON(Page(found)) }
                context.printList(
                    found, as: table, arguments,
                    nothing: "There are no artists. One is entered with its first item.")
            }),
        Command(
            "add-artist", "Enter somebody who makes items, before there is any.",
            options: [kind, brought, team, StandardOptions.json], arguments: [name],
            examples: [Example("One", "till items add-artist 'The Tides' --kind musician")],
            exitCodes: ItemsCommand.exits,
            action: { arguments, context in
                let wanted = ArtistRequest(
                    name: arguments[name], kind: arguments[kind], artistId: arguments[brought],
                    teamId: arguments[team])
                try await tell(arguments, context) { try await $0.ask("POST", path, wanted, as: ArtistMessage.self) }
            }),
        Command(
            "rename-artist", "Give an artist another name.", options: [StandardOptions.json],
            arguments: [artist, name],
            examples: [Example("One", "till items rename-artist 1000000011 'The High Tides'")],
            exitCodes: ItemsCommand.exits,
            action: { arguments, context in
                let wanted = ArtistNameRequest(name: arguments[name])
                try await tell(arguments, context) {
                    try await $0.ask("PUT", "\(path)/\(arguments[artist])", wanted, as: ArtistMessage.self)
                }
            }),
    ]

    private static var table: ListTable<ArtistMessage> {
        ListTable(
            .value("ARTIST") { "\($0.artistId)" }, .text("NAME") { $0.name },
            .value("KIND") { $0.kind.replacing("_", with: " ") }, .value("TEAM") { $0.teamId.text },
            .id("MADE") { $0.createdAt.rfc3339 })
    }

    private static func tell(
        _ arguments: ParsedArguments, _ context: CommandContext,
        _ body: (AdminConnection) async throws -> ArtistMessage
    ) async throws {
        let artist = try await AdminConnection.withStore(arguments, context, body)
        if arguments[StandardOptions.json] { return try context.printJSON(artist) }
        context.print("\(artist.artistId): \(PrintableText(artist.name, limit: 200)), \(artist.kind)")
    }
}
