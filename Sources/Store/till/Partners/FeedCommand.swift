import CommandOptions
import StoreCatalogue
import StoreModel
import StoreServer

/// `till feed`
enum FeedCommand {
    static let command = Command<TillProgram.Action>(
        "feed", "Make and list dumps of the catalogue, which approved partners fetch.",
        discussion: """
            A running store makes them: each week a full one, and on the other days what changed since, as soon as there is a \
            partner. They lie below /feed/epf/v5/ and are laid out as Apple's Enterprise Partner Feed.
            """,
        options: SaleOptions.all,
        examples: [
            Example("Make what is due now", "till feed make"), Example("Which there are", "till feed list"),
        ],
        seeAlso: ["till partners"], subcommands: [make, list, show])

    private static let mode = Option<FeedMode?>.optional(
        "mode", .choice("MODE", of: FeedMode.self), help: "full or incremental; without it what is due.")
    private static let leaves = Option<Bool>.flag("no-wait", help: "Do not wait until it is ready.")
    private static let number = Argument<Int>.required(
        .integer("NUMBER", in: 1...Int.max), help: "The number of the feed.")

    private static func path(_ arguments: ParsedArguments) -> String { SaleOptions.path(arguments) + "/partner-feeds" }

    private static let make = Command<TillProgram.Action>(
        "make", "Begin a feed, and wait until it is ready.",
        discussion: "One is made at a time; while one is, it is waited for. One of the same day is replaced.",
        options: [mode, leaves, StandardOptions.json],
        examples: [
            Example("What is due", "till feed make"),
            Example("All of it, in the background", "till feed make --mode full --no-wait"),
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let made = try await AdminConnection.withSales(arguments, context) { store in
                let begun = try await store.ask(
                    "POST", path(arguments), FeedRequest(mode: arguments[mode]), as: FeedMessage.self)
                // In a store that does not run nobody makes it.
                return arguments[leaves] || !store.isRunning ? begun : try await ready(begun, arguments, store)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(made) }
            switch made.state {
            case "ready": for line in lines(made) { context.print(line) }
            case "making":
                context.print("Feed \(made.number) is made while the store runs: till feed show \(made.number)")
            default: throw CommandFailure(.failure, "the feed could not be made: \(made.problem ?? "")")
            }
        })

    private static func ready(
        _ begun: FeedMessage, _ arguments: ParsedArguments, _ store: AdminConnection
    ) async throws -> FeedMessage {
        var (feed, asked) = (begun, 0)
        while feed.state == "making" {
            asked += 1
            try await Task.sleep(for: .milliseconds(min(100 * asked, 2000)))
            feed = try await store.ask("GET", "\(path(arguments))/\(begun.number)", as: FeedMessage.self)
        }
        return feed
    }

    private static let list = Command<TillProgram.Action>(
        "list", "List the feeds, the newest last; with --json the newest first.", options: ListOptions.all,
        examples: [Example("All", "till feed list")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("GET", path(arguments), as: Page<FeedMessage>.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found) }
            context.printList(
                found.items.reversed(), as: table, arguments, nothing: "There is no feed. To make one: till feed make")
        })

    private static var table: ListTable<FeedMessage> {
        ListTable(
            .number("FEED") { "\($0.number)" }, .value("DATE") { $0.date }, .value("MODE") { $0.mode.rawValue },
            .number("SINCE") { $0.base.map { "\($0)" } }, .state("STATE") { state($0.state) },
            .text("PROBLEM") { $0.problem }, .id("BEGUN") { $0.begunAt.rfc3339 }, .id("BY") { $0.actor })
    }

    private static func state(_ word: String) -> ListWord {
        switch word {
        case "ready": ListWord(word, .good)
        case "making": ListWord(word, .waiting)
        default: ListWord(word, .bad)
        }
    }

    private static let show = Command<TillProgram.Action>(
        "show", "Show a feed and its tables.", options: [StandardOptions.json], arguments: [number],
        examples: [Example("One", "till feed show 1")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("GET", "\(path(arguments))/\(arguments[number])", as: FeedMessage.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found) }
            for line in lines(found) { context.print(line) }
        })

    private static func lines(_ feed: FeedMessage) -> [String] {
        let since = feed.base.map { ", what changed since feed \($0)" } ?? ""
        let head = "feed \(feed.number) of \(feed.date): \(feed.mode.rawValue)\(since), \(feed.state)"
        return [head] + [feed.problem.map { "  \(PrintableText($0, limit: 300))" }].compactMap(\.self)
            + (feed.tables ?? []).map { "  \($0.group)/\($0.name)  \($0.records) records, \(ByteText($0.bytes))" }
    }
}
