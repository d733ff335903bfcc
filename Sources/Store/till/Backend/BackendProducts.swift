import CommandOptions
import Foundation
import StoreBackend
import StoreModel

/// `till backend products`
enum BackendProducts {
    static let command = Command<TillProgram.Action>(
        "products", "What apps may offer: the list that your own server gives them.",
        examples: [
            Example("Publish a list", "till backend products publish products.json"),
            Example(
                "Change what is published",
                "till backend products show com.example.magazines --json > products.json"),
        ],
        subcommands: [publish, show, unknown])

    /// The longest list that is read.
    private static let listBytes = 8 << 20

    private static let file = Argument<String>.required(
        .file(), help: "The list, in JSON; - reads standard input.")

    private static let publish = Command<TillProgram.Action>(
        "publish", "Publish a list of products; apps that run get it the next time they ask.",
        discussion: """
            The file has the bundle id of the app and its products in the order in which they are shown: {"bundleId": \
            "com.example.magazines", "products": [{"productId": "com.example.magazines.may", "kind": "Non-Consumable", \
            "content": "may"}]}. A product may also have a title, a credit ({"name": "coins", "amount": 5}) that one unit \
            of it adds to a balance, subscriptions that it is includedIn, a minimumAppVersion and a maximumAppVersion, a \
            period, and a minimumPeriod with its minimumPeriodReason. The same list again changes nothing. What a list leaves \
            out is offered no longer, and given as before to those who paid for it.
            """,
        options: BackendOptions.place + [StandardOptions.json], arguments: [file],
        examples: [Example("A file", "till backend products publish products.json")],
        exitCodes: [.badData.when("The list breaks a rule; nothing is published."), .inputMissing, .inputOutput],
        seeAlso: ["till backend content"],
        action: { arguments, context in
            let list = try read(arguments[file])
            let published = try await BackendFolder.open(
                arguments, context, apps: [list.bundleID], beginning: true
            ) { backend in
                let published = try await backend.publish(list, at: context.now)
                let contents = Set(try await backend.contents().map(\.name))
                for sentence in published.warnings(contents: contents) { context.printError(sentence) }
                return published
            }
            if arguments[StandardOptions.json] { return try context.printJSON(published) }
            let count = published.products.count
            context.print(
                "Version \(published.version) of the list of \(published.bundleID) has \(count) product\(count == 1 ? "" : "s")."
            )
        })

    private static let show = Command<TillProgram.Action>(
        "show", "Show the list of an app.", options: BackendOptions.place + [StandardOptions.json],
        arguments: [BackendOptions.bundle],
        examples: [Example("As people read it", "till backend products show com.example.magazines")],
        exitCodes: [BackendFolder.missing(or: "no list of the app"), .inputOutput],
        seeAlso: ["till backend products publish"],
        action: { arguments, context in
            let app = arguments[BackendOptions.bundle]
            let list = try await BackendFolder.open(arguments, context, apps: [app]) {
                try await newestList(of: app, in: $0)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(list) }
            context.printList(list.products, as: table, arguments, nothing: "The list has no products.")
        })

    /// The newest list of an app; throws if it has none.
    private static func newestList(of app: BundleID, in backend: Backend) async throws -> ProductList {
        let list = try await backend.productList(of: app)
        guard list.version > 0 else {
            throw CommandFailure(
                .inputMissing, "no list of \(app) is published here; publish one by: till backend products publish FILE"
            )
        }
        return list
    }

    private static var table: ListTable<ListedProduct> {
        ListTable(
            .value("PRODUCT") { $0.productID.text }, .value("KIND") { $0.kind.rawValue }, .text("TITLE") { $0.title },
            .value("CREDIT") { $0.credit.map { "\($0.amount) \($0.name)" } }, .value("CONTENT") { $0.content },
            .value("VERSION") { $0.contentVersion })
    }

