import CommandOptions
import StoreModel
import StoreServer

/// `till products`
enum ProductsCommand {
    static let command = Command<TillProgram.Action>(
        "products", "Import products, price and approve them, and look at them.",
        discussion: """
            The catalogue is the same in both environments: the sandbox sells what is ready, production what is approved. \
            Everything works whether the store runs or not.
            """,
        options: AdminConnection.options,
        examples: [
            Example(
                "Sell the products of an app in the sandbox",
                "till products import Example.storekit --bundle-id com.example.app"),
            Example("Let production sell one too", "till products approve com.example.app com.example.app.credits5"),
        ],
        subcommands: [
            ProductsImport.command, ProductsList.list, ProductsList.show, ProductsPrice.command,
            changing("approve", "Let production sell products.", "approve"),
            changing("clear", "Put products back on the shelves.", "clear"),
            changing("withhold", "Take products off the shelves, in both environments.", "withhold"),
            Command(
                "remove", "Remove products for good; whoever bought one keeps it.",
                discussion: "The ids of products that were removed are never used again.",
                options: [StandardOptions.json], arguments: [CatalogueOptions.bundle, CatalogueOptions.products],
                examples: [Example("One product", "till products remove com.example.app com.example.app.credits5")],
                exitCodes: [CatalogueOptions.missing, CatalogueOptions.unavailable], action: remove),
        ])

    private static func changing(
        _ name: String, _ abstract: String, _ verb: String
    ) -> Command<TillProgram.Action> {
        Command(
            name, abstract, options: [StandardOptions.json],
            arguments: [CatalogueOptions.bundle, CatalogueOptions.products],
            examples: [Example("One product", "till products \(name) com.example.app com.example.app.credits5")],
            exitCodes: [CatalogueOptions.missing, CatalogueOptions.unavailable],
            action: { arguments, context in
                let answers = try await AdminConnection.withStore(arguments, context) { store in
                    var answers: [CatalogueProductAnswer] = []
                    for path in try await paths(arguments, store) {
                        answers.append(
                            try await store.ask("POST", "\(path)/\(verb)", as: CatalogueDetailsAnswer.self).product)
                    }
                    return answers
                }
                if arguments[StandardOptions.json] { return try context.printJSON(["products": answers]) }
                for answer in answers { context.print(ProductsList.line(answer)) }
            })
    }

    private static func remove(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        try await AdminConnection.withStore(arguments, context) { store in
            for path in try await paths(arguments, store) { try await store.tell("DELETE", path) }
        }
        let products = named(arguments)
        if arguments[StandardOptions.json] { return try context.printJSON(["removed": products]) }
        for product in products { context.print("removed \(product)") }
    }

    /// The products that are named, each once.
    private static func named(_ arguments: ParsedArguments) -> [ProductID] {
        var seen: Set<ProductID> = []
        return arguments[CatalogueOptions.products].filter { seen.insert($0).inserted }
    }

    /// Where the products are, after a look whether all of them are there: nothing is changed before.
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
