import CommandOptions
import StoreModel
import StoreServer

/// `till ledger`
enum LedgerCommand {
    static let command = Command<TillProgram.Action>(
        "ledger", "See the books, and check them.", options: SaleOptions.all,
        examples: [Example("Everything that was booked", "till ledger show")], seeAlso: ["till transactions show"],
        subcommands: [check, show])

    private static let transaction = Option<TransactionID?>.optional(
        "transaction",
        ValueFormat("NUMBER", rule: "the number of a transaction", explainsRule: false, parse: { TransactionID($0) }),
        help: "Only the entries about this transaction.")

    private static let check = Command<TillProgram.Action>(
        "check", "Hold the books against what was sold, given back, and moved by the processor.",
        discussion: """
            Every entry must sum to nothing and be about something; everything that was paid or given back must have its one \
            entry; and the processor must have moved the same money. The store may be at work meanwhile.
            """,
        options: [StandardOptions.json], examples: [Example("Those of the sandbox", "till ledger check")],
        exitCodes: [.failure.when("Something is not in order; the report says what.")] + SaleOptions.access,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("POST", SaleOptions.path(arguments) + "/ledger/check", as: LedgerCheckReport.self)
            }
            if arguments[StandardOptions.json] {
                try context.printJSON(found)
            } else {
                for line in SaleText.lines(found) { context.print(line) }
            }
            guard found.isInOrder else { throw CommandFailure(.failure, "the books are not in order") }
        })

    private static let show = Command<TillProgram.Action>(
        "show", "List the entries, the oldest first; amounts that an account has to give are below nothing.",
        options: [transaction, StandardOptions.json],
        examples: [Example("What was booked for a transaction", "till ledger show --transaction 2000000000000004")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let path = SaleOptions.path(arguments)
            let found = try await AdminConnection.withSales(arguments, context) { store in
                if let one = arguments[transaction] {
                    return try await store.ask("GET", "\(path)/transactions/\(one)", as: TransactionDetails.self).ledger
                }
                return try await store.all("\(path)/ledger/entries", of: LedgerPage.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(["entries": found]) }
            for line in found.flatMap(SaleText.lines) { context.print(line) }
        })
}
