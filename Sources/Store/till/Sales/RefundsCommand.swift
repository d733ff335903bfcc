import CommandOptions
import StoreHTTP
import StoreModel
import StoreRules
import StoreServer
import StoreService

/// `till refunds`
enum RefundsCommand {
    static let command = Command<TillProgram.Action>(
        "refunds", "See what customers ask money back for, and decide it.", options: SaleOptions.all,
        examples: [
            Example("What waits for a decision", "till refunds list"),
            Example("Give all back", "till refunds approve 1 --because \"The level did not load\""),
        ],
        seeAlso: ["till transactions refund", "till ledger"],
        subcommands: [list, show, request, withdraw, approve, decline, reverse, consumption])

    private static let number = Argument<RefundRequestID>.required(
        ValueFormat("REQUEST", rule: "the number of a refund request", parse: { RefundRequestID($0) }),
        help: "The number of the request.")

    private static let because = Option<String>.required(
        "because", .text("TEXT"), help: "Why; it stays in the history of the request.")

    private static let state = Option<String>.defaulted(
        "state",
        .choice(
            "STATE", ["waiting", "all", "asked", "approved", "refunded", "failed", "declined", "withdrawn", "reversed"]),
        to: "waiting", help: "Only those in this state; waiting are those that somebody has to decide.")

    private static let list = Command<TillProgram.Action>(
        "list", "List requests, the newest last.", options: [state] + ListOptions.all,
        examples: [Example("All there ever were", "till refunds list --state all")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let wanted = arguments[state]
            try await AdminConnection.listSales(
                "/refund-requests", query: wanted == "all" ? [] : ["state=\(wanted)"], of: RefundRequestReport.self,
                arguments, context,
                nothing: wanted == "all"
                    ? "Nobody has asked for money back."
                    : "No refund request is \(wanted). All there ever were: till refunds list --state all"
            ) {
                (nil, $0.transaction.bundleId)
            } table: {
                SaleTables.refundRequests($0)
            }
        })

    private static let show = Command<TillProgram.Action>(
        "show", "Show a request with what has to be known to decide it.", options: [StandardOptions.json],
        arguments: [number], examples: [Example("The first", "till refunds show 1")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("GET", one(arguments), as: RefundRequestReport.self)
            }
            try print(found, arguments, context)
        })

    private static let reason = Option<RefundRequestReason>.required(
        "reason",
        ValueFormat(
            "REASON", rule: "one of unintended, fulfillment, unsatisfied, legal, other",
            completion: .words(reasons.map(\.0)),
            describe: { reason in reasons.first { $0.1 == reason }?.0 ?? reason.rawValue },
            parse: { word in reasons.first { $0.0 == word }?.1 }),
        help: "Why the customer asks.")
    private static let reasons: [(String, RefundRequestReason)] = [
        ("unintended", .unintended), ("fulfillment", .fulfillment), ("unsatisfied", .unsatisfied), ("legal", .legal),
        ("other", .other),
    ]
    private static let note = Option<String?>.optional("note", .text("TEXT"), help: "What the customer says of it.")

    private static let customer = Option<String?>.optional(
        "customer", .text("EMAIL|NUMBER", asking: "people"),
        help: "The account, by its e-mail address or number; that of the transaction, if it is left out.")

    private static let request = Command<TillProgram.Action>(
        "request", "Ask for a customer. Asking again before it is decided gives the same request.",
        options: [customer, reason, note, StandardOptions.json],
        arguments: [SaleOptions.transaction],
        examples: [
            Example(
                "The newest transaction", "till refunds request last --reason unintended")
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) { store in
                let sold = try await store.ask(
                    "GET", SaleOptions.path(ofTransactionIn: arguments, store), as: TransactionDetails.self)
                let wanted = RefundQuestion(
                    transactionId: sold.transaction.transactionId,
                    customer: arguments[customer] ?? "\(sold.transaction.customerId)",
                    reason: arguments[reason], note: arguments[note])
                return try await store.ask("POST", path(arguments), wanted, as: RefundRequestReport.self)
            }
            try print(found, arguments, context)
        })

    private static let withdraw = Command<TillProgram.Action>(
        "withdraw", "Take a request back for its customer, before it is decided.",
        discussion: "The customer keeps what was bought, and can ask again later.",
        options: [StandardOptions.json], arguments: [number],
        examples: [Example("The first", "till refunds withdraw 1")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("POST", one(arguments) + "/withdrawal", as: RefundRequestReport.self)
            }
            try print(found, arguments, context)
        })

    private static let amount = Option<String?>.optional(
        "amount", .text("AMOUNT"), help: "A part of what was paid, in its currency.")
    private static let percentage = Option<Int?>.optional(
        "percentage",
        ValueFormat(
            "PERCENT", rule: "a whole number from 1 to 100",
            parse: { Int($0).flatMap { (1...100).contains($0) ? $0 : nil } }), help: "A share of what was paid.")
    private static let prorated = Option<Bool>.flag(
        "prorated", help: "The unused share of a subscription's period, which ends it.")
    private static let revokes = Option<Bool>.flag(
        "revoke", help: "With an amount or a percentage, take the transaction back all the same.")

    private static let approve = Command<TillProgram.Action>(
        "approve", "Give back all that is left, or a part.",
        options: [because, amount, percentage, prorated, revokes, StandardOptions.json], arguments: [number],
        examples: [
            Example("All of it", "till refunds approve 1 --because \"The level did not load\""),
            Example("Half of it", "till refunds approve 1 --percentage 50 --because \"Half was used\""),
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let wanted = RefundApproval(
                because: arguments[because], amount: arguments[amount],
                percentage: arguments[percentage].map { $0 * 1000 }, prorated: arguments[prorated],
                revokes: arguments[revokes] ? true : nil)
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("POST", one(arguments) + "/approval", wanted, as: RefundRequestReport.self)
            }
            try print(found, arguments, context)
            guard found.state.value != .refunded else { return }
            throw CommandFailure(
                .failure,
                found.state.value == .failed
                    ? "the processor refused the refund: \(found.refund?.failure ?? "it does not say why")"
                    : "the processor has not answered yet; the refund is pursued until it does")
        })

    private static let decline = decision("decline", "Give nothing back.", path: "refusal")
    private static let reverse = decision(
        "reverse",
        "Take in that a dispute ended for the store: the money comes back, and the customer has the purchase again.",
        path: "reversal")

    private static func decision(_ name: String, _ summary: String, path: String) -> Command<TillProgram.Action> {
        Command(
            name, summary, options: [because, StandardOptions.json], arguments: [number],
            examples: [Example("The first", "till refunds \(name) 1 --because \"The bank says so\"")],
            exitCodes: SaleOptions.exits,
            action: { arguments, context in
                let wanted = RefundDecision(because: arguments[because])
                let found = try await AdminConnection.withSales(arguments, context) {
                    try await $0.ask("POST", "\(one(arguments))/\(path)", wanted, as: RefundRequestReport.self)
                }
                try print(found, arguments, context)
            })
    }

    private static let consented = Option<Bool>.flag(
        "customer-consented", help: "The customer has consented to this being told; without it nothing is kept.")
    private static let sample = Option<Bool>.flag("sample-content", help: "There was a sample before the purchase.")
    private static let delivery = Option<String>.required(
        "delivery", .choice("STATUS", ConsumptionDeliveryStatus.known.map(\.rawValue).sorted()),
        help: "Whether it was delivered.")
    private static let consumed = Option<Int?>.optional(
        "consumed",
        ValueFormat("MILLIPERCENT", rule: "a whole number from 0 to 100000", parse: { Int($0) }),
        help: "What was consumed, in thousandths of a percent.")
    private static let preference = Option<String?>.optional(
        "preference", .choice("PREFERENCE", ConsumptionRefundPreference.known.map(\.rawValue).sorted()),
        help: "What the developer would decide.")

    private static let consumption = Command<TillProgram.Action>(
        "consumption", "Say for the developer what was delivered and consumed, within 12 hours of the request.",
        options: [consented, sample, delivery, consumed, preference, StandardOptions.json], arguments: [number],
        examples: [
            Example(
                "Delivered and half used",
                "till refunds consumption 1 --customer-consented --delivery DELIVERED --consumed 50000")
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let told = ConsumptionMessage(
                customerConsented: arguments[consented], sampleContentProvided: arguments[sample],
                deliveryStatus: ConsumptionDeliveryStatus(rawValue: arguments[delivery]),
                consumptionPercentage: arguments[consumed],
                refundPreference: arguments[preference].map(ConsumptionRefundPreference.init))
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("PUT", one(arguments) + "/consumption", told, as: RefundRequestReport.self)
            }
            try print(found, arguments, context)
        })

    private static func path(_ arguments: ParsedArguments) -> String {
        SaleOptions.path(arguments) + "/refund-requests"
    }

    private static func one(_ arguments: ParsedArguments) -> String { "\(path(arguments))/\(arguments[number])" }

    private static func print(
        _ found: RefundRequestReport, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        if arguments[StandardOptions.json] { return try context.printJSON(found) }
        for line in RefundText.lines(found) { context.print(line) }
    }
}

