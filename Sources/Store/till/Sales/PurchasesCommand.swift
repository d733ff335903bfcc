import CommandOptions
import StoreModel
import StoreServer

/// `till purchases`
enum PurchasesCommand {
    static let command = Command<TillProgram.Action>(
        "purchases", "See purchases that are under way or over, and go on with them.", options: SaleOptions.all,
        examples: [Example("What waits and what is over", "till purchases list")],
        seeAlso: ["till approve", "till transactions why"],
        subcommands: [
            list,
            change("cancel", "Say no for the customer.", path: "cancellation"),
            settle,
        ])

    private static let name = Argument<String>.required(
        .text("NAME"), help: "The number of the purchase, or its code; last is the newest.")

    private static let list = Command<TillProgram.Action>(
        "list", "List purchases, the oldest first.", options: [SaleOptions.customer, StandardOptions.json],
        examples: [Example("Those of a tester", "till purchases list --customer ada@example.com")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.all(
                    SaleOptions.path(arguments) + "/purchases", query: SaleOptions.customerQuery(arguments),
                    of: PurchaseList.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(["purchases": found]) }
            for line in found.flatMap({ SaleText.lines($0, in: arguments[SaleOptions.environment]) }) {
                context.print(line)
            }
        })

    private static let ending = Option<String?>.optional(
        "as", .choice("WORD", ["voided"]), help: "End a purchase whose money the processor does not let go of.")
    private static let reason = Option<String?>.optional(
        "because", .text("TEXT"), help: "How the money was let go of; it stays in the history of the purchase.")

    private static let settle = Command<TillProgram.Action>(
        "settle", "Settle what has interrupted a purchase, which then goes on.",
        discussion: """
            With --as voided it ends a purchase that is voiding: the processor was asked to let go of money that it holds, and \
            refuses for good. See to it at the processor first. It is asked once more, and what it knows weighs more than what \
            you say.
            """,
        options: [ending, reason, StandardOptions.json],
        arguments: [name],
        rules: [.option(ending, needs: reason), .option(reason, needs: ending)],
        examples: [
            Example("One", "till purchases settle 17"),
            Example(
                "One whose reservation has lapsed at the bank",
                "till purchases settle 17 --as voided --because 'the reservation lapsed, says the bank'"),
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            guard let because = arguments[reason] else {
                return try await change(arguments, context) { try await $0.ask("POST", $1 + "/settlement", as: $2) }
            }
            let order = VoidSettlementRequest(because: because)
            try await change(arguments, context) { try await $0.ask("POST", $1 + "/void-settlement", order, as: $2) }
        })

    private static func change(
        _ arguments: ParsedArguments, _ context: CommandContext,
        _ ask: (AdminConnection, String, PurchaseReport.Type) async throws -> PurchaseReport
    ) async throws {
        let one = SaleOptions.path(arguments) + "/purchases/\(SaleOptions.escaped(arguments[name]))"
        let changed = try await AdminConnection.withSales(arguments, context) {
            try await ask($0, one, PurchaseReport.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(changed) }
        for line in SaleText.lines(changed, in: arguments[SaleOptions.environment]) { context.print(line) }
    }

    private static func change(_ word: String, _ summary: String, path: String) -> Command<TillProgram.Action> {
        Command(
            word, summary, options: [StandardOptions.json], arguments: [name],
            examples: [Example("One", "till purchases \(word) 17")], exitCodes: SaleOptions.exits,
            action: { arguments, context in
                try await change(arguments, context) { try await $0.ask("POST", "\($1)/\(path)", as: $2) }
            })
    }
}
