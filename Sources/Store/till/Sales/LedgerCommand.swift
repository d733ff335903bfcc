import CommandOptions
import StoreModel
import StoreServer

/// `till ledger`
enum LedgerCommand {
    static let command = Command<TillProgram.Action>(
        "ledger", "See the books, and check them.", options: SaleOptions.all,
        examples: [Example("Everything that was booked", "till ledger show")], seeAlso: ["till transactions show"],
        subcommands: [show])

    private static let transaction = Option<TransactionID?>.optional(
        "transaction",
        ValueFormat("NUMBER", rule: "the number of a transaction", explainsRule: false, parse: { TransactionID($0) }),
        help: "Only the entries about this transaction.")

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