/// Texts about requests for refunds.
private enum RefundText {
    static func line(_ request: RefundRequestReport) -> String {
        let sold = request.transaction
        return [
            "\(request.refundRequestId)", request.askedAt.rfc3339, request.state.rawValue,
            RefundSummary.reason(request.reason),
            "transaction \(sold.transactionId)", "customer \(sold.customerId)", "\(sold.productId)",
            "\(sold.price.amount) \(sold.price.currency)",
        ].joined(separator: "  ")
    }

    static func lines(_ request: RefundRequestReport) -> [String] {
        var lines = [line(request)]
        if let note = request.note { lines.append("  \"\(PrintableText(note, limit: 1000))\"") }
        lines.append("  bought \(request.transaction.purchaseDate.rfc3339), can be given back: \(text(request.rest))")
        if let unused = request.unused { lines.append("  unused of its period: \(text(unused))") }
        if request.consumption.isEmpty {
            lines.append("  the developer has not said what was consumed; until \(request.answersUntil.rfc3339)")
        }
        for told in request.consumption {
            let share = told.consumptionPercentage.map { ", \($0 / 1000) % consumed" } ?? ""
            let wish = told.refundPreference.map { ", would \($0.rawValue)" } ?? ""
            lines.append("  \(told.date.rfc3339)  the developer: \(told.deliveryStatus.rawValue)\(share)\(wish)")
            for words in told.firstVersion ?? [] { lines.append("    \(PrintableText(words, limit: 100))") }
        }
        lines.append("  earlier refunds of the customer: \(request.earlierRefunds.count)")
        if let refund = request.refund {
            let reason = refund.failure.map { ": \(PrintableText($0, limit: 200))" } ?? ""
            lines.append("  refund \(refund.refundId) of \(text(refund.amount)) is \(refund.state)\(reason)")
        }
        return lines
            + request.history.map { entry in
                "  \(entry.date.rfc3339)  \(PrintableText(entry.text, limit: 1000))"
            }
    }

    private static func text(_ money: MoneyReport) -> String { "\(money.amount) \(money.currency)" }
}
