import CommandOptions
import Foundation
import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreServer
import StoreService

/// `till transactions`
enum TransactionsCommand {
    static let command = Command<TillProgram.Action>(
        "transactions", "See what was bought, and take it back.", options: SaleOptions.all,
        examples: [
            Example("What the sandbox sold", "till transactions list"),
            Example(
                "Why a purchase went as it did, by the id of a request",
                "till transactions why 4c2f5e8a9b7d41036e8fa2c5d9b01e73"),
        ],
        seeAlso: ["till buy", "till ledger"],
        subcommands: [
            list, show, why, receipt,
            change(
                "refund", "Give back what was paid for a transaction, which revokes it; or a part, which does not.",
                takesReason: true, more: [amount, revokes], path: "refund"),
            change(
                "revoke", "Take a transaction back without giving back what was paid.", takesReason: true,
                path: "revocation"),
            change(
                "redeliver", "Deliver a transaction once more: it is unfinished again, and all devices get it.",
                path: "redelivery"),
            change("finish", "Finish a transaction for an app that does not.", path: "finish"),
        ])

    private static let list = Command<TillProgram.Action>(
        "list", "List transactions, the newest last.",
        options: [SaleOptions.customer] + MoneyOptions.filters + ListOptions.all,
        examples: [
            Example("What a tester bought", "till transactions list --customer ada@example.com"),
            Example("Of a day, for a spreadsheet", "till transactions list --from 2026-11-25 --until 2026-11-25 --csv"),
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            try await AdminConnection.listSales(
                "/transactions", query: SaleOptions.customerQuery(arguments) + MoneyOptions.query(arguments),
                of: TransactionReport.self, arguments,
                context, nothing: "Nothing was bought."
            ) {
                ($0.customerId, $0.bundleId)
            } table: {
                SaleTables.transactions($0)
            }
        })

    private static let show = Command<TillProgram.Action>(
        "show", "Show a transaction, its purchase, refunds and bookings.", options: [StandardOptions.json],
        arguments: [SaleOptions.transaction], examples: [Example("The newest", "till transactions show last")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) { store in
                try await store.ask(
                    "GET", SaleOptions.path(ofTransactionIn: arguments, store), as: TransactionDetails.self)
            }
            try print(found, arguments, context)
        })

    private static let name = Argument<String>.required(
        .text("NAME"),
        help:
            "The number of a purchase or transaction, the id of a request, or the code of a purchase that waits for a yes; "
            + "last is the newest purchase.")

    private static let why = Command<TillProgram.Action>(
        "why", "Show step by step how a purchase got into its state.",
        discussion: "The code of a purchase is forgotten when it has its yes or no; the number of the purchase stays.",
        options: [StandardOptions.json],
        arguments: [name],
        examples: [
            Example("The newest, in any state", "till transactions why last"),
            Example("By the code that the app shows while it waits for a yes", "till transactions why BDFG-HJKM"),
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let path = SaleOptions.path(arguments) + "/purchases/\(SaleOptions.escaped(arguments[name]))"
            let found = try await AdminConnection.withSales(arguments, context) { store in
                do {
                    return try await store.ask("GET", path, as: PurchaseReport.self)
                } catch let failure as CommandFailure where failure.exitCode == .inputMissing {
                    guard Confirmation.code(typed: arguments[name]) != nil else { throw failure }
                    throw CommandFailure(
                        .inputMissing,
                        "no purchase waits under this code; once it is answered the code is forgotten: name its number, or last"
                    )
                }
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found) }
            for line in SaleText.lines(found, in: arguments[SaleOptions.environment]) { context.print(line) }
        })

    private static let form = Option<String>.defaulted(
        "form", .choice("FORM", ["app", "transaction"]), to: "app",
        help: "The receipt of the app, or that of this transaction alone in the form of iOS 6.")

    private static let receipt = Command<TillProgram.Action>(
        "receipt", "Print the receipt that an app of this customer has, in Base64: what verifyReceipt is given.",
        options: [form, StandardOptions.json], arguments: [SaleOptions.transaction],
        examples: [Example("The newest", "till transactions receipt last")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) { store in
                let path = try await SaleOptions.path(ofTransactionIn: arguments, store)
                return try await store.ask(
                    "GET", "\(path)/receipt?form=\(arguments[form])", as: ReceiptAnswer.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found) }
            context.print(found.receipt)
        })

    private static let amount = Option<String?>.optional(
        "amount", .text("AMOUNT"), help: "A part of what was paid, in its currency; without it all that is left.")
    private static let revokes = Option<Bool>.flag(
        "revoke", help: "With an amount, take the transaction back all the same.")

    private static func change(
        _ name: String, _ summary: String, takesReason: Bool = false, more: [any OptionDeclaration] = [], path: String
    ) -> Command<TillProgram.Action> {
        Command(
            name, summary, options: (takesReason ? [SaleOptions.reason] : []) + more + [StandardOptions.json],
            arguments: [SaleOptions.transaction], examples: [Example("The newest", "till transactions \(name) last")],
            exitCodes: SaleOptions.exits,
            action: { arguments, context in
                let found = try await AdminConnection.withSales(arguments, context) { store in
                    let one = try await SaleOptions.path(ofTransactionIn: arguments, store)
                    let before = try await store.ask("GET", one, as: TransactionDetails.self).transaction
                    if let date = before.revocationDate {
                        let word = before.isRefunded == true ? "refunded" : "revoked"
                        context.printError("\(before.transactionId) is \(word) already, since \(date.rfc3339)")
                    }
                    if arguments.declares(amount) {
                        let wanted = RefundOrder(
                            reason: arguments[SaleOptions.reason], amount: arguments[amount],
                            revokes: arguments[revokes] ? true : nil)
                        try await store.send(
                            "POST", "\(one)/\(path)", wanted,
                            fields: ["Idempotency-Key": UUID().uuidString.lowercased()])
                    } else if takesReason {
                        try await store.send(
                            "POST", "\(one)/\(path)", RefundOrder(reason: arguments[SaleOptions.reason]))
                    } else {
                        try await store.send("POST", "\(one)/\(path)")
                    }
                    return try await store.ask("GET", one, as: TransactionDetails.self)
                }
                try print(found, arguments, context)
                if name == "refund", found.refunds.last?.state.value != .refunded {
                    throw CommandFailure(.failure, refusal(found.refunds.last))
                }
            })
    }

    private static func refusal(_ refund: RefundReport?) -> String {
        guard let refund else { return "there is no refund" }
        return refund.state.value == .failed
            ? "the processor refused the refund: \(refund.failure ?? "it does not say why")"
            : "the processor has not answered yet; the refund is pursued until it does"
    }

    private static func print(
        _ details: TransactionDetails, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        if arguments[StandardOptions.json] { return try context.printJSON(details) }
        context.print(SaleText.line(details.transaction))
        let purchase = details.purchase.map { SaleText.lines($0, in: arguments[SaleOptions.environment]) }
        for line in purchase ?? [] { context.print(line) }
        for refund in details.refunds {
            let reason = refund.failure.map { ": \(PrintableText($0, limit: 200))" } ?? ""
            context.print(
                "Refund \(refund.refundId) of \(refund.amount.amount) \(refund.amount.currency) is \(refund.state)"
                    + "\(Actor.phrase(of: refund.actor ?? ""))\(reason)"
            )
        }
        for line in details.ledger.flatMap(SaleText.lines) { context.print(line) }
        for event in details.events {
            let device = event.deviceId.map { "device \($0)" } ?? "every device"
            context.print("\(event.date.rfc3339)  \(device) is told: \(event.kind), event \(event.number)")
        }
    }
}
