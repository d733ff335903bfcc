import CommandOptions
import StoreModel
import StoreServer
import StoreService

/// `till codes`
enum CodesCommand {
    private static let offer = Argument<String>.required(.text("OFFER"), help: "The offer of the kind code.")
    private static let batch = Argument<Int>.required(
        .integer("BATCH", in: 1...Int.max), help: "The number of the batch.")
    private static let code = Argument<String>.required(.text("CODE"), help: "The code; case does not matter.")
    private static let custom = Option<String?>.optional(
        "custom", .text("CODE"),
        help: "One code that many can redeem, of letters and digits; else one-time codes are made.")
    private static let count = Option<Int>.defaulted(
        "count", .integer(in: 1...OfferCodes.mostRedemptions), to: 1,
        help: "How many codes, or how often the custom one can be redeemed.")
    private static let until = Option<Instant?>.optional(
        "until", CatalogueOptions.instant, help: "When they end; one-time codes after six months at most.")

    private static let exits: [ExitCode] = SaleOptions.exits + [.badData.when("A value is refused.")]

    static let command = Command<TillProgram.Action>(
        "codes", "Make codes of offers, and redeem them.",
        discussion: """
            Codes are of one environment. A batch has many codes that are good once each, or one custom code that many can \
            redeem; a customer redeems one code of a batch.
            """,
        options: SaleOptions.all,
        examples: [
            Example("A hundred codes", "till codes create com.example.app com.example.app.club spring --count 100")
        ],
        seeAlso: ["till offers"],
        subcommands: [create, list, show, export, redeem, deactivate])

    private static let create = Command<TillProgram.Action>(
        "create", "Make codes of an offer.", options: [custom, count, until, StandardOptions.json],
        arguments: [CatalogueOptions.bundle, CatalogueOptions.product, offer],
        examples: [
            Example(
                "One for five hundred customers",
                "till codes create com.example.app com.example.app.club spring --custom SPRING --count 500")
        ],
        exitCodes: exits,
        action: { arguments, context in
            let wanted = CodesRequest(
                productId: arguments[CatalogueOptions.product], offerId: arguments[offer], custom: arguments[custom],
                count: arguments[count], expiresAt: arguments[until])
            let made = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("POST", path(arguments), wanted, as: CodeBatchMessage.self)
            }
            try show(made, arguments, context)
        })

    private static let list = Command<TillProgram.Action>(
        "list", "List the batches of an app's codes, the newest last; with --json the newest first.",
        options: ListOptions.all,
        arguments: [CatalogueOptions.bundle],
        examples: [Example("For a program", "till codes list com.example.app --json")], exitCodes: exits,
        action: { arguments, context in
            let page = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("GET", path(arguments), as: Page<CodeBatchMessage>.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(page) }
            context.printList(
                page.items.reversed(), as: CatalogueTables.codes, arguments,
                nothing: "The app has no codes. To make some: till codes create BUNDLE PRODUCT OFFER")
        })

    private static let show = one("show", "Show a batch and its codes.", "GET", "") { try show($0, $1, $2) }

    private static let export = one("export", "Print the codes of a batch as CSV.", "GET", "") {
        batch, arguments, context in
        if arguments[StandardOptions.json] { return try context.printJSON(batch) }
        context.print("code,product,offer,used,most,expires")
        for code in batch.codes ?? [] {
            context.print(
                "\(code.code),\(batch.productId),\(quoted(batch.offerId)),\(code.used),\(code.most),"
                    + (batch.expiresAt?.rfc3339 ?? ""))
        }
    }

    private static func quoted(_ text: String) -> String {
        text.contains { ",\"".contains($0) } ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
    }

    private static let deactivate = one(
        "deactivate", "Let no code of a batch be redeemed any more.", "POST", "/deactivation"
    ) { try show($0, $1, $2) }

    private static let redeem = Command<TillProgram.Action>(
        "redeem", "Redeem a code for a customer, as if the customer had done so on a device.",
        options: [SaleOptions.onlyCustomer, StandardOptions.json], arguments: [CatalogueOptions.bundle, code],
        examples: [Example("One", "till codes redeem com.example.app SPRING --customer ada@example.com")],
        exitCodes: exits,
        action: { arguments, context in
            let bought = try await AdminConnection.withSales(arguments, context) { store in
                let wanted = OperatorRedemptionRequest(
                    customer: try await store.customer(arguments), bundleId: arguments[CatalogueOptions.bundle],
                    code: arguments[code])
                return try await store.ask(
                    "POST", SaleOptions.path(arguments) + "/redemptions", wanted, as: PurchaseReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(bought) }
            for line in SaleText.lines(bought, in: arguments[SaleOptions.environment]) { context.print(line) }
        })

    private static func path(_ arguments: ParsedArguments) -> String {
        "\(SaleOptions.path(arguments))/apps/\(arguments[CatalogueOptions.bundle])/codes"
    }

    private static func one(
        _ word: String, _ summary: String, _ method: String, _ act: String,
        _ print: @escaping @Sendable (CodeBatchMessage, ParsedArguments, CommandContext) throws -> Void
    ) -> Command<TillProgram.Action> {
        Command(
            word, summary, options: [StandardOptions.json], arguments: [CatalogueOptions.bundle, batch],
            examples: [Example("One", "till codes \(word) com.example.app 1")], exitCodes: exits,
            action: { arguments, context in
                let found = try await AdminConnection.withSales(arguments, context) {
                    try await $0.ask(
                        method, "\(path(arguments))/\(arguments[batch])\(act)", as: CodeBatchMessage.self)
                }
                try print(found, arguments, context)
            })
    }

    private static func show(
        _ batch: CodeBatchMessage, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        if arguments[StandardOptions.json] { return try context.printJSON(batch) }
        context.print(line(batch))
        for code in batch.codes ?? [] {
            context.print("  \(code.code)" + (code.used > 0 ? "  redeemed \(code.used) of \(code.most)" : ""))
        }
    }

    private static func line(_ batch: CodeBatchMessage) -> String {
        let kind = batch.custom.map { "custom code \($0)" } ?? "\(batch.total) one-time codes"
        let words = [
            "\(batch.batchId): \(kind) of \(PrintableText(batch.offerId, limit: 100)) of \(batch.productId)",
            "\(batch.used) of \(batch.total) redeemed", batch.expiresAt.map { "until \($0.rfc3339)" },
            batch.obstacle.map { "not good any more: \($0)" },
        ]
        return words.compactMap(\.self).joined(separator: ", ")
    }
}
