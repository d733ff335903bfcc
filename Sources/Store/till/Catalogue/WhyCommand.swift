import CommandOptions
import StoreModel
import StoreServer

/// `till why`
enum WhyCommand {
    private static let product = Argument<String>.required(
        .text("PRODUCT", asking: "products"), help: "The id, as the app asks for it, spelt as it likes.")
    private static let storefront = Option<String?>.optional(
        "storefront", .text("CODE"), help: "Where, three letters; else that of the account, or USA.")
    private static let customer = Option<String?>.optional(
        "customer", .text("EMAIL|NUMBER", asking: "people"),
        help: "As this account sees it: its storefront, the profile of its newest device, and whether it may buy.")
    private static let environment = Option<StoreEnvironment?>.optional(
        "environment", .choice("ENVIRONMENT", of: StoreEnvironment.self), environment: "TILL_ENVIRONMENT",
        help: "Only there; without it in both environments, or in that of the account.")

    static let command = Command<TillProgram.Action>(
        "why", "Say why a product is sold, or not, and what mends it.",
        discussion: "An app is told nothing but that the id is invalid; here is the reason.",
        options: AdminConnection.options + [
            environment, storefront, customer, KeysOptions.passphraseFile, PolicyOptions.commission,
            StandardOptions.json,
        ],
        arguments: [CatalogueOptions.bundle, product],
        examples: [
            Example("In both environments", "till why com.example.monkeycredits com.example.monkeycredits.credits5"),
            Example(
                "Whether production sells it, for a script",
                "till why com.example.monkeycredits com.example.monkeycredits.credits5 --environment production"),
        ],
        exitCodes: [
            .failure.when("It is not sold in an environment that was asked about."),
            .inputMissing.when("There is no such app or account, or no store."), CatalogueOptions.unavailable,
            .noPermission.when("The passphrase of the keys is wrong or missing."),
        ],
        seeAlso: ["till transactions why", "till review"],
        action: { arguments, context in
            let answers = try await answers(arguments, context)
            if arguments[StandardOptions.json] {
                try context.printJSON(Page(answers))
            } else {
                for answer in answers { for line in lines(answer) { context.print(line) } }
            }
            let wrong = answers.filter { !$0.isSold }.map(\.environment.rawValue)
            guard wrong.isEmpty else {
                throw CommandFailure(
                    .failure,
                    "\(PrintableText(arguments[product], limit: 200)) is not sold in \(wrong.joined(separator: " and "))"
                )
            }
        })

    /// What each environment that is asked says.
    private static func answers(
        _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws -> [WhyAnswer] {
        let bundle = arguments[CatalogueOptions.bundle]
        let query =
            ["productId=\(SaleOptions.escaped(arguments[product]))"]
            + [("storefront", arguments[storefront]), ("customer", arguments[customer])].compactMap { name, value in
                value.map { "\(name)=\(SaleOptions.escaped($0))" }
            }
        let words = query.joined(separator: "&")
        func ask(_ store: AdminConnection) async throws -> [WhyAnswer] {
            if let named = arguments[environment] {
                return [
                    try await store.ask(
                        "GET", "\(SaleOptions.path(named))/apps/\(bundle)/why?\(words)", as: WhyAnswer.self)
                ]
            }
            // Everything of the command is wrong if the app is.
            _ = try await store.ask("GET", CatalogueOptions.path(bundle), as: CatalogueAppAnswer.self)
            var (answers, missing): ([WhyAnswer], CommandFailure?) = ([], nil)
            for one in StoreEnvironment.allCases {
                do {
                    let path = "\(SaleOptions.path(one))/apps/\(bundle)/why?\(words)"
                    answers.append(try await store.ask("GET", path, as: WhyAnswer.self))
                } catch let failure as CommandFailure where failure.exitCode == .inputMissing {
                    // An account is of one environment.
                    missing = failure
                }
            }
            if let missing, answers.isEmpty { throw missing }
            return answers
        }
        // Accounts are of an environment that sells, and the rest is in the catalogue.
        return arguments[customer] == nil
            ? try await AdminConnection.withStore(arguments, context, ask)
            : try await AdminConnection.withSales(arguments, context, ask)
    }

    private static func lines(_ answer: WhyAnswer) -> [String] {
        let state = answer.isSold ? "sold" : "not sold"
        var lines = ["\(answer.environment), storefront \(answer.storefront): \(state)"]
        guard !answer.isSold else { return lines }
        lines[0] += ", \(PrintableText(answer.explanation, limit: 400)) (\(answer.reason ?? ""))"
        if let remedy = answer.remedy { lines.append("  -> \(PrintableText(remedy, limit: 400))") }
        return lines
    }
}
