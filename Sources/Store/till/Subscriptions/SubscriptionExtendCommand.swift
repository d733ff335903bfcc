import CommandOptions
import Foundation
import StoreHTTP
import StoreModel
import StoreServer
import StoreService

/// `till subscriptions extend`
enum SubscriptionExtendCommand {
    private static let days = Option<Int>.required(
        "days", .integer("DAYS", in: 1...90), help: "By how many days; in shortened periods they are as short.")
    private static let reasons: [String: ExtendReasonCode] = [
        "undeclared": .undeclared, "satisfaction": .customerSatisfaction, "other": .other, "service": .serviceIssue,
    ]
    private static let reason = Option<String>.defaulted(
        "reason", .choice("REASON", reasons.keys.sorted()), to: "undeclared", help: "Why.")
    private static let request = Option<String?>.optional(
        "request", .text("ID"), help: "What tells this request from others: repeated, it has no second effect.")
    private static let storefronts = Option<[StorefrontCode]?>.optional(
        "storefronts",
        ValueFormat(
            "STOREFRONTS", rule: "codes of storefronts, with commas between them, such as USA,DEU",
            describe: { $0.map(\.rawValue).joined(separator: ",") },
            parse: { text in
                let codes = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                guard codes.allSatisfy({ StorefrontRecord.storefront(alpha3: $0) != nil }) else { return nil }
                return codes.map { StorefrontCode(rawValue: $0) }
            }), help: "Only subscribers of these storefronts.")
    private static let noWait = Option<Bool>.flag("no-wait", help: "Do not wait until all are extended.")
    private static let identifier = Argument<String>.required(
        .text("REQUEST"), help: "What the extension was asked for under.")

    static let command = Command<TillProgram.Action>(
        "extend", "Put off when subscriptions renew, without a charge: one, or all of a product.",
        discussion: """
            What was paid for last ends so many days later, and later periods are counted from there. A subscription is extended \
            twice within 365 days at most; what is free, turned off or not paid is not extended.
            """,
        examples: [Example("A week for one subscriber", "till subscriptions extend one 2000000000000001 --days 7")],
        seeAlso: ["till subscriptions show"], subcommands: [one, all, status])

    private static let one = Command<TillProgram.Action>(
        "one", "Put off when one subscription renews.", options: [days, reason, request, StandardOptions.json],
        arguments: [SubscriptionsCommand.subscription],
        examples: [Example("By a week", "till subscriptions extend one 2000000000000001 --days 7 --reason service")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let wanted = PeriodExtensionRequest(
                days: arguments[days], reason: reasons[arguments[reason]], requestIdentifier: arguments[request])
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(
                    "POST", SubscriptionsCommand.path(arguments) + "/extension", wanted, as: SubscriptionDetails.self)
            }
            try SubscriptionsCommand.print(found, arguments, context)
        })

    private static let all = Command<TillProgram.Action>(
        "all", "Put off when a subscription renews, for all who subscribe to it.",
        options: [days, reason, request, storefronts, noWait, StandardOptions.json],
        arguments: [CatalogueOptions.bundle, CatalogueOptions.product],
        examples: [
            Example(
                "Two days for all in the United States",
                "till subscriptions extend all com.example.app com.example.app.club --days 2 --storefronts USA")
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let wanted = MassExtensionRequest(
                days: arguments[days], reason: reasons[arguments[reason]], requestIdentifier: arguments[request],
                storefronts: arguments[storefronts])
            let found = try await AdminConnection.withSales(arguments, context) { store in
                var found = try await store.ask("POST", path(arguments), wanted, as: MassExtensionReport.self)
                while found.completedAt == nil, !arguments[noWait] {
                    if !arguments[StandardOptions.json] { context.print(progress(found)) }
                    try await Task.sleep(for: .seconds(1))
                    found = try await store.ask(
                        "GET", "\(path(arguments))/\(found.requestIdentifier)", as: MassExtensionReport.self)
                }
                return found
            }
            try print(found, arguments, context)
        })

    private static let status = Command<TillProgram.Action>(
        "status", "Show how far an extension of all who subscribe to a product has come.",
        options: [StandardOptions.json], arguments: [CatalogueOptions.bundle, CatalogueOptions.product, identifier],
        examples: [
            Example(
                "One",
                "till subscriptions extend status com.example.app com.example.app.club 3fa85f64-5717-4562-b3fc-2c963f66afa6"
            )
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(
                    "GET", "\(path(arguments))/\(PercentEncoding.encode(arguments[identifier]))",
                    as: MassExtensionReport.self)
            }
            try print(found, arguments, context)
        })

    private static func path(_ arguments: ParsedArguments) -> String {
        "\(SaleOptions.path(arguments))/apps/\(arguments[CatalogueOptions.bundle])"
            + "/products/\(arguments[CatalogueOptions.product])/extensions"
    }

    private static func print(
        _ found: MassExtensionReport, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        if arguments[StandardOptions.json] { return try context.printJSON(found) }
        context.print(progress(found))
    }

    private static func progress(_ found: MassExtensionReport) -> String {
        "Request \(PrintableText(found.requestIdentifier, limit: 200)): \(found.succeeded) extended by \(found.days) "
            + "\(found.days == 1 ? "day" : "days"), \(found.failed) not; "
            + (found.completedAt.map { "done at \($0.rfc3339)." } ?? "it goes on.")
    }
}
