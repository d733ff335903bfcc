import CommandOptions
import StoreModel
import StoreRules
import StoreServer

/// `till faults`
enum FaultsCommand {
    static let command = Command<TillProgram.Action>(
        "faults", "Let requests and notifications of the sandbox go wrong on purpose.",
        discussion: """
            A fault is about requests by their path, or about the notifications that the store sends, and says which of them it \
            strikes and what becomes of those. Commands that reach the store by its admin socket are struck by \
            none. Production has no faults.
            """,
        options: SaleOptions.all,
        examples: [
            Example(
                "The next two answers of the App Store Server API",
                "till faults add --path '/inApps/*' --status 5000001 --times 2"),
            Example("Notifications come late", "till faults add --notifications --delay 3s"),
            Example("All as usual again", "till faults clear"),
        ],
        seeAlso: ["till requests", "till clock"], subcommands: [add, list, clear])

    private static let id = Argument<FaultID?>.optional(
        ValueFormat("FAULT", rule: "the number of a fault", parse: { FaultID($0) }),
        help: "The number of one fault; all of them if it is left out.")

    private static func path(_ arguments: ParsedArguments) -> String { SaleOptions.path(arguments) + "/faults" }

    private static let add = Command<TillProgram.Action>(
        "add", "Let something go wrong from now on.",
        discussion: """
            Without --notifications it is about requests, of all paths if there is no --path. It strikes each of them, unless \
            --call, --every or --percent choose, and no more than --times. What --percent chooses follows from --seed and the \
            count alone, so that a test goes the same way each time. A status is one of HTTP, one of verifyReceipt (21005), or \
            an error of the App Store Server API (5000001), with the body that belongs to it.
            """,
        options: FaultOptions.all + [StandardOptions.json],
        rules: [
            .atMostOne(FaultOptions.call, FaultOptions.every, FaultOptions.percent),
            .atMostOne(FaultOptions.status, FaultOptions.drop, FaultOptions.duplicate, FaultOptions.reorder),
            .atMostOne(FaultOptions.path, FaultOptions.notifications),
            .option(FaultOptions.seed, needs: FaultOptions.percent),
            .option(FaultOptions.retryAfter, needs: FaultOptions.status),
            .option(FaultOptions.type, needs: FaultOptions.notifications),
            .option(FaultOptions.reorder, needs: FaultOptions.notifications),
        ],
        examples: [
            Example("An app that has to wait", "till faults add --path '/device/*' --delay 800ms"),
            Example(
                "A sale whose answer is lost",
                "till faults add --path /device/v1/purchases --method POST --drop after --times 1"),
            Example(
                "A receipt that cannot be verified now",
                "till faults add --path /verifyReceipt --status 21005 --times 1"),
            Example(
                "One in ten fails, always the same ones",
                "till faults add --path '/inApps/*' --status 500 --percent 10 --seed 7"),
            Example("Each notification twice", "till faults add --notifications --duplicate"),
        ],
        exitCodes: SaleOptions.exits + [.badData.when("The fault means nothing; the message says why.")],
        action: { arguments, context in
            let terms = FaultOptions.terms(arguments)
            let added = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("POST", path(arguments), terms, as: FaultReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(added) }
            context.print("Fault \(added.faultId) \(PrintableText(added.description, limit: 400)).")
        })

    private static let list = Command<TillProgram.Action>(
        "list", "List what goes wrong on purpose, and how often it did.", options: ListOptions.all,
        examples: [Example("All of it", "till faults list")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("GET", path(arguments), as: Page<FaultReport>.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found) }
            context.printList(
                found.items, as: table, arguments, nothing: "Nothing goes wrong on purpose. To let it: till faults add")
        })

    private static var table: ListTable<FaultReport> {
        ListTable(
            .number("FAULT") { "\($0.faultId)" }, .text("DOES") { $0.description },
            .number("COUNTED") { "\($0.counted)" }, .number("STRUCK") { "\($0.struck)" },
            .state("STATE") { $0.isOver ? ListWord("over") : ListWord("at work", .waiting) },
            .id("ADDED") { $0.addedAt.rfc3339 }, .id("BY") { $0.actor })
    }

    private static let clear = Command<TillProgram.Action>(
        "clear", "Let nothing go wrong any more, or one thing less.", options: [StandardOptions.json], arguments: [id],
        examples: [Example("All", "till faults clear"), Example("One", "till faults clear 3")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let cleared = try await AdminConnection.withSales(arguments, context) { store in
                guard let id = arguments[id] else {
                    return try await store.ask("DELETE", path(arguments), as: FaultsCleared.self).cleared
                }
                try await store.send("DELETE", path(arguments) + "/\(id)")
                return 1
            }
            if arguments[StandardOptions.json] { return try context.printJSON(["cleared": cleared]) }
            context.print(cleared == 1 ? "One fault was cleared." : "\(cleared) faults were cleared.")
        })
}

