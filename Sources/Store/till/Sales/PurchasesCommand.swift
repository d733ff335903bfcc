import CommandOptions
import StoreModel
import StoreRules
import StoreServer
import StoreService

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

    private static let waiting = Option<Bool>.flag("waiting", help: "Only those that wait for the processor.")

    private static let list = Command<TillProgram.Action>(
        "list", "List purchases, the newest last.",
        options: [SaleOptions.customer, waiting] + MoneyOptions.filters + ListOptions.all,
        examples: [
            Example("Those of a tester", "till purchases list --customer ada@example.com"),
            Example("Those that the processor owes an answer", "till purchases list --waiting"),
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let environment = arguments[SaleOptions.environment]
            try await AdminConnection.listSales(
                "/purchases",
                query: SaleOptions.customerQuery(arguments) + MoneyOptions.query(arguments)
                    + (arguments[waiting] ? ["waiting=true"] : []),
                of: PurchaseReport.self, arguments, context,
                nothing: arguments[waiting]
                    ? "The processor owes no purchase an answer. All purchases: till purchases list"
                    : "Nobody has bought anything."
            ) {
                ($0.customerId, $0.bundleId)
            } table: {
                SaleTables.purchases($0, in: environment)
            }
        })

    private static let ending = Option<String?>.optional(
        "as", .choice("WORD", ["voided"]),
        help: "End a purchase whose money the processor does not let go of, or gives no word of.")
    private static let reason = Option<String?>.optional(
        "because", .text("TEXT"), help: "How the money was let go of; it stays in the history of the purchase.")

    private static let settle = Command<TillProgram.Action>(
        "settle", "Settle what has interrupted a purchase, which then goes on.",
        discussion: """
            With --as voided it ends a purchase that is voiding or capturing: the processor was asked to let go of money that it \
            holds, or to take it, and refuses for good or gives no answer. See to it at the processor first. It is asked once \
            more, and what it knows weighs more than what you say.
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

/// `till buy` and `till approve`
enum BuyCommand {
    private static let app = Option<BundleID?>.optional(
        "app", CatalogueOptions.bundleFormat,
        help: "The bundle id of the app; the only one that has the product, if it is left out.")
    private static let product = Argument<String>.required(
        .text("PRODUCT", asking: "products"), help: "The id of the product.")
    private static let quantity = Option<Int>.defaulted(
        "quantity", .integer(in: 1...10), to: 1, help: "How many of it.")
    private static let token = Option<AppAccountToken?>.optional(
        "account-token",
        ValueFormat("UUID", rule: "a UUID", explainsRule: false, parse: { AppAccountToken($0) }),
        help: "The account of the app itself that the purchase is for.")

    private static let offer = Option<String?>.optional(
        "offer", .text("OFFER"), help: "A promotional or win-back offer; introductory ones apply by themselves.")

    static let buy = Command<TillProgram.Action>(
        "buy", "Buy a product for a customer, as if an app had sold it and the customer had said yes.",
        options: SaleOptions.all + [app, SaleOptions.onlyCustomer, quantity, token, offer, StandardOptions.json],
        arguments: [product],
        examples: [
            Example(
                "What the demo sells, where there is one tester", "till buy com.example.monkeycredits.credits5"),
            Example(
                "For one tester of several", "till buy com.example.monkeycredits.credits5 --customer ada@example.com"),
        ],
        exitCodes: [
            .failure.when("The purchase was declined, failed, or waits for a confirmation; the report says which."),
            .badData.when("A value is refused."),
            .usage.when("The command line is wrong, or leaves open which app or account is meant; nothing was done."),
        ] + SaleOptions.access,
        seeAlso: ["till transactions show", "till transactions refund"],
        action: { arguments, context in
            let bought = try await AdminConnection.withSales(arguments, context) { store in
                let order = OperatorPurchaseRequest(
                    customer: try await store.customer(arguments),
                    bundleId: try await store.app(arguments[app], having: arguments[product]),
                    productId: arguments[product], quantity: arguments[quantity], appAccountToken: arguments[token],
                    offerId: arguments[offer])
                return try await store.ask(
                    "POST", SaleOptions.path(arguments) + "/purchases", order, as: PurchaseReport.self)
            }
            try print(bought, arguments, context)
        })

    private static let code = Argument<String>.required(.text("CODE"), help: "The code, such as BDFG-HJKM.")
    /// The letters of codes: no vowels, and none that are easily confused.
    static let letters = "BCDFGHJKLMNPQRSTVWXZ"
    private static let refuse = Option<Bool>.flag("refuse", help: "Say no.")

    static let approve = Command<TillProgram.Action>(
        "approve", "Say yes to a purchase that waits for it, by the code that its app shows.",
        discussion: """
            Where nobody is signed in on the device yet, name the account that the purchase is for: it is signed in there.
            """,
        options: SaleOptions.all + [SaleOptions.customer, refuse, StandardOptions.json], arguments: [code],
        examples: [
            Example("Yes", "till approve BDFG-HJKM --customer ada@example.com"),
            Example("No", "till approve BDFG-HJKM --refuse"),
        ],
        exitCodes: [
            .failure.when(
                "The purchase was declined, failed, or waits for another confirmation; the report says which."),
            .badData.when("This is no code."),
        ] + SaleOptions.access,
        action: { arguments, context in
            guard Confirmation.code(typed: arguments[code]) != nil else {
                throw CommandFailure(
                    .badData, "this is no code: one has eight letters of \(letters), as in BDFG-HJKM")
            }
            let order = ApprovalRequest(
                code: arguments[code], customer: arguments[SaleOptions.customer], isApproved: !arguments[refuse])
            let changed = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(
                    "POST", SaleOptions.path(arguments) + "/approvals", order, as: PurchaseReport.self)
            }
            let wanted: SaleState = arguments[refuse] ? .cancelled : .purchased
            try print(changed, arguments, context, wanted: wanted)
        })

    /// Tells how a purchase stands; fails if that is not what was wanted.
    static func print(
        _ purchase: PurchaseReport, _ arguments: ParsedArguments, _ context: CommandContext,
        wanted: SaleState = .purchased
    ) throws {
        if arguments[StandardOptions.json] {
            try context.printJSON(purchase)
        } else {
            for line in SaleText.lines(purchase, in: arguments[SaleOptions.environment]) { context.print(line) }
        }
        guard purchase.state.value == wanted else {
            let words = purchase.state.value.map(SaleSummary.words) ?? "is \(purchase.state)"
            throw CommandFailure(.failure, "the purchase \(words)")
        }
    }
}
