import CommandOptions
import StoreModel
import StoreServer
import StoreService

/// `till ledger`
enum LedgerCommand {
    static let command = Command<TillProgram.Action>(
        "ledger", "See the books, and check them.", options: SaleOptions.all,
        examples: [
            Example("Everything that was booked", "till ledger show"),
            Example("What each account comes to", "till ledger balances"),
        ],
        seeAlso: ["till transactions show", "till finance"],
        subcommands: [balances, postings, check, show])

    private static let transaction = Option<TransactionID?>.optional(
        "transaction",
        ValueFormat("NUMBER", rule: "the number of a transaction", explainsRule: false, parse: { TransactionID($0) }),
        help: "Only the entries about this transaction.")
    private static let account = Option<String?>.optional(
        "account", .text("ACCOUNT"), help: "Only of this account: processor, commission, proceeds/NUMBER.")
    private static let kind = Option<String?>.optional(
        "kind", .choice("KIND", Ledger.Kind.all.map(\.rawValue)), help: "Only of entries of this kind.")

    private static let balances = Command<TillProgram.Action>(
        "balances", "Show what each account comes to in each currency, and whether all of them sum to nothing.",
        discussion:
            "What an account has to get counts up; what it has to give is negative. Currencies are never added up.",
        options: MoneyOptions.period + ListOptions.all,
        examples: [
            Example("Of a month", "till ledger balances --from 2026-11-01 --until 2026-11-30"),
            Example("For a spreadsheet", "till ledger balances --csv"),
        ],
        exitCodes: [.failure.when("The accounts do not sum to nothing.")] + SaleOptions.access,
        action: { arguments, context in
            let path = SaleOptions.path(arguments) + "/ledger/balances"
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(
                    "GET", path + MoneyOptions.words(MoneyOptions.periodQuery(arguments)), as: LedgerBalancesAnswer.self
                )
            }
            if arguments[StandardOptions.json] {
                try context.printJSON(found)
            } else {
                context.printList(found.items, as: balanceTable, arguments, nothing: "Nothing was booked.")
                if !ListOptions.areCommasWanted(arguments), !found.items.isEmpty { context.print(found.summary) }
            }
            guard found.isSettled else { throw CommandFailure(.failure, "the accounts do not sum to nothing") }
        })

    private static var balanceTable: ListTable<LedgerBalancesAnswer.Balance> {
        ListTable(
            .value("ACCOUNT") { $0.account }, .number("POSTINGS") { "\($0.postings)" },
            .number("AMOUNT") { "\($0.amount) \($0.currency)" })
    }

    private static let postings = Command<TillProgram.Action>(
        "postings", "List single lines of the books, the newest last.",
        options: [account, kind, transaction] + MoneyOptions.filters + ListOptions.all,
        examples: [
            Example("What the store kept this month", "till ledger postings --account commission --from 2026-11-01"),
            Example(
                "Large ones, for a spreadsheet", "till ledger postings --currency USD --amount-from 100 --csv"),
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let query =
                [
                    arguments[account].map { "account=\(SaleOptions.escaped($0))" },
                    arguments[kind].map { "kind=\($0)" }, arguments[transaction].map { "transaction=\($0)" },
                ].compactMap(\.self) + MoneyOptions.query(arguments)
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.all(
                    SaleOptions.path(arguments) + "/ledger/postings", query: query, of: LedgerPostingReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(Page(found)) }
            context.printList(found, as: postingTable, arguments, nothing: "Nothing of the kind was booked.")
        })

    private static var postingTable: ListTable<LedgerPostingReport> {
        ListTable(
            .value("DATE") { $0.date.rfc3339 }, .value("OF") { $0.kind },
            .value("TRANSACTION") { "\($0.transactionId)" },
            .value("ACCOUNT") { $0.account }, .number("AMOUNT") { "\($0.amount) \($0.currency)" },
            .id("POSTING") { $0.postingId }, .id("PRODUCT") { $0.productId.text })
    }

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
        "show", "List the entries, the newest last; amounts that an account owes are negative.",
        options: [transaction, StandardOptions.json],
        examples: [Example("What was booked for a transaction", "till ledger show --transaction 2000000000000004")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let path = SaleOptions.path(arguments)
            let found = try await AdminConnection.withSales(arguments, context) { store in
                if let one = arguments[transaction] {
                    return try await store.ask("GET", "\(path)/transactions/\(one)", as: TransactionDetails.self).ledger
                }
                return try await store.all("\(path)/ledger/entries", of: LedgerEntryReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(Page(found)) }
            context.printList(
                SaleTables.LedgerLine.all(of: found), as: SaleTables.ledger, arguments, nothing: "Nothing was booked.")
        })
}
