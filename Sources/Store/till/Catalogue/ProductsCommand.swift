import CommandOptions
import Foundation
import StoreModel
import StoreRules
import StoreServer
import StoreService

/// `till products`
enum ProductsCommand {
    static let command = Command<TillProgram.Action>(
        "products", "Import products, price and approve them, and look at them.",
        discussion: """
            The catalogue is the same in both environments: the sandbox sells what is ready, production what is approved. \
            A change of what production sells is a draft, by which the sandbox sells at once and production once it is \
            published: till catalogue drafts. Everything works whether the store runs or not.
            """,
        options: AdminConnection.options,
        examples: [
            Example(
                "Sell the products of an app in the sandbox",
                "till products import Example.storekit --bundle-id com.example.app"),
            Example("Let production sell one too", "till products approve com.example.app com.example.app.credits5"),
        ],
        subcommands: [
            CatalogueCommand.importing(as: "products"), ProductsList.list, ProductsList.show, ProductsPrice.command,
            changing("approve", "Let production sell products.", "POST", "approval", drafts: false),
            changing("clear", "Put products back on the shelves.", "POST", "clearance"),
            changing("withhold", "Take products off the shelves.", "DELETE", "clearance"),
            Command(
                "remove", "Remove products for good; customers keep what they bought.",
                discussion: "The ids of products that were removed are never used again.",
                options: [CatalogueOptions.publish, StandardOptions.json],
                arguments: [CatalogueOptions.bundle, CatalogueOptions.products],
                examples: [Example("One product", "till products remove com.example.app com.example.app.credits5")],
                exitCodes: [CatalogueOptions.missing, CatalogueOptions.unavailable], action: remove),
        ] + ProductsEntry.commands)

    private static func changing(
        _ name: String, _ abstract: String, _ method: String, _ noun: String, drafts: Bool = true
    ) -> Command<TillProgram.Action> {
        Command(
            name, abstract, options: (drafts ? [CatalogueOptions.publish] : []) + [StandardOptions.json],
            arguments: [CatalogueOptions.bundle, CatalogueOptions.products],
            examples: [Example("One product", "till products \(name) com.example.app com.example.app.credits5")],
            exitCodes: [CatalogueOptions.missing, CatalogueOptions.unavailable],
            action: { arguments, context in
                let answers = try await AdminConnection.withStore(arguments, context) { store in
                    var answers: [CatalogueProductAnswer] = []
                    for path in try await paths(arguments, store) {
                        answers.append(
                            try await store.ask(
                                method, "\(path)/\(noun)" + (drafts ? CatalogueOptions.publication(arguments) : ""),
                                as: CatalogueDetailsAnswer.self
                            ).product)
                    }
                    return answers
                }
                if arguments[StandardOptions.json] { return try context.printJSON(Page(answers)) }
                for answer in answers {
                    context.print(ProductsList.line(answer))
                    ProductsList.draft(answer, of: arguments[CatalogueOptions.bundle]).map(context.print)
                }
            })
    }

    private static func remove(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let drafted = try await AdminConnection.withStore(arguments, context) { store in
            var drafted: [ProductID] = []
            for path in try await paths(arguments, store) {
                try await store.send("DELETE", path + CatalogueOptions.publication(arguments))
                do {
                    drafted.append(try await store.ask("GET", path + "/draft", as: DraftAnswer.self).productId)
                } catch let failure as CommandFailure where failure.exitCode == .inputMissing {
                    // Nothing waits: it is removed in both environments.
                }
            }
            return drafted
        }
        let products = named(arguments)
        if arguments[StandardOptions.json] { return try context.printJSON(["removed": products]) }
        for product in products { context.print("removed \(product)") }
        guard !drafted.isEmpty else { return }
        let names = drafted.map(\.text).joined(separator: " ")
        context.print(
            "production goes on with it until: till catalogue publish \(arguments[CatalogueOptions.bundle]) \(names)")
    }

    /// The named products, without duplicates.
    private static func named(_ arguments: ParsedArguments) -> [ProductID] {
        var seen: Set<ProductID> = []
        return arguments[CatalogueOptions.products].filter { seen.insert($0).inserted }
    }

