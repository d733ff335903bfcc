import CommandOptions
import StoreModel
import StoreServer

/// `till products price`
enum ProductsPrice {
    private static let amount = Argument<String>.required(
        ValueFormat("AMOUNT", rule: "an amount such as 0.99 in the storefront's currency, or none") { text in
            text == "none" || text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E } ? text : nil
        }, help: "What it costs there; none takes the product out of the storefront.")

    /// More than any price has, and less than amounts can be counted with.
    private static let mostUnitDigits = 15

    static let command = Command<TillProgram.Action>(
        "price", "Set what a product costs in a storefront.", options: [StandardOptions.json],
        arguments: [CatalogueOptions.bundle, CatalogueOptions.product, CatalogueOptions.storefront, amount],
        examples: [
            Example(
                "Yen have no smaller unit", "till products price com.example.app com.example.app.credits5 JPN 160")
        ],
        exitCodes: [
            CatalogueOptions.missing, CatalogueOptions.unavailable,
            .badData.when("The amount is too large, or has more digits than the currency."),
        ],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let units = arguments[amount].prefix { $0 != "." }.drop { $0 == "0" }
        guard arguments[amount] == "none" || units.count <= mostUnitDigits else {
            throw CommandFailure(
                .badData, "the amount is too large: no price has more than \(mostUnitDigits) digits before the point")
        }
        let product = "products/\(arguments[CatalogueOptions.product])"
        let place = "prices/\(arguments[CatalogueOptions.storefront].alpha3)"
        let path = "\(CatalogueOptions.path(arguments[CatalogueOptions.bundle]))/\(product)/\(place)"
        let details = try await AdminConnection.withStore(arguments, context) { store in
            arguments[amount] == "none"
                ? try await store.ask("DELETE", path, as: CatalogueDetailsAnswer.self)
                : try await store.ask(
                    "PUT", path, PriceRequest(amount: arguments[amount]), as: CatalogueDetailsAnswer.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(details) }
        for line in ProductsList.lines(details) { context.print(line) }
    }
}