    private static let unknown = Command<TillProgram.Action>(
        "unknown", "Show the listed products that the store did not know when apps asked for their prices.",
        options: BackendOptions.place + [StandardOptions.json], arguments: [BackendOptions.bundle],
        examples: [Example("For a script", "till backend products unknown com.example.magazines --json")],
        exitCodes: [BackendFolder.missing(or: "no list of the app"), .inputOutput], seeAlso: ["till why"],
        action: { arguments, context in
            let app = arguments[BackendOptions.bundle]
            let found = try await BackendFolder.open(arguments, context, apps: [app]) { backend in
                _ = try await newestList(of: app, in: backend)
                return try await backend.unknownProducts(of: app)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found.map(UnknownProductReport.init)) }
            let table = ListTable<UnknownProduct>(
                .value("PRODUCT") { $0.productID.text }, .number("REPORTS") { "\($0.reports)" },
                .value("FIRST") { $0.firstReported.rfc3339 }, .value("LAST") { $0.lastReported.rfc3339 })
            context.printList(found, as: table, arguments, nothing: "The store knew every product that apps asked for.")
        })

    private static func read(_ path: String) throws -> ProductList {
        let bytes = try InputFile.read(path, limit: listBytes)
        guard bytes.count <= listBytes else { throw CommandFailure(.badData, "the list is longer than 8 MiB") }
        return try ProductListFile.read(bytes)
    }
}

extension ProductList {
    /// What is published all right and cannot be delivered yet.
    ///
    /// - Parameter contents: the names of the contents that there are.
    func warnings(contents: Set<String>) -> [String] {
        products.compactMap { product in
            if let name = product.content, !contents.contains(name) {
                return "There is no content \(PrintableText(name, limit: 100)) of \(product.productID) yet; add it by: "
                    + "till backend content add \(PrintableText(name, limit: 100)) FILE --version 1.0"
            }
            guard product.kind == .consumable, product.credit == nil else { return nil }
            return
                "\(product.productID) credits nothing: what is bought of it waits until it has a credit in the list"
        }
    }
}

/// A listed product that the store did not know, for programs.
private struct UnknownProductReport: Encodable {
    let productId: ProductID
    let reports: Int64
    let firstReported: Instant
    let lastReported: Instant

    init(_ product: UnknownProduct) {
        productId = product.productID
        reports = product.reports
        firstReported = product.firstReported
        lastReported = product.lastReported
    }
}

/// A list of products in a file that people write.
enum ProductListFile {
    private static let members: Set<String> = ["bundleId", "version", "products", "entityTag"]
    private static let productMembers: Set<String> = [
        "productId", "kind", "title", "credit", "content", "includedIn", "minimumAppVersion", "maximumAppVersion",
        "period",
        "minimumPeriod", "minimumPeriodReason", "contentVersion", "contentBytes",
    ]

    /// Reads a list. A member that has no meaning is refused, because it is nearly always a name that was mistyped.
    static func read(_ bytes: [UInt8]) throws -> ProductList {
        let data = Data(bytes)
        guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw CommandFailure(.badData, "the list is no object of JSON")
        }
        let products = object["products"] as? [[String: Any]] ?? []
        let strange = Set(object.keys).subtracting(members)
            .union(products.flatMap { Set($0.keys).subtracting(productMembers) })
        if let name = strange.min() {
            throw CommandFailure(.badData, "no list of products has a member \(PrintableText(name, limit: 100))")
        }
        do {
            return try JSONDecoder().decode(ProductList.self, from: data)
        } catch let error as DecodingError {
            throw CommandFailure(.badData, "the list cannot be read: \(sentence(error))")
        }
    }

    private static func sentence(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): "\(path(context, key)) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context): "\(path(context)) is of another kind"
        case .dataCorrupted(let context): "\(path(context)) is not a possible value"
        @unknown default: "it has not the right form"
        }
    }

    private static func path(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
        let path = (context.codingPath + [key].compactMap(\.self)).reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
        return path.isEmpty ? "the list" : path
    }
}
