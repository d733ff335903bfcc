import CommandOptions
import Foundation
import StoreCatalogue
import StoreModel
import StoreRules
import StoreServer

/// `till review queue`, `changes` and `decide`: everything that waits, what it changes, and several decisions at once.
extension ReviewCommand {
    private static let versionOption = Option<String?>.optional(
        "version", .text("VERSION"), help: "A version of the app in place of a product.")
    private static let product = Argument<ProductID?>.optional(
        CatalogueOptions.productFormat, help: "The id of the product.")
    private static let approved = Argument<[String]>.rest(
        ValueFormat(
            "BUNDLE/PRODUCT", rule: "an app and one of its products, such as com.example.app/com.example.app.coins"
        ) {
            $0.split(separator: "/").count == 2 ? $0 : nil
        }, atLeastOne: true, help: "The products; what nobody has taken up yet is taken up.")

    static let queueing = Command<TillProgram.Action>(
        "queue", "List products, items and versions that wait, with how much each of them changes.",
        options: ListOptions.all, examples: [Example("All", "till review queue")],
        exitCodes: [CatalogueOptions.noStore, CatalogueOptions.unavailable],
        action: { arguments, context in
            let page = try await AdminConnection.withStore(arguments, context) { store in
                try await store.ask("GET", CatalogueOptions.path + "/review", as: Page<ReviewCaseAnswer>.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(page) }
            context.printList(
                page.items, as: CatalogueTables.reviewCases, arguments, nothing: "Nothing waits for a review.")
        })

    static let changes = Command<TillProgram.Action>(
        "changes", "Show what a submission changes of what was approved, word by word.",
        discussion: "What is taken away stands in [-brackets-], what is new in {+braces+}.",
        options: [versionOption, StandardOptions.json], arguments: [CatalogueOptions.bundle, product],
        examples: [
            Example("A product", "till review changes com.example.app com.example.app.credits5"),
            Example("A version", "till review changes com.example.app --version 1.2"),
        ],
        exitCodes: [CatalogueOptions.missing, CatalogueOptions.unavailable],
        action: { arguments, context in
            let base = CatalogueOptions.path(arguments[CatalogueOptions.bundle])
            let place: String
            switch (arguments[product], arguments[versionOption]) {
            case (let product?, nil): place = "/products/\(product)"
            case (nil, let version?): place = "/versions/\(SaleOptions.escaped(version))"
            default: throw CommandFailure(.usage, "name a product, or a version with --version")
            }
            let answer = try await AdminConnection.withStore(arguments, context) { store in
                try await store.ask("GET", base + place + "/review-changes", as: ReviewCaseAnswer.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(answer) }
            for line in lines(of: answer) { context.print(line) }
        })

    static let approvingSeveral = Command<TillProgram.Action>(
        "approve-all", "Approve several products at once: all of them or none.", options: [StandardOptions.json],
        arguments: [approved],
        examples: [
            Example(
                "Two",
                "till review approve-all com.example.app/com.example.app.coins com.example.app/com.example.app.club")
        ],
        exitCodes: [
            CatalogueOptions.missing, CatalogueOptions.unavailable,
            .failure.when("One is not in the state for it; none was approved."),
        ],
        action: { arguments, context in
            let decisions = try arguments[approved].map { name in
                let parts = name.split(separator: "/").map(String.init)
                guard let bundle = BundleID(parts[0]), let product = ProductID(parts[1]) else {
                    throw CommandFailure(.usage, "\(name) is no app and product")
                }
                return ReviewDecisionsRequest.Decision(
                    bundleId: bundle, productId: product, version: nil, isApproved: true)
            }
            let page = try await AdminConnection.withStore(arguments, context) { store in
                try await store.ask(
                    "POST", CatalogueOptions.path + "/review/decisions", ReviewDecisionsRequest(decisions),
                    as: Page<ReviewCaseAnswer>.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(page) }
            for answer in page.items { context.print("\(answer.bundleId) \(answer.productId?.text ?? ""): approved") }
        })

    private static func lines(of answer: ReviewCaseAnswer) -> [String] {
        let name = PrintableText(answer.name, limit: 100)
        guard !answer.changes.isEmpty else { return ["\(name): nothing differs from what was approved"] }
        return ["\(name): \(answer.isNew ? "new" : "\(answer.changes.count) changes")"]
            + answer.changes.map { "  \($0.field): \(words(from: $0.before ?? "", to: $0.after ?? ""))" }
    }

    /// The difference of two texts on one line.
    private static func words(from old: String, to new: String) -> String {
        WordDifference(from: old, to: new).pieces.map { piece in
            let text = PrintableText(piece.text, limit: 1000).description
            return switch piece {
            case .same: text
            case .removed: "[-\(text)-]"
            case .added: "{+\(text)+}"
            }
        }.joined()
    }
}
