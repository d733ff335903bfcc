import CommandOptions
import Foundation
import StoreModel
import StoreRules
import StoreServer

/// `till review`
enum ReviewCommand {
    private static let category = Option<String>.required(
        "category", .choice("CATEGORY", ProductCategory.known.map(\.rawValue).sorted()), help: "What the product is.")
    private static let delivers = Option<String>.required(
        "delivers", .text("TEXT"), help: "What customers get for it.")
    private static let someCategory = Option<String?>.optional(
        "category", .choice("CATEGORY", ProductCategory.known.map(\.rawValue).sorted()), help: "What the product is.")
    private static let someDelivers = Option<String?>.optional(
        "delivers", .text("TEXT"), help: "What customers get for it.")
    private static let version = Option<String?>.optional(
        "with", .text("VERSION"),
        help: "The version of the app that is submitted with it; the first of a kind needs one.")
    private static let note = Option<String?>.optional("note", .text("TEXT"), help: "For the reviewer.")
    private static let reason = Option<String>.required(
        "reason", .choice("REASON", RejectionReason.known.map(\.rawValue).sorted()), help: "Why it is rejected.")
    private static let message = Option<String?>.optional("message", .text("TEXT"), help: "To the developer.")
    private static let because = Option<String>.required("because", .text("TEXT"), help: "Why, to the developer.")

    static let command = Command<TillProgram.Action>(
        "review", "Submit products for review, and decide about them.",
        discussion: """
            The sandbox sells a product as soon as it is complete, production once it is approved. A change of what customers \
            read of an approved product is reviewed again; meanwhile production goes on with what was approved.
            """,
        options: AdminConnection.options,
        examples: [
            Example(
                "Submit one",
                "till review submit com.example.app com.example.app.credits5 --category content --delivers 'five credits'"
            ),
            Example("What waits for a decision", "till review list"),
        ],
        seeAlso: ["till products approve", "till apps"],
        subcommands: [
            Command(
                "list", "List what waits for a reviewer or is in review.", options: ListOptions.all,
                examples: [Example("For a program", "till review list --json")],
                exitCodes: [CatalogueOptions.noStore, CatalogueOptions.unavailable], action: list),
            product("show", "Show a product's review, and everything that happened to it.", "GET", "/review"),
            product(
                "submit", "Ask for a review of a product.", "POST", "/submission",
                options: [category, delivers, version, note],
                words: " --category content --delivers 'five credits'"
            ) {
                SubmissionRequest(
                    category: $0[category], delivers: $0[delivers], version: $0[version], note: $0[note])
            },
            product(
                "prepare", "Keep what a reviewer will be told of a product, without submitting it.", "PUT",
                "/submission", options: [someCategory, someDelivers, note],
                words: " --category content --delivers 'five credits'"
            ) {
                ReviewFactsRequest(category: $0[someCategory], delivers: $0[someDelivers], note: $0[note])
            },
            checking, queueing, changes, approvingSeveral,
            product("withdraw", "Take a submission back.", "DELETE", "/submission"),
            product("begin", "Take a product up for review.", "POST", "/review"),
            product("approve", "Approve a product that is in review.", "POST", "/decision") { _ in
                DecisionRequest(isApproved: true)
            },
            product(
                "reject", "Reject a product that is in review.", "POST", "/decision", options: [reason, message],
                words: " --reason metadata --message 'the title is not what it sells'"
            ) { DecisionRequest(isApproved: false, reason: $0[reason], message: $0[message]) },
            product(
                "remove", "Take an approved product off the shelves.", "PUT", "/removal", options: [because],
                words: " --because 'it does not work'"
            ) { ReasonRequest(reason: $0[because]) },
            product("put-back", "Put a product back that was taken off the shelves.", "DELETE", "/removal"),
        ])

