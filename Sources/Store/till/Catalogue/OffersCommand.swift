import CommandOptions
import Foundation
import StoreCatalogue
import StoreModel
import StoreServer
import StoreService

/// `till offers`
enum OffersCommand {
    private static let offer = Argument<String>.required(.text("OFFER"), help: "The id of the offer.")
    private static let kind = Option<String>.required(
        "kind", .choice("KIND", OfferKind.allCases.map(\.rawValue).sorted()), help: "For whom it is.")
    private static let mode = Option<String>.required(
        "mode", .choice("MODE", OfferPaymentMode.allCases.map(\.rawValue).sorted()), help: "How it is paid.")
    private static let period = Option<BillingPeriod>.required(
        "period",
        ValueFormat("PERIOD", rule: "a period, such as P1W or P3M", parse: { BillingPeriod($0) }),
        help: "How long it lasts, or how long each paid period is.")
    private static let periods = Option<Int>.defaulted(
        "periods", .integer(in: 1...SubscriptionOffers.mostPeriods), to: 1,
        help: "How many periods are paid one by one.")
    private static let price = Option<String?>.optional(
        "price", .text("AMOUNT"), help: "What it costs in every storefront without a price of its own.")
    private static let currency = Option<Currency>.defaulted(
        "currency", ValueFormat("CURRENCY", rule: "a currency, such as USD", describe: { $0.code }) { Currency($0) },
        to: .usd, help: "The currency of the price.")
    private static let priceIn = Option<[CatalogueOptions.Pair]>.repeated(
        "price-in", CatalogueOptions.pair("STOREFRONT=AMOUNT"), help: "What it costs in one storefront.")
    private static let name = Option<String?>.optional("name", .text("NAME"), help: "What its developer calls it.")
    private static let from = Option<Instant?>.optional("from", CatalogueOptions.instant, help: "When it begins.")
    private static let until = Option<Instant?>.optional("until", CatalogueOptions.instant, help: "When it is over.")
    private static let eligible = Option<[String]>.repeated(
        "for", .choice("WHO", OfferEligibility.known.map(\.rawValue).sorted()), help: "Who may redeem its codes.")
    private static let stackable = Option<Bool>.flag(
        "stackable", help: "Who redeems a code keeps the introductory offer.")
    private static let months = ValueFormat<Int>.integer("MONTHS", in: 0...SubscriptionOffers.mostMonths)
    private static let paid = Option<Int?>.optional(
        "paid-months", months, help: "Of a win-back offer: how many months were paid.")
    private static let lapsed = Option<Int?>.optional(
        "lapsed-months", months, help: "Of a win-back offer: how many months ago the subscription ended.")
    private static let wait = Option<Int?>.optional(
        "wait-months", months, help: "Of a win-back offer: how many months lie between two.")

    private static let exits: [ExitCode] = [
        CatalogueOptions.missing, CatalogueOptions.unavailable, .badData.when("A value is refused."),
        .failure.when("It contradicts what is there."),
    ]

    static let command = Command<TillProgram.Action>(
        "offers", "Set what subscriptions cost less at first, and for whom.",
        discussion: """
            Only subscriptions that renew have offers. Apps see introductory, promotional and win-back offers that can be had \
            at the moment; offers of codes are seen by who redeems a code.
            """,
        options: AdminConnection.options,
        examples: [
            Example(
                "A free week",
                "till offers set com.example.app com.example.app.club introductory --kind introductory --mode free "
                    + "--period P1W")
        ],
        seeAlso: ["till groups", "till products"],
        subcommands: [
            Command(
                "list", "List the offers of a subscription.", options: ListOptions.all,
                arguments: [CatalogueOptions.bundle, CatalogueOptions.product],
                examples: [Example("For a program", "till offers list com.example.app com.example.app.club --json")],
                exitCodes: exits, action: { try await ask("GET", "", $0, $1) }),
            Command(
                "set", "Give a subscription an offer, or change all of one.",
                options: [
                    kind, mode, period, periods, price, currency, priceIn, name, from, until, eligible, stackable, paid,
                    lapsed, wait, CatalogueOptions.publish, StandardOptions.json,
                ],
                arguments: [CatalogueOptions.bundle, CatalogueOptions.product, offer],
                examples: [
                    Example(
                        "Three months for a dollar each",
                        "till offers set com.example.app com.example.app.club spring --kind promotional "
                            + "--mode pay_as_you_go --period P1M --periods 3 --price 0.99 --price-in JPN=160")
                ],
                exitCodes: exits,
                action: { arguments, context in
                    var wanted = OfferRequest(
                        kind: arguments[kind], paymentMode: arguments[mode], period: arguments[period])
                    wanted.periodCount = arguments[periods]
                    wanted.price = arguments[price].map { BasePrice(amount: $0, currency: arguments[currency]) }
                    wanted.prices = try CatalogueOptions.dictionary(arguments[priceIn], "--price-in")
                    (wanted.referenceName, wanted.startsAt, wanted.endsAt) = (
                        arguments[name], arguments[from], arguments[until]
                    )
                    (wanted.eligibility, wanted.isStackable) = (arguments[eligible], arguments[stackable])
                    (wanted.paidMonths, wanted.lapsedMonths, wanted.waitMonths) = (
                        arguments[paid], arguments[lapsed], arguments[wait]
                    )
                    let path =
                        "/\(SaleOptions.escaped(arguments[offer]))" + CatalogueOptions.publication(arguments)
                    try await ask("PUT", path, arguments, context, sending: wanted)
                }),
            Command(
                "remove", "Take a subscription an offer.",
                options: [CatalogueOptions.publish, StandardOptions.json],
                arguments: [CatalogueOptions.bundle, CatalogueOptions.product, offer],
                examples: [Example("One", "till offers remove com.example.app com.example.app.club spring")],
                exitCodes: exits,
                action: {
                    try await ask(
                        "DELETE", "/\(SaleOptions.escaped($0[offer]))" + CatalogueOptions.publication($0), $0, $1)
                }),
            eligibility, OfferSignCommand.command,
        ])

