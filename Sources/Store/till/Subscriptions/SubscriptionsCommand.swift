import CommandOptions
import Foundation
import StoreModel
import StoreRules
import StoreServer
import StoreService

/// `till subscriptions`
enum SubscriptionsCommand {
    static let command = Command<TillProgram.Action>(
        "subscriptions", "See how subscriptions live, and bring them into every state that a test needs.",
        options: SaleOptions.all,
        examples: [
            Example("Those of a tester", "till subscriptions list --customer ada@example.com"),
            Example(
                "A renewal that cannot be paid",
                "till subscriptions fail 2000000000000001 && till subscriptions renew 2000000000000001"),
        ],
        seeAlso: ["till transactions", "till testers change --renewal-rate"],
        subcommands: [
            list, show,
            act("cancel", "Let a subscription end with its period.", "cancellation"),
            act("resume", "Let a subscription renew after all.", "resumption"),
            act("expire", "End a subscription now. Only in the sandbox.", "expiry"),
            act("renew", "End the period of a subscription now and renew it. Only in the sandbox.", "renewal"),
            resolve, fail, SubscriptionPriceCommand.command, SubscriptionExtendCommand.command,
            GracePeriodCommand.command,
        ])

    static let subscription = Argument<SubscriptionID>.required(
        ValueFormat(
            "SUBSCRIPTION", rule: "the number of a subscription, which is that of its first transaction",
            explainsRule: false, completion: .asked("subscriptions"), parse: { SubscriptionID($0) }),
        help: "The number of the subscription: that of its first transaction.")

    private static let states = Subscription.State.allCases.map(\.rawValue)
    private static let state = Option<String?>.optional(
        "state", .choice("STATE", states), help: "Only those in this state.")
    private static let app = Option<BundleID?>.optional(
        "app", CatalogueOptions.bundleFormat, help: "Only those of this app.")

    private static let product = Option<ProductID?>.optional(
        "product", CatalogueOptions.productFormat, help: "Only those of this product.")

    // MARK: Looking

    private static let list = Command<TillProgram.Action>(
        "list", "List subscriptions, the newest last; with --json the newest first.",
        options: [state, SaleOptions.customer, app, product] + ListOptions.all,
        examples: [Example("Those that cannot be paid", "till subscriptions list --state retry")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            var query = SaleOptions.customerQuery(arguments)
            if let state = arguments[state] { query.append("state=\(state)") }
            if let app = arguments[app] { query.append("app=\(app)") }
            if let product = arguments[product] { query.append("product=\(product)") }
            try await AdminConnection.listSales(
                "/subscriptions", query: query, of: SubscriptionReport.self, arguments, context,
                newestFirst: true, nothing: "There are no such subscriptions."
            ) {
                ($0.customerId, $0.bundleId)
            } table: {
                SaleTables.subscriptions($0)
            }
        })

    private static let show = Command<TillProgram.Action>(
        "show", "Show a subscription: what renews when and for what price, its periods and its history.",
        options: [StandardOptions.json], arguments: [subscription],
        examples: [Example("One", "till subscriptions show 2000000000000001")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("GET", path(arguments), as: SubscriptionDetails.self)
            }
            try print(found, arguments, context)
        })

    static func path(_ arguments: ParsedArguments) -> String {
        "\(SaleOptions.path(arguments))/subscriptions/\(arguments[subscription])"
    }

    static func print(
        _ details: SubscriptionDetails, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        if arguments[StandardOptions.json] { return try context.printJSON(details) }
        for line in SubscriptionText.lines(details) { context.print(line) }
    }

    // MARK: Changing

    /// - Parameter group: the words between `till subscriptions` and the name.
    static func act(
        _ name: String, _ summary: String, _ noun: String, in group: String = ""
    ) -> Command<TillProgram.Action> {
        Command(
            name, summary, options: [StandardOptions.json], arguments: [subscription],
            examples: [Example("One", "till subscriptions \(group)\(name) 2000000000000001")],
            exitCodes: SaleOptions.exits,
            action: { arguments, context in
                let found = try await AdminConnection.withSales(arguments, context) {
                    try await $0.ask("POST", path(arguments) + "/\(noun)", as: SubscriptionDetails.self)
                }
                try print(found, arguments, context)
            })
    }

    private static let method = Option<String?>.optional(
        "pay-with", .text("TOKEN"),
        help: "What the customer pays with from now on, by the processor's token, such as test_approved.")

    private static let resolve = Command<TillProgram.Action>(
        "resolve", "Try at once to have a subscription paid that could not be.",
        discussion: """
            What was wrong is mended first: by --pay-with, or by till testers pay-with. The command fails if the payment is \
            declined again.
            """,
        options: [method, StandardOptions.json], arguments: [subscription],
        examples: [
            Example(
                "With a card that is approved", "till subscriptions resolve 2000000000000001 --pay-with test_approved")
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) { store in
                if let token = arguments[method] { try await pay(with: token, arguments, store) }
                return try await store.ask("POST", path(arguments) + "/resolution", as: SubscriptionDetails.self)
            }
            try print(found, arguments, context)
            guard [.grace, .retry].contains(found.subscription.state.value) else { return }
            throw CommandFailure(
                .failure,
                "it could not be paid; let the customer pay with something else, such as --pay-with test_approved")
        })

    private static let failures = ["declined": "test_declined", "insufficient-funds": "test_insufficient_funds"]
    private static let failure = Option<String>.defaulted(
        "as", .choice("HOW", failures.keys.sorted()), to: "declined", help: "How the payment fails.")

    private static let fail = Command<TillProgram.Action>(
        "fail", "Let the next renewal of a subscription be declined: its tester pays with a card that is.",
        discussion: """
            All that the tester buys is declined from now on, until till subscriptions resolve --pay-with test_approved or \
            till testers pay-with. The renewal comes with the end of the period, or at once by till subscriptions renew.
            """,
        options: [failure, StandardOptions.json], arguments: [subscription],
        examples: [Example("One", "till subscriptions fail 2000000000000001")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) { store in
                try await pay(with: failures[arguments[failure]] ?? "test_declined", arguments, store)
                return try await store.ask("GET", path(arguments), as: SubscriptionDetails.self)
            }
            try print(found, arguments, context)
        })

    /// Lets the customer of the subscription pay with something else from now on.
    private static func pay(
        with token: String, _ arguments: ParsedArguments, _ store: AdminConnection
    ) async throws {
        let customer = try await store.ask("GET", path(arguments), as: SubscriptionDetails.self).subscription.customerId
        let account = "\(SaleOptions.path(arguments))/customers/\(customer)"
        // A method that was used before is the newest again, and the list does not grow.
        let known = try await store.ask("GET", account, as: CustomerReport.self).paymentMethods
        guard known.last?.token != token else { return }
        for former in known where former.token == token {
            try await store.send("DELETE", "\(account)/payment-methods/\(former.id)")
        }
        try await store.send("POST", account + "/payment-methods", PaymentMethodRequest(token: token))
    }
}
