import CommandOptions
import StoreModel
import StoreServer

/// `till products list` and `till products show`
enum ProductsList {
    private static let bundle = Option<BundleID?>.optional(
        "bundle-id", CatalogueOptions.bundleFormat, help: "Of this app only.")

    static let list = Command<TillProgram.Action>(
        "list", "List the products.", options: [bundle, StandardOptions.json],
        examples: [Example("Those of one app", "till products list --bundle-id com.example.app")],
        exitCodes: [CatalogueOptions.missing, CatalogueOptions.unavailable],
        action: { arguments, context in
            let found = try await AdminConnection.withStore(arguments, context) { store in
                let bundles = if let one = arguments[bundle] { [one] } else { try await store.apps().map(\.bundleId) }
                var found: [AppProducts] = []
                for bundle in bundles {
                    found.append(AppProducts(bundleId: bundle, products: try await store.products(of: bundle)))
                }
                return found
            }
            if arguments[StandardOptions.json] { return try context.printJSON(["apps": found]) }
            for app in found {
                context.print("\(app.bundleId)")
                for product in app.products { context.print("  \(line(product))") }
            }
        })

    static let show = Command<TillProgram.Action>(
        "show", "Show a product with its texts and prices.", options: [StandardOptions.json],
        arguments: [CatalogueOptions.bundle, CatalogueOptions.product],
        examples: [Example("What it costs and where", "till products show com.example.app com.example.app.credits5")],
        exitCodes: [CatalogueOptions.missing, CatalogueOptions.unavailable],
        action: { arguments, context in
            let path =
                "\(CatalogueOptions.path(arguments[CatalogueOptions.bundle]))/products/\(arguments[CatalogueOptions.product])"
            let details = try await AdminConnection.withStore(arguments, context) { store in
                try await store.ask("GET", path, as: CatalogueDetailsAnswer.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(details) }
            for line in lines(details) { context.print(line) }
        })

    private struct AppProducts: Encodable {
        let bundleId: BundleID
        let products: [CatalogueProductAnswer]
    }

    static func line(_ product: CatalogueProductAnswer) -> String {
        var words = ["\(product.productId)", "\(product.type)", "item \(product.itemId)", product.state]
        if let period = product.period { words.append("\(period)") }
        if !product.isClearedForSale { words.append("not cleared for sale") }
        return words.joined(separator: ", ")
    }

    static func lines(_ details: CatalogueDetailsAnswer) -> [String] {
        var lines = [line(details.product), "  called \(PrintableText(details.product.referenceName, limit: 100))"]
        for (language, text) in details.texts.sorted(by: { $0.key < $1.key }) {
            let words = [text.title, text.description].map { PrintableText($0, limit: 500).description }
            lines.append("  \(language): \(words.filter { !$0.isEmpty }.joined(separator: " - "))")
        }
        // Most storefronts share a currency and a price.
        let byPrice = Dictionary(grouping: details.prices, by: \.value).map { price, entries in
            "  \(price.amount) \(price.currency): \(entries.map(\.key).sorted().joined(separator: " "))"
        }
        return lines + byPrice.sorted()
    }
}
