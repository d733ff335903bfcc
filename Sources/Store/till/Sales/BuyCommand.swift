import CommandOptions
import StoreModel
import StoreServer
import StoreService

/// `till buy` and `till approve`
enum BuyCommand {
    private static let app = Option<BundleID>.required(
        "app",
        ValueFormat(
            "BUNDLE", rule: "a bundle id, such as com.example.app", explainsRule: false, parse: { BundleID($0) }),
        help: "The bundle id of the app.")
    private static let product = Argument<String>.required(.text("PRODUCT"), help: "The id of the product.")
    private static let quantity = Option<Int>.defaulted(
        "quantity", .integer(in: 1...10), to: 1, help: "How many of it.")
    private static let token = Option<AppAccountToken?>.optional(
        "account-token",
        ValueFormat("UUID", rule: "a UUID", explainsRule: false, parse: { AppAccountToken($0) }),
        help: "The account of the app itself that the purchase is for.")

    static let buy = Command<TillProgram.Action>(
        "buy", "Buy a product for a customer, as if an app had sold it and the customer had said yes.",
        options: SaleOptions.all + [app, SaleOptions.requiredCustomer, quantity, token, StandardOptions.json],
        arguments: [product],
        examples: [
            Example(
                "What the demo sells, for a tester",
                "till buy com.example.monkeycredits.credits5 --app com.example.monkeycredits --customer ada@example.com"
            )
        ],
        exitCodes: [
            .failure.when("The purchase was declined, failed, or waits for somebody; the report says which."),
            .badData.when("A value is refused."),
        ] + SaleOptions.access,
        seeAlso: ["till transactions show", "till transactions refund"],
        action: { arguments, context in
            let order = OperatorPurchaseRequest(
                customer: arguments[SaleOptions.requiredCustomer], bundleId: arguments[app],
                productId: arguments[product], quantity: arguments[quantity], appAccountToken: arguments[token])
            let bought = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(
                    "POST", SaleOptions.path(arguments) + "/purchases", order, as: PurchaseReport.self)
            }
            try print(bought, arguments, context)
        })

    private static let code = Argument<String>.required(.text("CODE"), help: "The code, such as BDFG-HJKM.")
    /// What codes are made of: no vowels, and nothing that is mistaken for something else.
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
            .failure.when("The purchase was declined, failed, or waits for somebody else; the report says which."),
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
            let wanted = arguments[refuse] ? "cancelled" : "purchased"
            try print(changed, arguments, context, wanted: wanted)
        })

    private static func print(
        _ purchase: PurchaseReport, _ arguments: ParsedArguments, _ context: CommandContext,
        wanted: String = "purchased"
    ) throws {
        if arguments[StandardOptions.json] {
            try context.printJSON(purchase)
        } else {
            for line in SaleText.lines(purchase, in: arguments[SaleOptions.environment]) { context.print(line) }
        }
        guard purchase.state == wanted else {
            throw CommandFailure(.failure, "the purchase is \(purchase.state), not \(wanted)")
        }
    }
}
