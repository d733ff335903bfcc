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
            change("settle", "Settle what has interrupted a purchase, which then goes on.", path: "settlement"),
        ])

    private static let name = Argument<String>.required(
        .text("NAME"), help: "The number of the purchase, or its code.")

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
            for line in found.flatMap(SaleText.lines) { context.print(line) }
        })

    private static func change(_ word: String, _ summary: String, path: String) -> Command<TillProgram.Action> {
        Command(
            word, summary, options: [StandardOptions.json], arguments: [name],
            examples: [Example("One", "till purchases \(word) 17")], exitCodes: SaleOptions.exits,
            action: { arguments, context in
                let one = SaleOptions.path(arguments) + "/purchases/\(SaleOptions.escaped(arguments[name]))"
                let changed = try await AdminConnection.withSales(arguments, context) {
                    try await $0.ask("POST", "\(one)/\(path)", as: PurchaseReport.self)
                }
                if arguments[StandardOptions.json] { return try context.printJSON(changed) }
                for line in SaleText.lines(changed) { context.print(line) }
            })
    }
}