    private static let someProduct = Argument<ProductID?>.optional(
        CatalogueOptions.productFormat, help: "The product; all of the app if it is left out.")

    private static let eligibility = Command<TillProgram.Action>(
        "eligibility", "Say which offers are open to a customer, and why the others are not.",
        options: [
            SaleOptions.environment, KeysOptions.passphraseFile, PolicyOptions.commission, SaleOptions.onlyCustomer,
        ] + ListOptions.all,
        arguments: [CatalogueOptions.bundle, someProduct],
        examples: [
            Example("Of an app", "till offers eligibility com.example.app --customer tester@example.com")
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let query =
                "bundleId=\(arguments[CatalogueOptions.bundle])"
                + (arguments[someProduct].map { "&productId=\($0)" } ?? "")
            let page = try await AdminConnection.withSales(arguments, context) { store in
                let customer = SaleOptions.escaped(try await store.customer(arguments))
                return try await store.ask(
                    "GET", "\(SaleOptions.path(arguments))/customers/\(customer)/offers?\(query)",
                    as: Page<EligibilityReport>.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(page) }
            context.printList(page.items, as: CatalogueTables.eligibility, arguments, nothing: "There are no offers.")
        })

    private static func ask(
        _ method: String, _ path: String, _ arguments: ParsedArguments, _ context: CommandContext,
        sending body: OfferRequest? = nil
    ) async throws {
        let place =
            "\(CatalogueOptions.path(arguments[CatalogueOptions.bundle]))/products/"
            + "\(arguments[CatalogueOptions.product])/offers\(path)"
        let page = try await AdminConnection.withStore(arguments, context) { store in
            if let body { return try await store.ask(method, place, body, as: Page<OfferMessage>.self) }
            return try await store.ask(method, place, as: Page<OfferMessage>.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(page) }
        context.printList(
            page.items, as: CatalogueTables.offers, arguments,
            nothing: "The subscription has no offers. How to give it one: till offers set --help")
    }
}

extension CatalogueOptions {
    /// Two texts with an equals sign between them.
    struct Pair: Sendable {
        let name: String
        let value: String
    }

    static func pair(_ placeholder: String, mayBeEmpty: Bool = false) -> ValueFormat<Pair> {
        ValueFormat(
            placeholder, rule: "\(placeholder), with the equals sign", explainsRule: false,
            describe: { "\($0.name)=\($0.value)" },
            parse: { text in
                guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return nil }
                let value = String(text[text.index(after: sign)...])
                return value.isEmpty && !mayBeEmpty ? nil : Pair(name: String(text[..<sign]), value: value)
            })
    }

    /// The pairs of an option, each name once.
    static func dictionary(_ pairs: [Pair], _ option: String) throws -> [String: String] {
        try Dictionary(pairs.map { ($0.name, $0.value) }) { _, _ in
            throw CommandFailure(.usage, "\(option) names something twice")
        }
    }

    static let instant = ValueFormat<Instant>(
        "TIME", rule: "a moment such as 2027-01-01T00:00:00Z", describe: { $0.rfc3339 },
        parse: { try? Instant(rfc3339: $0) })
}