    /// The paths of the products, after checking that all exist, so either all or none are changed.
    private static func paths(_ arguments: ParsedArguments, _ store: AdminConnection) async throws -> [String] {
        let bundle = arguments[CatalogueOptions.bundle]
        let app = CatalogueOptions.path(bundle)
        _ = try await store.ask("GET", app, as: CatalogueAppAnswer.self)
        var (paths, unknown): ([String], [ProductID]) = ([], [])
        for product in named(arguments) {
            let path = "\(app)/products/\(product)"
            do {
                _ = try await store.ask("GET", path, as: CatalogueDetailsAnswer.self)
                paths.append(path)
            } catch let failure as CommandFailure where failure.exitCode == .inputMissing {
                unknown.append(product)
            }
        }
        guard unknown.isEmpty else {
            let names = unknown.map(\.text).joined(separator: ", ")
            throw CommandFailure(.inputMissing, "\(bundle) has no product \(names); nothing was changed")
        }
        return paths
    }
}

/// `till products list` and `till products show`
enum ProductsList {
    private static let bundle = Option<BundleID?>.optional(
        "bundle-id", CatalogueOptions.bundleFormat, help: "Of this app only.")

    static let list = Command<TillProgram.Action>(
        "list", "List the products.", options: [bundle] + ListOptions.all,
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
            if arguments[StandardOptions.json] { return try context.printJSON(Page(found)) }
            let rows = found.flatMap { app in app.products.map { (app: app.bundleId, product: $0) } }
            context.printList(
                rows, as: CatalogueTables.products(severalApps: found.count > 1), arguments,
                nothing: "There are no products. To enter some: till products import FILE")
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
            for line in lines(details, of: arguments[CatalogueOptions.bundle]) { context.print(line) }
        })

    private struct AppProducts: Codable, Hashable {
        let bundleId: BundleID
        let products: [CatalogueProductAnswer]
    }

    static func line(_ product: CatalogueProductAnswer) -> String {
        let title = product.title.map { "\(PrintableText($0, limit: 100))" } ?? ""
        var words = ["\(product.productId)"] + (title.isEmpty ? [] : [title])
        if let price = product.price { words.append("\(price.amount) \(price.currency)") }
        words += ["\(product.type)", "item \(product.itemId)", product.state.replacing("_", with: " ")]
        if let period = product.period { words.append("\(period)") }
        if !product.isClearedForSale { words.append("not cleared for sale") }
        return words.joined(separator: ", ")
    }

    static func lines(_ details: CatalogueDetailsAnswer, of bundle: BundleID) -> [String] {
        var lines = [line(details.product), "  called \(PrintableText(details.product.referenceName, limit: 100))"]
        if let draft = draft(details.product, of: bundle) { lines.append(draft) }
        for (language, text) in details.texts.sorted(by: { $0.key < $1.key }) {
            let words = [text.title, text.description].map { PrintableText($0, limit: 500).description }
            let shown = words.filter { !$0.isEmpty }.joined(separator: " - ")
            lines.append("  \(language): \(shown.isEmpty ? "no title" : shown)")
        }
        lines += details.images.map {
            "  \($0.kind): \($0.width) × \($0.height), \($0.mediaType)"
                + ($0.awaitsApproval ? ", in production once it is approved" : "")
        }
        lines += prices(details)
        let unpriced = details.unpricedStorefronts.count
        if unpriced > 0 {
            let dollars = details.prices["USA"]?.amount ?? "0.99"
            lines.append("  \(Self.unpriced(unpriced, details.product.productId, of: bundle, dollars: dollars))")
        }
        return lines
    }

    /// That production does not sell by what was changed, and the command that lets it; nil where it does.
    static func draft(_ product: CatalogueProductAnswer, of bundle: BundleID) -> String? {
        product.draftedAt.map { _ in
            let name = "\(bundle) \(product.productId)"
            return product.removedAt == nil
                ? "  a draft: production sells by it after: till catalogue publish \(name)"
                : "  removed in a draft; production sells it until: till catalogue publish \(name)"
        }
    }

    private static func prices(_ details: CatalogueDetailsAnswer) -> [String] {
        var lines: [String] = []
        if let group = details.product.groupId {
            let level = details.product.level.map { ", level \($0)" } ?? ""
            lines.append("  group \(group)\(level)")
        }
        if details.product.isFamilyShareable { lines.append("  shared with the family") }
        if details.product.hostsContent { lines.append("  its content is hosted here") }
        if let base = details.basePrice { lines.append("  \(base.amount) \(base.currency), or what that comes to") }
        lines.append("  sold in \(places(Set(details.prices.keys)))")
        let own = details.prices.filter { !$0.value.isDerived }
        // Most storefronts share a currency and a price.
        let byPrice = Dictionary(grouping: own, by: \.value).sorted { $0.key.currency.code < $1.key.currency.code }
        for (price, entries) in byPrice {
            lines.append("  \(price.amount) \(price.currency) in \(places(Set(entries.map(\.key))))")
        }
        if !details.withdrawnStorefronts.isEmpty {
            lines.append("  taken out of \(details.withdrawnStorefronts.joined(separator: ", "))")
        }
        return lines
    }

    /// Storefronts in few words.
    private static func places(_ codes: Set<String>) -> String {
        let all = Set(StorefrontRecord.all.map(\.alpha3))
        let missing = all.subtracting(codes).sorted()
        if missing.isEmpty { return "all \(all.count) storefronts" }
        if missing.count <= mostNamed { return "all storefronts but \(missing.joined(separator: ", "))" }
        if codes.count > mostNamed { return "\(codes.count) of \(all.count) storefronts (till prices list has them)" }
        return codes.isEmpty ? "no storefront" : codes.sorted().joined(separator: ", ")
    }

    private static let mostNamed = 12

    /// That a product lacks prices, and the command that mends it.
    static func unpriced(_ count: Int, _ product: ProductID, of bundle: BundleID, dollars: String = "0.99") -> String {
        let all = StorefrontRecord.all.count
        let words = count == all ? "no price" : "no price in \(count) of \(all) storefronts"
        return
            "\(product) has \(words); to sell it everywhere: till products price \(bundle) \(product) USA \(dollars) --everywhere"
    }
}