    private static func product(
        _ word: String, _ summary: String, _ method: String, _ path: String, options: [any OptionDeclaration] = [],
        words: String = "", body: (@Sendable (ParsedArguments) -> any Encodable & Sendable)? = nil
    ) -> Command<TillProgram.Action> {
        Command(
            word, summary, options: options + [StandardOptions.json],
            arguments: [CatalogueOptions.bundle, CatalogueOptions.product],
            examples: [Example("One", "till review \(word) com.example.app com.example.app.credits5\(words)")],
            exitCodes: [
                CatalogueOptions.missing, CatalogueOptions.unavailable, .badData.when("A value is refused."),
                .failure.when("The product is not in the state for it; the message says in which it is."),
            ],
            action: { arguments, context in
                let place =
                    "\(CatalogueOptions.path(arguments[CatalogueOptions.bundle]))/products/"
                    + "\(arguments[CatalogueOptions.product])\(path)"
                let name = "\(arguments[CatalogueOptions.bundle]) \(arguments[CatalogueOptions.product])"
                let answer = try await AdminConnection.withStore(arguments, context) { store in
                    guard let body else { return try await store.ask(method, place, as: ReviewAnswer.self) }
                    let bytes = try Array(JSONEncoder().encode(body(arguments)))
                    do {
                        return try await store.ask(method, place, bytes: bytes, as: ReviewAnswer.self)
                    } catch {
                        throw advised(error, word, of: name)
                    }
                }
                if arguments[StandardOptions.json] { return try context.printJSON(answer) }
                for line in lines(answer, of: arguments[CatalogueOptions.bundle]) { context.print(line) }
            })
    }

    private static func list(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let page = try await AdminConnection.withStore(arguments, context) { store in
            try await store.ask("GET", CatalogueOptions.path + "/reviews", as: Page<ReviewAnswer>.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(page) }
        context.printList(page.items, as: CatalogueTables.reviews, arguments, nothing: "Nothing waits for a review.")
    }

    private static func line(_ answer: ReviewAnswer) -> String {
        "\(answer.product.productId)  \(answer.product.state.replacing("_", with: " "))"
            + (answer.version.map { ", with version \(PrintableText($0, limit: 30))" } ?? "")
            + (answer.category.map { ", \($0)" } ?? "")
            + (answer.delivers.map { ": \(PrintableText($0, limit: 200))" } ?? "")
    }

    /// What goes on with a product, and with the version that it was submitted with.
    private static func advice(_ answer: ReviewAnswer, _ bundle: BundleID) -> [String] {
        let version = answer.version.map { PrintableText($0, limit: 30) }
        let name = "\(bundle) \(answer.product.productId)"
        switch ProductState(rawValue: answer.product.state) {
        case .waitingForReview:
            return (version.map { ["  version \($0) is submitted with it; a reviewer decides about both"] } ?? [])
                + ["  next, a reviewer takes it up: till review begin \(name)"]
        case .inReview: return ["  next, a reviewer approves it, or rejects it: till review approve \(name)"]
        case .pendingBinaryApproval:
            return version.map { ["  waits for its version: till versions approve \(bundle) \($0)"] } ?? []
        default: return []
        }
    }

    /// A refusal, with the command that lists everything that is missing.
    private static func advised(_ error: any Error, _ word: String, of name: String) -> any Error {
        guard word == "submit", let failure = error as? CommandFailure, failure.exitCode == .failure else {
            return error
        }
        return CommandFailure(.failure, "\(failure.message) All that it needs: till review check \(name)")
    }

    private static func lines(_ answer: ReviewAnswer, of bundle: BundleID) -> [String] {
        [line(answer)] + advice(answer, bundle)
            + (answer.note.map { ["  note: \(PrintableText($0, limit: 400))"] } ?? [])
            + (answer.history ?? []).map { entry in
                let reason = entry.reason.map { " (\($0.replacing("_", with: " ")))" } ?? ""
                let message = entry.message.map { ": \(PrintableText($0, limit: 400))" } ?? ""
                return "  \(entry.at.rfc3339)  \(PrintableText(entry.actor, limit: 100))  \(entry.event) -> "
                    + "\(entry.state.replacing("_", with: " "))\(reason)\(message)"
            }
    }
}
