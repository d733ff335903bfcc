import CommandOptions
import Foundation
import StoreCatalogue
import StoreModel
import StoreServer

/// `till audit`
enum AuditCommand {
    private static let subject = Option<String?>.optional(
        "of", .text("SUBJECT"), help: "Only of team/ID, app/NUMBER or product/NUMBER.")
    private static let app = Option<BundleID?>.optional(
        "app", CatalogueOptions.bundleFormat, help: "Only of this app and its products.")
    private static let product = Option<ProductID?>.optional(
        "product", CatalogueOptions.productFormat, help: "Only of this product of the app.")
    private static let actor = Option<String?>.optional(
        "by", .text("NAME"), help: "Only by those in whose name this occurs: an address, a token, owner.")
    private static let kind = Option<AuditFilter.Kind?>.optional(
        "kind", .choice("KIND", of: AuditFilter.Kind.self), help: "Only changes of this kind.")
    private static let moment = ValueFormat<Instant>(
        "TIME", rule: "a day such as 2027-01-31, or a moment such as 2027-01-31T12:00:00Z", describe: { $0.rfc3339 },
        parse: { try? Instant(rfc3339: $0.count == 10 ? "\($0)T00:00:00Z" : $0) })
    private static let from = Option<Instant?>.optional("from", moment, help: "From this moment on.")
    private static let until = Option<Instant?>.optional("until", moment, help: "Before this moment.")
    private static let count = Option<Int>.defaulted("count", .integer(in: 1...1000), to: 20, help: "How many.")
    private static let differences = Option<Bool>.flag(
        "differences", help: "Say below each change what differs, field by field.")

    static let command = Command<TillProgram.Action>(
        "audit", "Show the newest changes of the catalogue, the newest last: who, when, and what was changed.",
        options: AdminConnection.options
            + [subject, app, product, actor, kind, from, until, count, differences] + ListOptions.all,
        examples: [
            Example("The last changes of a product", "till audit --of product/1000000002"),
            Example(
                "Prices of an app in a month, before and after",
                "till audit --app com.example.app --kind prices --from 2027-01-01 --until 2027-02-01 --differences"),
        ],
        exitCodes: [CatalogueOptions.missing, CatalogueOptions.unavailable, .badData.when("A value is refused.")],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let query = query(arguments)
        let page = try await AdminConnection.withStore(arguments, context) { store in
            try await store.ask("GET", CatalogueOptions.path + "/audit?\(query)", as: Page<AuditAnswer>.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(page) }
        if arguments[differences] {
            for entry in page.items.reversed() { for line in lines(entry) { context.print(line) } }
            return
        }
        context.printList(
            page.items.reversed(), as: CatalogueTables.audit, arguments,
            nothing: arguments[subject] == nil
                ? "Nothing was changed."
                : "Nothing of this subject was changed. One is team/ID, app/NUMBER or product/NUMBER.")
    }

    private static func query(_ arguments: ParsedArguments) -> String {
        let items: [(String, String?)] = [
            ("limit", "\(arguments[count])"), ("subject", arguments[subject]), ("bundleId", arguments[app]?.text),
            ("productId", arguments[product]?.text), ("actor", arguments[actor]), ("kind", arguments[kind]?.rawValue),
            ("from", arguments[from].map { "\($0.millisecondsSinceEpoch)" }),
            ("until", arguments[until].map { "\($0.millisecondsSinceEpoch)" }),
        ]
        return items.compactMap { name, value in value.map { "\(name)=\(SaleOptions.escaped($0))" } }
            .joined(separator: "&")
    }

    /// A change, and below it what differs.
    private static func lines(_ entry: AuditAnswer) -> [String] {
        let name = PrintableText(entry.name, limit: 100)
        return [
            "\(entry.at.rfc3339)  \(PrintableText(entry.actor, limit: 100))  \(name): \(PrintableText(entry.action, limit: 200))"
        ]
            + entry.differences.map { difference in
                "  \(PrintableText(difference.field, limit: 100)): \(text(difference.before)) -> \(text(difference.after))"
            }
    }

    private static func text(_ value: String?) -> String {
        guard let value, !value.isEmpty else { return "none" }
        return PrintableText(value, limit: 400).description
    }
}