/// `till products price`
enum ProductsPrice {
    private static let amount = Argument<String>.required(
        ValueFormat("AMOUNT", rule: "an amount such as 0.99 in the storefront's currency, none or derived") { text in
            ["none", derived].contains(text) || text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
                ? text : nil
        },
        help:
            "What it costs there; none takes the product out of the storefront, derived sells it for what its price elsewhere "
            + "comes to.")
    private static let derived = PriceRequest.derived
    private static let everywhere = Option<Bool>.flag(
        "everywhere", help: "Price all storefronts: the others sell it for what the amount comes to in their currency.")

    /// More digits than any price has, and fewer than would overflow.
    private static let mostUnitDigits = 15

    static let command = Command<TillProgram.Action>(
        "price", "Set what a product costs in a storefront, or in all of them.",
        discussion: """
            With --everywhere the amount is the base price of the product. Prices that were set for storefronts of another \
            currency stay, and so do the storefronts that the product was taken out of.

            What a price comes to in another currency says our own table of price points, of \(PriceTable.date). It follows no \
            exchange rate.
            """,
        options: [everywhere, CatalogueOptions.publish, StandardOptions.json],
        arguments: [CatalogueOptions.bundle, CatalogueOptions.product, CatalogueOptions.storefront, amount],
        examples: [
            Example(
                "Sell it everywhere",
                "till products price com.example.app com.example.app.credits5 USA 0.99 --everywhere"),
            Example(
                "Yen have no smaller unit", "till products price com.example.app com.example.app.credits5 JPN 160"),
        ],
        exitCodes: [
            CatalogueOptions.missing, CatalogueOptions.unavailable,
            .badData.when("The amount is too large, or has more digits than the currency."),
        ],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let units = arguments[amount].prefix { $0 != "." }.drop { $0 == "0" }
        let isAmount = !["none", derived].contains(arguments[amount])
        guard isAmount || !arguments[everywhere] else {
            throw CommandFailure(.usage, "--everywhere needs an amount, such as 0.99")
        }
        guard !isAmount || units.count <= mostUnitDigits else {
            throw CommandFailure(
                .badData, "the amount is too large: no price has more than \(mostUnitDigits) digits before the point")
        }
        let product = "products/\(arguments[CatalogueOptions.product])"
        let (bundle, storefront) = (arguments[CatalogueOptions.bundle], arguments[CatalogueOptions.storefront])
        let path = "\(CatalogueOptions.path(bundle))/\(product)"
        let publication = CatalogueOptions.publication(arguments)
        let price = "\(path)/prices/\(storefront.alpha3)\(publication)"
        let details = try await AdminConnection.withStore(arguments, context) { store in
            if arguments[everywhere] {
                let base = BasePrice(amount: arguments[amount], currency: storefront.currency)
                return try await store.ask("PUT", "\(path)/price\(publication)", base, as: CatalogueDetailsAnswer.self)
            }
            return arguments[amount] == "none"
                ? try await store.ask("DELETE", price, as: CatalogueDetailsAnswer.self)
                : try await store.ask(
                    "PUT", price, PriceRequest(amount: arguments[amount]), as: CatalogueDetailsAnswer.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(details) }
        for line in ProductsList.lines(details, of: bundle) { context.print(line) }
    }
}
