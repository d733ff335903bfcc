import CommandOptions
import Foundation
import StoreCatalogue
import StoreModel
import StoreServer

/// `till prices set`, `export` and `import`: all prices of a product at once.
enum PricesFile {
    private static let trial = Option<Bool>.flag("dry-run", help: "Change nothing; say what would be changed.")
    private static let output = Option<String?>.optional(
        "output", .file("FILE"), help: "Where to write it; else to standard output.")
    private static let file = Argument<String>.required(
        .file(), help: "A table as the export writes it, or as a spreadsheet keeps it; - reads standard input.")
    private static let base = Option<String?>.optional(
        "base", .text("AMOUNT"), help: "What storefronts without a price of their own follow.")
    private static let currency = Option<String>.defaulted(
        "currency", .text("CODE"), to: "USD", help: "Of the base price.")
    private static let prices = Argument<[String]>.rest(
        ValueFormat("STOREFRONT=AMOUNT", rule: "a storefront and an amount, such as DEU=1.29, JPN=derived or AFG=none")
        {
            $0.split(separator: "=").count == 2 ? $0 : nil
        }, atLeastOne: false, help: "derived follows the base price, none takes the product out of the storefront.")

    private static let exits: [ExitCode] = [
        CatalogueOptions.missing, CatalogueOptions.unavailable,
        .badData.when("A price cannot be; the message says which, and nothing was changed."),
    ]

    static let setting = Command<TillProgram.Action>(
        "set", "Set many prices of a product in one change.",
        discussion: "All of them are set, or none. Storefronts that are not named stay as they are.",
        options: [base, currency, trial, CatalogueOptions.publish, StandardOptions.json],
        arguments: [CatalogueOptions.bundle, CatalogueOptions.product, prices],
        examples: [
            Example(
                "Three storefronts",
                "till prices set com.example.app com.example.app.credits5 DEU=1.29 JPN=derived AFG=none"),
            Example(
                "See what a raise does",
                "till prices set com.example.app com.example.app.credits5 --base 1.99 --dry-run"),
        ], exitCodes: exits,
        action: { arguments, context in
            guard let code = Currency(arguments[currency]) else {
                throw CommandFailure(.usage, "--currency is three capital letters, such as USD")
            }
            var wanted: [String: String] = [:]
            for entry in arguments[prices] {
                let parts = entry.split(separator: "=").map(String.init)
                guard wanted.updateValue(parts[1], forKey: parts[0].uppercased()) == nil else {
                    throw CommandFailure(.usage, "\(parts[0]) is there twice")
                }
            }
            guard !wanted.isEmpty || arguments[base] != nil else {
                throw CommandFailure(.usage, "name a storefront and its price, such as DEU=1.29, or give --base")
            }
            try await send(
                PriceListRequest(
                    basePrice: arguments[base].map { BasePrice(amount: $0, currency: code) }, storefronts: wanted,
                    isTrial: arguments[trial]), arguments, context)
        })

    static let exporting = Command<TillProgram.Action>(
        "export", "Write the prices of a product as a table for a spreadsheet: a row a storefront.", options: [output],
        arguments: [CatalogueOptions.bundle, CatalogueOptions.product],
        examples: [
            Example("To a file", "till prices export com.example.app com.example.app.credits5 --output prices.csv")
        ], exitCodes: [CatalogueOptions.missing, CatalogueOptions.unavailable],
        action: { arguments, context in
            let bytes = try await AdminConnection.withStore(arguments, context) { store in
                try await store.bytes("GET", path(arguments) + ".csv")
            }
            guard let file = arguments[output], file != "-" else { return context.write(bytes) }
            do {
                try Data(bytes).write(to: URL(fileURLWithPath: file))
            } catch {
                throw CommandFailure(.cannotCreate, "\(file) cannot be written")
            }
        })

    static let importing = Command<TillProgram.Action>(
        "import", "Set prices of a product by a table.",
        discussion: """
            Of a row, storefront, price and sold count. An empty price follows the base price, and sold no takes the product \
            out of the storefront. Rows that are missing stay as they are. All of it is set in one change, or nothing.
            """,
        options: [trial, CatalogueOptions.publish, StandardOptions.json],
        arguments: [CatalogueOptions.bundle, CatalogueOptions.product, file],
        examples: [
            Example(
                "See what it changes",
                "till prices import com.example.app com.example.app.credits5 prices.csv --dry-run")
        ], exitCodes: exits + [.inputMissing.when("The file cannot be read.")],
        action: { arguments, context in
            let bytes = try InputFile.read(arguments[file], limit: PriceFile.limit)
            guard bytes.count <= PriceFile.limit else {
                throw CommandFailure(.badData, "a table of prices has at most \(PriceFile.limit) bytes")
            }
            let edits: PriceEdits
            do throws(CatalogueError) {
                edits = try PriceFile.edits(bytes)
            } catch {
                throw CommandFailure(.badData, error.message)
            }
            try await send(PriceListRequest(edits, isTrial: arguments[trial]), arguments, context)
        })

    private static func path(_ arguments: ParsedArguments) -> String {
        "\(CatalogueOptions.path(arguments[CatalogueOptions.bundle]))/products/\(arguments[CatalogueOptions.product])/prices"
    }

    private static func send(
        _ wanted: PriceListRequest, _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws {
        let made = try await AdminConnection.withStore(arguments, context) { store in
            try await store.ask(
                "PUT", path(arguments) + CatalogueOptions.publication(arguments), wanted, as: PriceListChangeAnswer.self
            )
        }
        if arguments[StandardOptions.json] { return try context.printJSON(made) }
        for line in lines(made) { context.print(line) }
    }

    private static func lines(_ made: PriceListChangeAnswer) -> [String] {
        var lines: [String] = []
        if made.basePrice != made.basePriceBefore {
            let (before, after) = (made.basePriceBefore, made.basePrice)
            lines.append("base price: \(before.map(text) ?? "none") -> \(after.map(text) ?? "none")")
        }
        lines += made.changed.map { change in
            "  \(change.after.storefront)  \(text(change.before)) -> \(text(change.after)) \(change.after.currency)"
        }
        let count = made.changed.count
        let words = count == 1 ? "1 storefront" : "\(count) storefronts"
        if lines.isEmpty { return [made.isTrial ? "nothing would change" : "nothing changed"] }
        return lines + ["\(words) \(made.isTrial ? "would change; nothing was set" : "changed")"]
    }

    private static func text(_ price: BasePrice) -> String { "\(price.amount) \(price.currency)" }

    private static func text(_ row: PriceListAnswer.Row) -> String {
        if row.isWithdrawn { return "not sold" }
        return (row.price ?? "no price") + (row.own == nil ? " (derived)" : "")
    }
}
