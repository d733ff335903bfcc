import CommandOptions
import Foundation
import StoreCatalogue
import StoreModel
import StoreServer
import StoreService

/// `till items create` and `till items change`
enum ItemsEntry {
    /// Text that takes something away if it is empty.
    private static let anyText = ValueFormat<String>("TEXT", rule: "text", explainsRule: false) { $0 }

    private static func clearable(_ name: String, _ help: String) -> Option<String?> {
        .optional(name, anyText, help: help)
    }

    private static let kind = Argument<String>.required(
        .choice("KIND", ItemKind.all.map(\.rawValue)), help: "What it is; that never changes.")
    private static let brought = Option<Int64?>.optional(
        "store-id", ItemsCommand.storeIDFormat, help: "The store id that it brings; else the next of the store.")
    private static let app = Option<BundleID?>.optional(
        "bundle-id", CatalogueOptions.bundleFormat, help: "The app that it is; of an app only.")
    private static let team = Option<TeamID?>.optional(
        "team", CatalogueOptions.teamFormat, help: "Whose it is; the first team's.")

    private static let name = Option<String?>.optional(
        "name", .text("NAME"), help: "What it is called in the language of its maker.")
    private static let artist = Option<String?>.optional(
        "artist", .text("NAME"), help: "Who made it; entered, if the team has none of this name.")
    private static let artistID = Option<Int64?>.optional(
        "artist-id", ItemsCommand.storeIDFormat, help: "Who made it, by store id.")
    private static let genre = Option<Int?>.optional(
        "genre", .integer("NUMBER", in: 1...999_999_999), help: "The number of its genre.")
    private static let parent = Option<Int64?>.optional(
        "parent", ItemsCommand.storeIDFormat, help: "The album of a song, the season of an episode.")
    private static let disc = Option<Int?>.optional("disc", .integer("N", in: 1...100), help: "The disc of a song.")
    private static let number = Option<Int?>.optional(
        "number", .integer("N", in: 0...10_000), help: "Of a song, an episode or a season.")
    private static let released = Option<Instant?>.optional(
        "released",
        ValueFormat(
            "DATE", rule: "a day such as 2026-01-31, or a moment such as 2026-01-31T12:00:00Z",
            describe: { $0.rfc3339 },
            parse: { text in (try? Instant(rfc3339: text)) ?? (try? Instant(rfc3339: text + "T00:00:00Z")) }),
        help: "When it came out.")
    private static let explicitness = Option<String?>.optional(
        "explicitness", .choice("WORD", Explicitness.known.map(\.rawValue).sorted()),
        help: "Whether it is fit for children.")
    private static let rating = clearable("rating", "For whom it is, such as 12+.")
    private static let copyright = clearable("copyright", "Whose rights there are.")
    private static let support = clearable("support", "The address where those find help who have it.")
    private static let maker = clearable("maker", "The address of the pages of its maker.")
    private static let privacy = clearable("privacy", "The address of what is done with data.")
    private static let length = Option<Duration?>.optional("length", .duration(), help: "How long it plays.")
    private static let isbn = clearable("isbn", "Of a book.")
    private static let upc = clearable("upc", "Its bar code.")
    private static let languages = Option<[String]?>.optional(
        "languages", .list(of: .text("LANGUAGE")), help: "Those of an app or a book.")
    private static let title = Option<String?>.optional(
        "title", .text("TITLE"), help: "What customers read in a language; its name, if no text is given.")
    private static let description = clearable("description", "What customers read below the title.")
    private static let language = Option<String>.defaulted(
        "language", .text("LANGUAGE"), to: "en-US", help: "Of title and description.")
    private static let price = Option<String?>.optional(
        "price", .text("AMOUNT"), help: "In US dollars, everywhere: what it comes to in the other currencies.")
    private static let isShareable = Option<Bool>.flag("family-shareable", help: "Shared with the customer's family.")
    private static let without = Option<[String]>.repeated(
        "without", .choice("FACT", ["parent", "disc", "number", "milliseconds"]), help: "Take a number away.")

    private static let facts: [any OptionDeclaration] = [
        name, artist, artistID, genre, parent, disc, number, released, explicitness, rating, copyright, support, maker,
        privacy, length, isbn, upc, languages, title, description, language, price, isShareable,
        StandardOptions.json,
    ]
    private static let beginnings: [any OptionDeclaration] = [brought, app, team]

    static let commands: [Command<TillProgram.Action>] = [
        Command(
            "create", "Enter an item.",
            discussion: """
                An item has a genre, a name and somebody who made it. An app is one of the list of till apps, and brings its \
                name. A song is entered with --parent after its album, an episode after its season. Without a price it is not \
                sold by itself.
                """,
            options: beginnings + facts, arguments: [kind],
            examples: [
                Example(
                    "A book that brings its number",
                    "till items create book --store-id 364612911 --name 'On Tides' --artist 'Ada Sea' --genre 9031"),
                Example(
                    "A song of an album",
                    "till items create song --parent 1000000010 --number 1 --name Ebb --artist 'The Tides' --genre 14"),
            ],
            exitCodes: ItemsCommand.exits,
            action: { arguments, context in
                var wanted = NewItemRequest(kind: arguments[kind], facts: request(arguments))
                (wanted.storeId, wanted.bundleId, wanted.teamId) = (
                    arguments[brought], arguments[app], arguments[team]
                )
                let new = wanted
                try await ItemsCommand.tell(arguments, context) {
                    try await $0.ask("POST", ItemsCommand.path, new, as: ItemDetailsMessage.self)
                }
            }),
        Command(
            "change", "Change an item.",
            discussion: """
                What is left out stays, and an empty text takes away what may be missing. What production shows stays as it was \
                until the change is approved.
                """,
            options: facts + [without], arguments: [ItemsCommand.storeID],
            examples: [Example("Another name", "till items change 1000000010 --name 'On High Tides'")],
            exitCodes: ItemsCommand.exits,
            action: { arguments, context in
                var wanted = request(arguments)
                wanted.without = arguments[without].isEmpty ? nil : arguments[without]
                let changed = wanted
                try await ItemsCommand.tell(arguments, context) {
                    try await $0.ask("PUT", ItemsCommand.path(arguments), changed, as: ItemDetailsMessage.self)
                }
            }),
    ]

    private static func request(_ arguments: ParsedArguments) -> ItemRequest {
        var wanted = ItemRequest()
        (wanted.name, wanted.artist, wanted.artistId) = (arguments[name], arguments[artist], arguments[artistID])
        (wanted.genreId, wanted.parent) = (arguments[genre], arguments[parent])
        (wanted.disc, wanted.number, wanted.releasedAt) = (arguments[disc], arguments[number], arguments[released])
        (wanted.explicitness, wanted.rating) = (arguments[explicitness], arguments[rating])
        (wanted.copyright, wanted.supportAddress) = (arguments[copyright], arguments[support])
        (wanted.makerAddress, wanted.privacyAddress) = (arguments[maker], arguments[privacy])
        wanted.milliseconds = arguments[length].map { $0.components.seconds * 1000 }
        (wanted.isbn, wanted.upc, wanted.languages) = (arguments[isbn], arguments[upc], arguments[languages])
        let text = ItemTextRequest(title: arguments[title], description: arguments[description])
        if text != ItemTextRequest() { wanted.texts = [arguments[language]: text] }
        wanted.price = arguments[price].map { BasePrice(amount: $0, currency: .usd) }
        wanted.isFamilyShareable = arguments[isShareable] ? true : nil
        return wanted
    }
}
