import CommandOptions
import StoreModel
import StoreServer
import StoreService

/// `till partners`
enum PartnersCommand {
    static let command = Command<TillProgram.Action>(
        "partners", "Look after partners, who send customers to the store.",
        discussion: """
            A link to a page of the store with at=TOKEN, and perhaps ct=CAMPAIGN, is a partner's. What is bought on a page \
            within 24 hours earns the partner a share, which the store gives of what it keeps; a refund takes it back. With the \
            key an approved partner fetches the partner feed, and reports of what was earned.
            """,
        options: SaleOptions.all,
        examples: [
            Example("Somebody who applies", "till partners create 'Game Guide' --email ada@example.com --share 7"),
            Example("Let the links earn, and make the key", "till partners approve TOKEN"),
            Example("What came of the links", "till partners report TOKEN"),
        ],
        seeAlso: ["till feed", "till ledger"],
        subcommands: [create, list, show, approve, key, share, end, report])

    private static let name = Argument<String>.required(.text("NAME"), help: "What the partner is called.")
    private static let token = Argument<String>.required(
        ValueFormat("TOKEN", rule: "the token of a partner, as till partners list shows it") { $0 },
        help: "The token of the partner.")
    private static let email = Option<String>.required(
        "email", .text("EMAIL"), help: "Where the partner is reached.")
    private static let part = Option<Proportion>.required(
        "share", PolicyOptions.percent, help: "What the partner gets of what customers pay.")
    private static let newPart = Argument<Proportion>.required(
        PolicyOptions.percent, help: "What the partner gets of what customers pay, for sales from now on.")

    private static let exits = SaleOptions.exits + [.badData.when("A value is refused.")]

    private static func path(_ arguments: ParsedArguments) -> String { SaleOptions.path(arguments) + "/partners" }

    private static let create = Command<TillProgram.Action>(
        "create", "Enter somebody who wants to be a partner; nothing earns before an approval.",
        options: [email, part, StandardOptions.json], arguments: [name],
        examples: [Example("One", "till partners create 'Game Guide' --email ada@example.com --share 2.5")],
        exitCodes: exits,
        action: { arguments, context in
            let wanted = PartnerRequest(
                name: arguments[name], email: arguments[email], commission: arguments[part].percentMilliunits ?? 0)
            let made = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("POST", path(arguments), wanted, as: PartnerMessage.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(made) }
            context.print(
                "Partner \(made.token) (\(PrintableText(made.name, limit: 100))) waits: till partners approve \(made.token)"
            )
        })

    private static let list = Command<TillProgram.Action>(
        "list", "List the partners, those that ended too.", options: ListOptions.all,
        examples: [Example("All", "till partners list")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.all(path(arguments), of: PartnerMessage.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(Page(found)) }
            context.printList(
                found, as: table, arguments,
                nothing: "There are no partners. To enter one: till partners create NAME --email EMAIL --share PERCENT")
        })

    private static var table: ListTable<PartnerMessage> {
        ListTable(
            .value("TOKEN") { $0.token }, .text("NAME") { $0.name }, .number("SHARE") { percent($0) },
            .state("STATE") { state($0.state) }, .id("EMAIL") { $0.email }, .id("CREATED") { $0.createdAt.rfc3339 },
            .id("KEY MADE") { $0.keyMadeAt?.rfc3339 })
    }

    private static func percent(_ partner: PartnerMessage) -> String {
        (try? Proportion(percentMilliunits: partner.commission))?.percentText ?? ""
    }

    private static func state(_ word: String) -> ListWord {
        switch word {
        case "approved": ListWord(word, .good)
        case "applied": ListWord(word, .waiting)
        default: ListWord(word)
        }
    }

