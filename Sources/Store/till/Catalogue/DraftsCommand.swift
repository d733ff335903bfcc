import CommandOptions
import StoreCatalogue
import StoreModel
import StoreServer

/// `till catalogue drafts`, `publish` and `discard`
enum DraftsCommand {
    private static let app = Argument<BundleID?>.optional(
        CatalogueOptions.bundleFormat, help: "Of this app; of all apps if it is left out.")
    private static let products = Argument<[ProductID]>.rest(
        CatalogueOptions.productFormat, help: "The products; all of the app if they are left out.")
    private static let trial = Option<Bool>.flag("dry-run", help: "Change nothing; say what production would sell by.")
    private static let field = Option<String?>.optional(
        "field", .text("FIELD"), help: "Only this of one product, such as prices.USA or texts.de-DE.")
    private static let seen = Option<Int?>.optional(
        "seen", .integer("NUMBER", in: 0...Int.max),
        help: "Publish nothing that was changed after these drafts were listed; the number is in --json.")

    private static let exits: [ExitCode] = [
        CatalogueOptions.missing, CatalogueOptions.unavailable,
        .failure.when("A product has nothing that waits, or was changed meanwhile; nothing was changed."),
    ]

    static let commands: [Command<TillProgram.Action>] = [
        Command(
            "drafts", "List what waits to go live.",
            discussion: """
                Changes of prices, shelves, offers and tax, and removals, go live when they are published; texts and pictures \
                when they are approved. The sandbox sells by all of it already.
                """,
            options: [StandardOptions.json], arguments: [app],
            examples: [
                Example("All", "till catalogue drafts"), Example("Of one app", "till catalogue drafts com.example.app"),
            ],
            exitCodes: [CatalogueOptions.missing, CatalogueOptions.unavailable],
            seeAlso: ["till catalogue publish", "till catalogue discard", "till review"], action: list),
        Command(
            "publish", "Let production sell by drafts, all of them from one moment on.",
            discussion: "One publication is one change in the audit. It publishes all that is named, or nothing.",
            options: [trial, seen, StandardOptions.json], arguments: [app, products],
            examples: [
                Example("See what it would do", "till catalogue publish com.example.app --dry-run"),
                Example("One product", "till catalogue publish com.example.app com.example.app.credits5"),
            ], exitCodes: exits, seeAlso: ["till catalogue drafts", "till catalogue discard"], action: publish),
        Command(
            "discard", "Take drafts back: the sandbox sells what production does.",
            options: [field, StandardOptions.json], arguments: [app, products],
            examples: [
                Example("One product", "till catalogue discard com.example.app com.example.app.credits5"),
                Example(
                    "One price", "till catalogue discard com.example.app com.example.app.credits5 --field prices.USA"),
            ], exitCodes: exits, seeAlso: ["till catalogue drafts"], action: discard),
    ]

    private static let path = "\(CatalogueOptions.path)/catalogue"

    private static func request(_ arguments: ParsedArguments, seen: Int? = nil) -> DraftsRequest {
        let named = arguments[products]
        return DraftsRequest(
            bundleId: arguments[app], products: named.isEmpty ? nil : named, seen: seen.map(Int64.init))
    }

    private static func list(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let page = try await AdminConnection.withStore(arguments, context) { store in
            var (items, last, first): ([DraftAnswer], String?, DraftsAnswer?) = ([], nil, nil)
            repeat {
                let queries = [arguments[app].map { "bundleId=\($0)" }, last.map { "after=\($0)" }].compactMap(\.self)
                let query = queries.isEmpty ? "" : "?" + queries.joined(separator: "&")
                let page = try await store.ask("GET", "\(path)/drafts\(query)", as: DraftsAnswer.self)
                items += page.items
                (first, last) = (first ?? page, page.next)
            } while last != nil
            return DraftsAnswer(items, count: first?.count ?? 0, seen: first?.seen ?? 0)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(page) }
        guard !page.items.isEmpty else {
            return context.print("Nothing waits: production sells what the sandbox does.")
        }
        for item in page.items { for line in lines(item) { context.print(line) } }
        if page.items.contains(where: { !$0.changes.isEmpty }) {
            context.print("to let production sell by it: till catalogue publish")
        }
    }

    private static func publish(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let query = arguments[trial] ? "?trial=true" : ""
        let made = try await AdminConnection.withStore(arguments, context) { store in
            try await store.ask(
                "POST", "\(path)/publication\(query)", request(arguments, seen: arguments[seen]),
                as: PublicationAnswer.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(made) }
        for item in made.products { for line in lines(item, isWhole: false) { context.print(line) } }
        let what = "\(count(made.changes, "change")) of \(count(made.products.count, "product"))"
        guard made.changes > 0 else { return context.print("Nothing waits for a publication.") }
        context.print(made.isTrial ? "would publish \(what)" : "published \(what) at \(made.at.rfc3339)")
    }

    private static func discard(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        if let field = arguments[field] {
            guard let bundle = arguments[app], let product = arguments[products].first, arguments[products].count == 1
            else { throw CommandFailure(.usage, "--field is one of a single product: name the app and the product") }
            try await AdminConnection.withStore(arguments, context) { store in
                try await store.send(
                    "DELETE",
                    "\(CatalogueOptions.path(bundle))/products/\(product)/draft/\(SaleOptions.escaped(field))")
            }
            if arguments[StandardOptions.json] { return try context.printJSON(["discarded": field]) }
            return context.print("discarded \(PrintableText(field, limit: 200)) of \(product)")
        }
        let answer = try await AdminConnection.withStore(arguments, context) { store in
            try await store.ask("POST", "\(path)/drafts/discard", request(arguments), as: DiscardAnswer.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(answer) }
        context.print("discarded the drafts of \(count(answer.products, "product"))")
    }

    private static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }

    /// - Parameter isWhole: whether what waits for its approval is told too.
    private static func lines(_ item: DraftAnswer, isWhole: Bool = true) -> [String] {
        func line(_ change: DraftAnswer.Change, _ when: String) -> String {
            let (before, after) = (change.before ?? "-", change.after ?? "-")
            return "  \(PrintableText(change.field, limit: 200)): \(PrintableText(before, limit: 200)) -> "
                + "\(PrintableText(after, limit: 200))\(when)"
        }
        return [
            "\(item.bundleId) \(item.productId)" + (item.author.map { ", by \(PrintableText($0, limit: 100))" } ?? "")
        ]
            + item.changes.map { line($0, "") }
            + (isWhole ? item.inReview.map { line($0, " (once it is approved)") } : [])
    }
}
