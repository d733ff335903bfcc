import CommandOptions
import Foundation
import StoreModel
import StoreService

/// `till products import`
enum ProductsImport {
    private static let file = Argument<String>.required(.file(), help: "A .storekit file; - reads standard input.")
    private static let bundle = Option<BundleID>.required(
        "bundle-id", CatalogueOptions.bundleFormat, help: "The app; it is made if there is none.")
    private static let name = Option<String?>.optional(
        "name", .text("NAME"), help: "The name of an app that is made; else its bundle id.")
    private static let approved = Option<Bool>.flag("approved", help: "Let production sell the products too.")

    static let command = Command<TillProgram.Action>(
        "import", "Bring the products of an app up to a .storekit file.",
        discussion: """
            All of the file is taken or nothing; a mistake is named by its place in the file. Importing a file twice changes \
            nothing. Products, texts and prices that the file does not have stay as they are.

            The prices of a file are in the currency of its storefront (that of the United States if it names none), and \
            hold in every storefront with this currency. Others are set by: till products price
            """,
        options: [bundle, name, approved, StandardOptions.json], arguments: [file],
        examples: [
            Example(
                "Sell the products of a file in the sandbox",
                "till products import Example.storekit --bundle-id com.example.app")
        ],
        exitCodes: [
            .badData.when("The file is not what it should be; nothing was imported."),
            .inputMissing.when("The file cannot be read, or there is no store."),
            CatalogueOptions.unavailable,
            .failure.when("A product is of another kind in the catalogue, or was removed; nothing was imported."),
        ],
        seeAlso: ["till products price", "till provision"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let bytes = try InputFile.read(arguments[file], limit: StoreKitFileLimits.bytes)
        var query = URLComponents()
        query.queryItems = [URLQueryItem(name: "approved", value: arguments[approved] ? "true" : "false")]
        if let name = arguments[name] { query.queryItems?.append(URLQueryItem(name: "name", value: name)) }
        let items = (query.percentEncodedQuery ?? "").replacing("+", with: "%2B")
        let path = "\(CatalogueOptions.path(arguments[bundle]))/import?\(items)"
        let report = try await AdminConnection.withStore(arguments, context) { store in
            try await store.ask("PUT", path, bytes: bytes, as: ImportReport.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(report) }
        for line in lines(report) { context.print(line) }
    }

    static func lines(_ report: ImportReport) -> [String] {
        var lines = ["\(report.bundleId): app \(report.appId)\(report.isNewApp ? ", made" : "")"]
        for (word, ids) in [
            ("added", report.added), ("changed", report.changed), ("unchanged", report.unchanged),
            ("not in the file, kept", report.kept),
        ] where !ids.isEmpty {
            lines.append("\(word): \(ids.map(\.text).joined(separator: ", "))")
        }
        if report.added.isEmpty && report.changed.isEmpty { lines.append("nothing changed") }
        for (what, count) in report.omitted.sorted(by: { $0.key < $1.key }) {
            lines.append("not taken yet: \(count) \(what)")
        }
        return lines
    }
}
