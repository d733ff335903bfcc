import CommandOptions
import Foundation
import StoreModel
import StoreServer
import StoreService

/// `till prices`
enum PricesCommand {
    private static let amount = Argument<String>.required(.text("AMOUNT"), help: "Such as 0.99.")
    private static let start = Option<Instant>.required(
        "from",
        ValueFormat(
            "TIME", rule: "a moment such as 2027-01-01T00:00:00Z", describe: { $0.rfc3339 },
            parse: { try? Instant(rfc3339: $0) }),
        help: "From this moment on.")
    private static let storefront = Option<StorefrontRecord?>.optional(
        "storefront",
        ValueFormat(
            "STOREFRONT", rule: "the code of a storefront, three capital letters", describe: { $0.alpha3 },
            parse: { StorefrontRecord.storefront(alpha3: $0) }),
        help: "Only there, in its currency; else everywhere, in US dollars or --currency.")
    private static let currency = Option<String>.defaulted(
        "currency", .text("CODE"), to: "USD", help: "Of an amount for everywhere.")

    private static let exits: [ExitCode] = [
        CatalogueOptions.missing, CatalogueOptions.unavailable,
        .badData.when("The amount or the moment is refused; the message says why."),
    ]

    static let command = Command<TillProgram.Action>(
        "prices", "Look at prices, set many of them at once, and set them beforehand.",
        discussion: """
            A price that was set beforehand holds from its moment on. Whoever was asked before pays what the question said.

            Prices that hold at once are set by till products price, many of them by: till prices set
            """,
        options: AdminConnection.options,
        examples: [
            Example(
                "Dearer from the new year",
                "till prices schedule com.example.app com.example.app.credits5 1.99 --from 2027-01-01T00:00:00Z")
        ],
        seeAlso: ["till products price"],
        subcommands: [
            Command(
                "list", "List what a product costs in every storefront, and what it will cost.",
                options: ListOptions.all, arguments: [CatalogueOptions.bundle, CatalogueOptions.product],
                examples: [Example("All", "till prices list com.example.app com.example.app.credits5")],
                exitCodes: exits,
                action: { arguments, context in
                    let details = try await ask("GET", "", arguments, context)
                    if arguments[StandardOptions.json] { return try context.printJSON(details) }
                    let codes = StorefrontRecord.all.map(\.alpha3).sorted()
                    context.printList(
                        codes.map { (storefront: $0, price: details.prices[$0]) }, as: CatalogueTables.prices,
                        arguments, nothing: "There are no storefronts.")
                    for line in lines(details) { context.print(line) }
                }),
            PricesFile.setting, PricesFile.exporting, PricesFile.importing,
            Command(
                "schedule", "Set what a product will cost from a moment on.",
                options: [start, storefront, currency, CatalogueOptions.publish, StandardOptions.json],
                arguments: [CatalogueOptions.bundle, CatalogueOptions.product, amount],
                examples: [
                    Example(
                        "In Japan only",
                        "till prices schedule com.example.app com.example.app.credits5 300 --storefront JPN --from 2027-01-01T00:00:00Z"
                    )
                ], exitCodes: exits,
                action: { arguments, context in
                    let place = arguments[storefront]
                    guard let currency = place?.currency ?? Currency(arguments[currency]) else {
                        throw CommandFailure(.usage, "--currency is three capital letters, such as USD")
                    }
                    let wanted = PriceChangeMessage(
                        startsAt: arguments[start], amount: arguments[amount], currency: currency,
                        storefront: place.map(StorefrontCode.init))
                    try await show(arguments, context) {
                        try await $0.ask(
                            "PUT", path(arguments) + CatalogueOptions.publication(arguments), wanted,
                            as: CatalogueDetailsAnswer.self)
                    }
                }),
            Command(
                "cancel", "Take back a price that was set for a moment to come.",
                options: [start, storefront, CatalogueOptions.publish, StandardOptions.json],
                arguments: [CatalogueOptions.bundle, CatalogueOptions.product],
                examples: [
                    Example(
                        "One",
                        "till prices cancel com.example.app com.example.app.credits5 --from 2027-01-01T00:00:00Z")
                ], exitCodes: exits,
                action: { arguments, context in
                    let place = arguments[storefront].map { "&storefront=\($0.alpha3)" } ?? ""
                    let query =
                        "?startsAt=\(arguments[start].millisecondsSinceEpoch)\(place)"
                        + CatalogueOptions.publication(arguments, after: "&")
                    try await show(arguments, context) {
                        try await $0.ask("DELETE", path(arguments) + query, as: CatalogueDetailsAnswer.self)
                    }
                }),
        ])

    private static func path(_ arguments: ParsedArguments, _ rest: String = "/price-changes") -> String {
        "\(CatalogueOptions.path(arguments[CatalogueOptions.bundle]))/products/\(arguments[CatalogueOptions.product])\(rest)"
    }

    private static func ask(
        _ method: String, _ rest: String, _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws -> CatalogueDetailsAnswer {
        try await AdminConnection.withStore(arguments, context) {
            try await $0.ask(method, path(arguments, rest), as: CatalogueDetailsAnswer.self)
        }
    }

    private static func show(
        _ arguments: ParsedArguments, _ context: CommandContext,
        _ body: (AdminConnection) async throws -> CatalogueDetailsAnswer
    ) async throws {
        let details = try await AdminConnection.withStore(arguments, context, body)
        if arguments[StandardOptions.json] { return try context.printJSON(details) }
        for line in ProductsList.lines(details, of: arguments[CatalogueOptions.bundle]) + lines(details) {
            context.print(line)
        }
    }

    private static func lines(_ details: CatalogueDetailsAnswer) -> [String] {
        details.priceChanges.map { change in
            "  from \(change.startsAt.rfc3339): \(change.amount) \(change.currency)"
                + (change.storefront.map { " in \($0)" } ?? " everywhere")
        }
    }
}