/// What `till faults add` takes.
private enum FaultOptions {
    private static let counts = ValueFormat<Int>.integer("N", in: FaultLimits.calls)
    /// A delay in milliseconds.
    private static let time = ValueFormat<Int>(
        "TIME", rule: "a whole number with s or ms for its unit, such as 3s or 800ms, of at most 30s",
        describe: { $0.isMultiple(of: 1000) ? "\($0 / 1000)s" : "\($0)ms" },
        parse: { text in
            let (digits, unit) = text.hasSuffix("ms") ? (text.dropLast(2), 1) : (text.dropLast(), 1000)
            guard text.hasSuffix("s"), let count = Int(digits), count > 0, count <= FaultLimits.delay else {
                return nil
            }
            return count * unit <= FaultLimits.delay ? count * unit : nil
        })

    static let path = Option<String?>.optional(
        "path", .text("PATH"), help: "Requests of this path, in which * stands for anything.")
    static let method = Option<String?>.optional("method", .text("METHOD"), help: "Requests of this method only.")
    static let notifications = Option<Bool>.flag(
        "notifications", help: "Not requests, but each attempt to send a notification.")
    static let type = Option<String?>.optional(
        "type", .text("TYPE"), help: "Notifications of this type only, such as DID_RENEW.")
    static let app = Option<BundleID?>.optional(
        "app", CatalogueOptions.bundleFormat, help: "Only what concerns this app.")
    static let customer = Option<String?>.optional(
        "customer", .text("EMAIL|NUMBER", asking: "people"), help: "Only what concerns this account.")
    static let call = Option<Int?>.optional("call", counts, help: "The call with this number alone, 1 for the next.")
    static let every = Option<Int?>.optional("every", counts, help: "One in so many calls.")
    static let percent = Option<Int?>.optional(
        "percent", .integer("PERCENT", in: 1...100), help: "So many calls of a hundred, drawn by the seed.")
    static let seed = Option<Int?>.optional(
        "seed", .integer("SEED", in: 0...Int(Int32.max)), help: "What --percent draws by; 1 if it is left out.")
    static let times = Option<Int?>.optional("times", counts, help: "No more than so many calls.")
    static let delay = Option<Int?>.optional("delay", time, help: "It waits so long first.")
    static let status = Option<Int?>.optional(
        "status", .integer("STATUS", in: 200...5_999_999), help: "This is answered, and nothing done.")
    static let retryAfter = Option<Int?>.optional(
        "retry-after", .integer("SECONDS", in: 1...86_400), help: "The answer says to wait so long; 60 s with 429.")
    static let drop = Option<FaultRule.Effect.Moment?>.optional(
        "drop", .choice("WHEN", of: FaultRule.Effect.Moment.self),
        help: "The connection is closed without an answer, before it is acted on or after.")
    static let duplicate = Option<Bool>.flag("duplicate", help: "It is done twice, and has the second answer.")
    static let reorder = Option<Bool>.flag(
        "reorder", help: "The next notification of the same subscription goes out first.")

    static let all: [any OptionDeclaration] = [
        path, method, notifications, type, app, customer, call, every, percent, seed, times, delay, status, retryAfter,
        drop, duplicate, reorder,
    ]

    static func terms(_ arguments: ParsedArguments) -> FaultTerms {
        var terms = FaultTerms()
        terms.path = arguments[path]
        terms.method = arguments[method]
        terms.notifications = arguments[notifications] ? true : nil
        terms.notificationType = arguments[type]
        terms.bundleId = arguments[app]
        terms.customer = arguments[customer]
        (terms.call, terms.every, terms.percent) = (arguments[call], arguments[every], arguments[percent])
        (terms.seed, terms.times) = (arguments[seed], arguments[times])
        terms.delayMilliseconds = arguments[delay]
        (terms.status, terms.retryAfterSeconds) = (arguments[status], arguments[retryAfter])
        terms.drop = arguments[drop]?.rawValue
        terms.duplicate = arguments[duplicate] ? true : nil
        terms.reorder = arguments[reorder] ? true : nil
        return terms
    }
}
