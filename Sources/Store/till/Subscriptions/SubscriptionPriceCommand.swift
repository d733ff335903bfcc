import CommandOptions
import StoreModel
import StoreServer
import StoreService

/// `till subscriptions price`
enum SubscriptionPriceCommand {
    private static let storefront = Option<StorefrontRecord>.required(
        "storefront",
        ValueFormat(
            "STOREFRONT", rule: "the code of a storefront, three capital letters, such as USA or JPN",
            describe: { $0.alpha3 }, parse: { StorefrontRecord.storefront(alpha3: $0) }),
        help: "Whose currency it is about.")
    private static let consent = Option<String?>.optional(
        "consent", .choice("WORD", ["ask", "none"]),
        help: "Whether customers are asked for consent; else the size of the increase decides.")

    static let command = Command<TillProgram.Action>(
        "price", "Bring a price to those who subscribe already, or answer to one for a customer.",
        discussion: """
            What the catalogue says is paid by new subscribers at once. Those who subscribe already keep their price until \
            this brings them the new one, with their next renewal. Repeated, it reaches those whom it did not reach yet.
            """,
        examples: [
            Example(
                "Dearer for all in the United States",
                "till subscriptions price raise com.example.app com.example.app.club --storefront USA")
        ],
        seeAlso: ["till products price", "till prices"],
        subcommands: [
            raise,
            SubscriptionsCommand.act(
                "ask", "Ask a tester to agree to the price as it is. Only in the sandbox.", "price-request",
                in: "price "),
            answer("agree", "Agree to a higher price for a customer.", true),
            answer("refuse", "Refuse a higher price for a customer: the subscription ends with its period.", false),
        ])

    private static let raise = Command<TillProgram.Action>(
        "raise", "Bring the price that a product has now to those who subscribe already and pay less.",
        options: [storefront, consent, StandardOptions.json],
        arguments: [CatalogueOptions.bundle, CatalogueOptions.product],
        examples: [
            Example(
                "With consent, however small the increase is",
                "till subscriptions price raise com.example.app com.example.app.club --storefront USA --consent ask")
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let path =
                "\(SaleOptions.path(arguments))/apps/\(arguments[CatalogueOptions.bundle])"
                + "/products/\(arguments[CatalogueOptions.product])/price-increase"
            let wanted = PriceIncreaseRequest(
                storefront: StorefrontCode(arguments[storefront]), consent: arguments[consent].map { $0 == "ask" })
            let done = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("POST", path, wanted, as: PriceIncreaseReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(done) }
            context.print(
                "It reaches \(done.count) \(done.count == 1 ? "subscription" : "subscriptions"), of which "
                    + "\(done.needingConsent) \(done.needingConsent == 1 ? "ends" : "end") without consent.")
            if done.askedAlready > 0 {
                context.print("\(done.askedAlready) were asked in this period already; repeat it in their next one.")
            }
        })

    private static func answer(_ name: String, _ summary: String, _ agrees: Bool) -> Command<TillProgram.Action> {
        Command(
            name, summary, options: [StandardOptions.json], arguments: [SubscriptionsCommand.subscription],
            examples: [Example("One", "till subscriptions price \(name) 2000000000000001")],
            exitCodes: SaleOptions.exits,
            action: { arguments, context in
                let found = try await AdminConnection.withSales(arguments, context) {
                    try await $0.ask(
                        "POST", SubscriptionsCommand.path(arguments) + "/price-answer",
                        PriceAnswerRequest(agrees: agrees), as: SubscriptionDetails.self)
                }
                try SubscriptionsCommand.print(found, arguments, context)
            })
    }
}

/// `till subscriptions grace`
enum GracePeriodCommand {
    private static let days = Option<String?>.optional(
        "days", .choice("DAYS", ["3", "16", "28", "off"]), help: "How many days; off for none.")
    private static let onlyPaid = Option<Bool>.flag(
        "only-paid", help: "Not after a free trial.")
    private static let production = Option<Bool>.flag(
        "production", help: "In production too; in the sandbox it always holds.")

    static let command = Command<TillProgram.Action>(
        "grace", "Show or set how long the subscriptions of an app count that could not be paid.",
        options: [days, onlyPaid, production, StandardOptions.json], arguments: [CatalogueOptions.bundle],
        examples: [
            Example("What is set", "till subscriptions grace com.example.app"),
            Example("16 days, in both environments", "till subscriptions grace com.example.app --days 16 --production"),
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let path = "\(SaleOptions.path(arguments))/apps/\(arguments[CatalogueOptions.bundle])/grace-period"
            let isChange = arguments[days] != nil
            guard isChange || !(arguments[onlyPaid] || arguments[production]) else {
                throw CommandFailure(.usage, "--only-paid and --production go with --days")
            }
            let found = try await AdminConnection.withSales(arguments, context) { store in
                guard isChange else { return try await store.ask("GET", path, as: GracePeriodMessage.self) }
                let wanted = GracePeriodMessage(
                    days: arguments[days].flatMap { Int($0) } ?? 0, isOnlyPaid: arguments[onlyPaid],
                    isInProduction: arguments[production])
                return try await store.ask("PUT", path, wanted, as: GracePeriodMessage.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found) }
            context.print(text(found))
        })

    private static func text(_ setting: GracePeriodMessage) -> String {
        guard let days = setting.days else { return "No grace period: what could not be paid does not count." }
        return "\(days) days" + (setting.isOnlyPaid == true ? ", after periods that were paid" : "")
            + (setting.isInProduction == true ? ", in production and the sandbox." : ", in the sandbox only.")
    }
}
