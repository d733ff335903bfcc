import CommandOptions
import StoreModel
import StoreServer
import StoreService

/// `till subscriptions extend`
enum SubscriptionExtendCommand {
    private static let days = Option<Int>.required("days", .integer("DAYS", in: 1...90), help: "By how many days.")
    private static let reasons = ["undeclared": 0, "satisfaction": 1, "other": 2, "service": 3]
    private static let reason = Option<String>.defaulted(
        "reason", .choice("WHY", reasons.keys.sorted()), to: "undeclared",
        help: "Why: for the customer's satisfaction, because the service did not work, or another reason.")

    static let command = Command<TillProgram.Action>(
        "extend", "Let the periods of subscriptions end later, as a present to their customers.",
        examples: [
            Example("One, by a week", "till subscriptions extend one 2000000000000001 --days 7"),
            Example("All of a product", "till subscriptions extend all com.example.app com.example.app.club --days 3"),
        ],
        seeAlso: ["till subscriptions show"], subcommands: [one, all])

    private static let one = Command<TillProgram.Action>(
        "one", "Let the period of a subscription end later, at most twice in a year.",
        options: [days, reason, StandardOptions.json], arguments: [SubscriptionsCommand.subscription],
        examples: [Example("By a week", "till subscriptions extend one 2000000000000001 --days 7")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(
                    "POST", SubscriptionsCommand.path(arguments) + "/extension", wanted(arguments),
                    as: SubscriptionDetails.self)
            }
            try SubscriptionsCommand.print(found, arguments, context)
        })

    private static let all = Command<TillProgram.Action>(
        "all",
        "Let the periods of all who subscribe to a product end later. A running store does it, one after another.",
        options: [days, reason, StandardOptions.json], arguments: [CatalogueOptions.bundle, CatalogueOptions.product],
        examples: [
            Example("By three days", "till subscriptions extend all com.example.app com.example.app.club --days 3")
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let path =
                "\(SaleOptions.path(arguments))/apps/\(arguments[CatalogueOptions.bundle])"
                + "/products/\(arguments[CatalogueOptions.product])/extensions"
            let begun = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("POST", path, wanted(arguments), as: MassExtensionReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(begun) }
            context.print("It has begun, as request \(begun.requestIdentifier).")
        })

    private static func wanted(_ arguments: ParsedArguments) -> PeriodExtensionRequest {
        PeriodExtensionRequest(
            days: arguments[days], reason: ExtendReasonCode(rawValue: reasons[arguments[reason]] ?? 0))
    }
}