    private static let show = one("show", "Show a partner, and what happened to it.", "GET", "") { partner, context in
        context.print("\(partner.token)  \(PrintableText(partner.name, limit: 100))  \(partner.state)")
        context.print("reached at \(PrintableText(partner.email, limit: 300)), gets \(percent(partner))")
        for line in partner.history ?? [] {
            let detail = line.detail.map { " \(PrintableText($0, limit: 100))" } ?? ""
            context.print("  \(line.at.rfc3339)  \(line.event)\(detail) by \(PrintableText(line.actor, limit: 200))")
        }
    }

    private static let approve = one(
        "approve", "Let a partner's links earn, and print the key for the feed, which is shown this once.", "POST",
        "/approval"
    ) { printKey($0, $1) }

    private static let key = one(
        "key", "Make another key in the place of the former one, and print it once.", "POST", "/key"
    ) { printKey($0, $1) }

    private static let end = one(
        "end", "End it with a partner; what was earned stays owed.", "POST", "/end"
    ) { partner, context in
        context.print("Links of \(partner.token) earn nothing any more, and its key opens nothing.")
    }

    private static func printKey(_ partner: PartnerMessage, _ context: CommandContext) {
        context.printError("user \(partner.token), and as the password the key, which the store does not keep:")
        context.print(partner.key ?? "")
    }

    private static func one(
        _ word: String, _ summary: String, _ method: String, _ act: String,
        _ print: @escaping @Sendable (PartnerMessage, CommandContext) -> Void
    ) -> Command<TillProgram.Action> {
        Command(
            word, summary, options: [StandardOptions.json], arguments: [token],
            examples: [Example("One", "till partners \(word) TOKEN")], exitCodes: SaleOptions.exits,
            action: { arguments, context in
                let found = try await AdminConnection.withSales(arguments, context) {
                    try await $0.ask(
                        method, "\(path(arguments))/\(SaleOptions.escaped(arguments[token]))\(act)",
                        as: PartnerMessage.self)
                }
                if arguments[StandardOptions.json] { return try context.printJSON(found) }
                print(found, context)
            })
    }

    private static let share = Command<TillProgram.Action>(
        "share", "Give a partner another share, for sales from now on.", options: [StandardOptions.json],
        arguments: [token, newPart], examples: [Example("One", "till partners share TOKEN 5")], exitCodes: exits,
        action: { arguments, context in
            let wanted = CommissionRequest(commission: arguments[newPart].percentMilliunits ?? 0)
            let changed = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(
                    "PUT", "\(path(arguments))/\(SaleOptions.escaped(arguments[token]))/commission", wanted,
                    as: PartnerMessage.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(changed) }
            context.print("\(changed.token) gets \(percent(changed)) of what customers pay from now on.")
        })

    // MARK: Reports

    private static let csv = Option<Bool>.flag(
        "csv", help: "Print the single sales and refunds as a table with commas.")

    private static let report = Command<TillProgram.Action>(
        "report", "Show what came of a partner's links, from the ledger.",
        options: [ListOptions.verbose, csv, StandardOptions.json],
        arguments: [token], rules: [.atMostOne(csv, StandardOptions.json)],
        examples: [
            Example("The sums", "till partners report TOKEN"),
            Example("For a spreadsheet", "till partners report TOKEN --csv"),
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let place = "\(path(arguments))/\(SaleOptions.escaped(arguments[token]))/report"
            if arguments[csv] {
                return context.write(
                    try await AdminConnection.withSales(arguments, context) {
                        try await $0.bytes("GET", place + ".csv")
                    })
            }
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("GET", place, as: PartnerReportAnswer.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found) }
            context.printList(found.items, as: sums, arguments, nothing: "Nothing came of the links yet.")
            for total in found.totals { context.print("owed: \(total.commission) \(total.currency)") }
        })

    private static var sums: ListTable<PartnerReportAnswer.Sum> {
        ListTable(
            .text("CAMPAIGN") { $0.campaign ?? "(none)" }, .number("SALES") { "\($0.sales)" },
            .number("REFUNDS") { "\($0.refunds)" }, .number("PAID") { $0.paid }, .number("SHARE") { $0.commission },
            .value("CURRENCY") { $0.currency.code })
    }
}
