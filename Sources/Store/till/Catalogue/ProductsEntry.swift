import CommandOptions
import Foundation
import StoreCatalogue
import StoreModel
import StoreRules
import StoreServer
import StoreService

/// `till products put`, `till products tax` and `till products hosting`
enum ProductsEntry {
    private static let kinds = [
        "consumable": ProductKind.consumable, "non-consumable": .nonConsumable, "auto-renewable": .autoRenewable,
        "non-renewing": .nonRenewing, "free-subscription": .freeSubscription,
    ]
    /// The word of a type of products, as --type takes it.
    static func word(of kind: ProductKind) -> String { kinds.first { $0.value == kind }?.key ?? kind.rawValue }

    private static let kind = Option<String?>.optional(
        "type", .choice("TYPE", kinds.keys.sorted()), help: "What is entered; the type never changes.")
    private static let name = Option<String?>.optional(
        "name", .text("NAME"), help: "What the developer calls it; its id, if it is new.")
    private static let title = Option<String?>.optional("title", .text("TITLE"), help: "What customers read.")
    private static let text = Option<String>.defaulted(
        "description", .text("TEXT"), to: "", help: "What customers read below the title.")
    private static let language = Option<String>.defaulted(
        "language", .text("LANGUAGE"), to: "en-US", help: "Of title and description.")
    private static let price = Option<String?>.optional(
        "price", .text("AMOUNT"), help: "In US dollars, everywhere: what it comes to in the other currencies.")
    private static let period = Option<String?>.optional(
        "period", .choice("PERIOD", ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]), help: "Of an auto-renewable.")
    private static let group = Option<String?>.optional("group", .text("GROUP"), help: "Of an auto-renewable.")
    private static let isShareable = Option<Bool>.flag("family-shareable", help: "Shared with the customer's family.")

    private static let category = Argument<String>.required(
        .choice("CATEGORY", TaxCategory.known.map(\.rawValue).sorted()), help: "What it is to a tax office.")
    private static let hosting = Argument<String>.required(
        .choice("SWITCH", ["on", "off"]), help: "Whether the store hosts its content.")

    private static let picture = Argument<String?>.optional(
        .file(), help: "A PNG or a JPEG; without it the image is removed.")
    private static let imageKind = Option<String>.defaulted(
        "kind", .choice("KIND", ProductImage.Kind.known.map(\.rawValue).sorted()),
        to: ProductImage.Kind.promotional.rawValue, help: "For customers, or for reviewers.")

    private static let exits: [ExitCode] = [
        CatalogueOptions.missing, CatalogueOptions.unavailable,
        .badData.when("A value is refused; nothing was changed."),
        .failure.when("It contradicts what is there; the message says how."),
    ]

    private static let textLanguage = Argument<String>.required(
        .text("LANGUAGE"), help: "Of the text that is taken away, such as de-DE.")

    static let commands: [Command<TillProgram.Action>] = [
        Command(
            "remove-text", "Take a product its text in a language.",
            discussion: """
                Of an approved product the text that waits for its approval is taken back first; without one it is the text \
                that customers read, and they read another language.
                """,
            options: [StandardOptions.json],
            arguments: [CatalogueOptions.bundle, CatalogueOptions.product, textLanguage],
            examples: [
                Example("The German one", "till products remove-text com.example.app com.example.app.credits5 de-DE")
            ], exitCodes: exits,
            action: { arguments, context in
                try await show(arguments, context) {
                    try await $0.ask(
                        "DELETE", path(arguments) + "/texts/\(SaleOptions.escaped(arguments[textLanguage]))",
                        as: CatalogueDetailsAnswer.self)
                }
            }),
        Command(
            "image", "Give a product an image, or remove it.",
            discussion:
                "Customers see promotional images; a review_screenshot shows reviewers where in the app the product is.",
            options: [imageKind, StandardOptions.json],
            arguments: [CatalogueOptions.bundle, CatalogueOptions.product, picture],
            examples: [Example("One", "till products image com.example.app com.example.app.credits5 credits.png")],
            exitCodes: exits, action: setImage),
        Command(
            "put", "Enter a product, or change the one of its id.",
            discussion: """
                What is left out stays. What customers read of an approved product is reviewed again; until then production \
                goes on with what was approved.
                """,
            options: [
                kind, name, title, text, language, price, period, group, isShareable, CatalogueOptions.publish,
                StandardOptions.json,
            ],
            arguments: [CatalogueOptions.bundle, CatalogueOptions.product],
            examples: [
                Example(
                    "Five credits",
                    "till products put com.example.app com.example.app.credits5 --type consumable --title '5 Credits' --price 0.99"
                )
            ], exitCodes: exits, action: put),
        Command(
            "tax", "Say what a product is to a tax office.",
            discussion: "The store computes no taxes; reports carry the category.",
            options: [CatalogueOptions.publish, StandardOptions.json],
            arguments: [CatalogueOptions.bundle, CatalogueOptions.product, category],
            examples: [Example("A book", "till products tax com.example.app com.example.app.chapter1 books")],
            exitCodes: exits,
            action: { arguments, context in
                try await show(arguments, context) {
                    try await $0.ask(
                        "PUT", path(arguments) + "/tax" + CatalogueOptions.publication(arguments),
                        TaxRequest(taxCategory: arguments[category]),
                        as: CatalogueDetailsAnswer.self)
                }
            }),
        Command(
            "hosting", "Let the store host the content of a non-consumable, or not.",
            discussion: "It can be decided until the product goes live. The product then waits for its content.",
            options: [StandardOptions.json], arguments: [CatalogueOptions.bundle, CatalogueOptions.product, hosting],
            examples: [Example("On", "till products hosting com.example.app com.example.app.chapter1 on")],
            exitCodes: exits,
            action: { arguments, context in
                let method = arguments[hosting] == "on" ? "PUT" : "DELETE"
                try await show(arguments, context) {
                    try await $0.ask(method, path(arguments) + "/hosting", as: CatalogueDetailsAnswer.self)
                }
            }),
    ]

    private static func setImage(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let bytes = try arguments[picture].map { try InputFile.read($0, limit: ProductImages.mostBytes) }
        let place = path(arguments) + "/images/\(arguments[imageKind])"
        try await show(arguments, context) { store in
            guard let bytes else { return try await store.ask("DELETE", place, as: CatalogueDetailsAnswer.self) }
            return try await store.ask(
                "PUT", place, bytes: bytes, of: "application/octet-stream", as: CatalogueDetailsAnswer.self)
        }
    }

    private static func path(_ arguments: ParsedArguments) -> String {
        "\(CatalogueOptions.path(arguments[CatalogueOptions.bundle]))/products/\(arguments[CatalogueOptions.product])"
    }

    private static func put(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let id = arguments[CatalogueOptions.product]
        let period = try arguments[period].map { text throws(CommandFailure) in
            guard let found = BillingPeriod(text) else { throw CommandFailure(.usage, "--period is such as P1M") }
            return found
        }
        try await show(arguments, context) { store in
            let known: CatalogueDetailsAnswer?
            do {
                known = try await store.ask("GET", path(arguments), as: CatalogueDetailsAnswer.self)
            } catch let failure as CommandFailure where failure.exitCode == .inputMissing {
                known = nil
            }
            guard let type = arguments[kind].flatMap({ kinds[$0] }) ?? known?.product.type else {
                throw CommandFailure(.usage, "there is no product \(id); to enter it, say its --type")
            }
            let wanted = ProductRequest(
                type: type, referenceName: arguments[name] ?? known?.product.referenceName ?? id.text,
                isFamilyShareable: arguments[isShareable] || known?.product.isFamilyShareable == true,
                period: period ?? known?.product.period,
                groupId: try arguments[group].map { try SubscriptionGroupID(parsing: $0) } ?? known?.product.groupId,
                texts: arguments[title].map {
                    [arguments[language]: CatalogueDetailsAnswer.Text(title: $0, description: arguments[text])]
                },
                price: arguments[price].map { BasePrice(amount: $0, currency: .usd) })
            return try await store.ask(
                "PUT", path(arguments) + CatalogueOptions.publication(arguments), wanted,
                as: CatalogueDetailsAnswer.self)
        }
    }

    private static func show(
        _ arguments: ParsedArguments, _ context: CommandContext,
        _ body: (AdminConnection) async throws -> CatalogueDetailsAnswer
    ) async throws {
        let details = try await AdminConnection.withStore(arguments, context, body)
        if arguments[StandardOptions.json] { return try context.printJSON(details) }
        for line in ProductsList.lines(details, of: arguments[CatalogueOptions.bundle]) { context.print(line) }
    }
}
