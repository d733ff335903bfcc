import CommandOptions
import StoreModel
import StoreServer
import StoreService

/// `till ratings`
enum RatingsCommand {
    static let command = Command<TillProgram.Action>(
        "ratings", "Look at what customers say of items, decide about what was reported, and answer.",
        discussion: """
            A review that was reported stays on its page until somebody decides. One that was taken off counts no more; when its \
            customer changes it, it waits for another decision.
            """,
        options: SaleOptions.all,
        examples: [
            Example("What was reported", "till ratings queue"),
            Example("Take one off", "till ratings hide 1 --because 'it advertises something else'"),
        ],
        seeAlso: ["till items"],
        subcommands: [
            queue, list, show, decide("keep", "Keep a review on its page.", []),
            decide("hide", "Take a review off its page.", [because]), answer, takeBack,
        ])

    private static let review = Argument<String>.required(
        ValueFormat("NUMBER", rule: "the number of a review, as till ratings list shows it", explainsRule: false) {
            ReviewID($0) == nil ? nil : $0
        }, help: "The number of the review.")
    private static let because = Option<String>.required("because", .text("TEXT"), help: "Why, for the history.")
    private static let text = Argument<String>.required(.text("TEXT"), help: "What you answer.")

    private static let exits = SaleOptions.exits + [.badData.when("A value is refused.")]

    private static func path(_ arguments: ParsedArguments) -> String {
        SaleOptions.path(arguments) + "/customer-reviews"
    }

    private static func one(_ arguments: ParsedArguments) -> String { "\(path(arguments))/\(arguments[review])" }

    private static let queue = Command<TillProgram.Action>(
        "queue", "List the reviews that somebody has to decide about, the oldest first.", options: ListOptions.all,
        examples: [Example("All", "till ratings queue")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.all(path(arguments), of: CustomerReviewMessage.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(Page(found)) }
            context.printList(found, as: table, arguments, nothing: "Nobody waits for a decision about a review.")
        })

    private static let list = Command<TillProgram.Action>(
        "list", "List what customers wrote of an item, also what is not shown.", options: ListOptions.all,
        arguments: [ItemsCommand.storeID], examples: [Example("Of one item", "till ratings list 1000000010")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let place = "\(SaleOptions.path(arguments))/items/\(arguments[ItemsCommand.storeID])/customer-reviews"
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.all(place, of: CustomerReviewMessage.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(Page(found)) }
            context.printList(found, as: table, arguments, nothing: "Nobody has written anything yet.")
        })

    private static let show = Command<TillProgram.Action>(
        "show", "Show a review.", options: [StandardOptions.json], arguments: [review],
        examples: [Example("One", "till ratings show 1")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            try await tell(arguments, context) {
                try await $0.ask("GET", one(arguments), as: CustomerReviewMessage.self)
            }
        })

    private static func decide(
        _ word: String, _ summary: String, _ options: [any OptionDeclaration]
    ) -> Command<TillProgram.Action> {
        let reasons = options.isEmpty ? "" : " --because 'it names somebody'"
        return Command(
            word, summary, options: options + [StandardOptions.json], arguments: [review],
            examples: [Example("One", "till ratings \(word) 1\(reasons)")], exitCodes: exits,
            action: { arguments, context in
                let wanted = ReviewDecisionRequest(
                    decision: word, reason: word == "hide" ? arguments[because] : nil)
                try await tell(arguments, context) {
                    try await $0.ask("POST", one(arguments) + "/decision", wanted, as: CustomerReviewMessage.self)
                }
            })
    }

    private static let answer = Command<TillProgram.Action>(
        "answer", "Answer a review, in place of a former answer.", options: [StandardOptions.json],
        arguments: [review, text], examples: [Example("One", "till ratings answer 1 'It is mended in 1.1.'")],
        exitCodes: exits,
        action: { arguments, context in
            let wanted = ReviewAnswerRequest(answer: arguments[text])
            try await tell(arguments, context) {
                try await $0.ask("PUT", one(arguments) + "/answer", wanted, as: CustomerReviewMessage.self)
            }
        })

    private static let takeBack = Command<TillProgram.Action>(
        "unanswer", "Take the answer to a review back.", options: [StandardOptions.json], arguments: [review],
        examples: [Example("One", "till ratings unanswer 1")], exitCodes: exits,
        action: { arguments, context in
            try await tell(arguments, context) {
                try await $0.ask("DELETE", one(arguments) + "/answer", as: CustomerReviewMessage.self)
            }
        })

    // MARK: Texts

    private static var table: ListTable<CustomerReviewMessage> {
        ListTable(
            .value("REVIEW") { "\($0.reviewId)" }, .value("ITEM") { "\($0.storeId)" }, .text("NAME") { $0.item },
            .number("STARS") { "\($0.stars)" }, .text("TITLE") { $0.title }, .state("STATE") { state($0.state) },
            .number("REPORTS") { $0.openReports > 0 ? "\($0.openReports)" : nil },
            .value("ANSWERED") { $0.answeredAt?.rfc3339 }, .id("WRITTEN") { $0.writtenAt.rfc3339 },
            .id("IN") { $0.storefront.rawValue })
    }

    private static func state(_ word: String) -> ListWord {
        switch word {
        case "shown": ListWord(word, .good)
        case "held": ListWord(word, .waiting)
        default: ListWord(word, .bad)
        }
    }

    private static func tell(
        _ arguments: ParsedArguments, _ context: CommandContext,
        _ body: (AdminConnection) async throws -> CustomerReviewMessage
    ) async throws {
        let review = try await AdminConnection.withSales(arguments, context, body)
        if arguments[StandardOptions.json] { return try context.printJSON(review) }
        for line in lines(review) { context.print(line) }
    }

    static func lines(_ review: CustomerReviewMessage) -> [String] {
        let title = PrintableText(review.title ?? "", limit: 200)
        var lines = [
            "\(review.reviewId): \(review.stars) stars of item \(review.storeId), \(review.state), \(title)"
        ]
        let name = review.nickname.map { "by \(PrintableText($0, limit: 200)), " } ?? ""
        lines.append("  \(name)\(review.writtenAt.rfc3339), in \(review.storefront)")
        if review.openReports > 0 { lines.append("  reported by \(review.openReports)") }
        for line in (review.body ?? "").split(whereSeparator: \.isNewline) {
            lines.append("  \(PrintableText(String(line), limit: 4000))")
        }
        for (number, line) in (review.answer ?? "").split(whereSeparator: \.isNewline).enumerated() {
            lines.append("  \(number == 0 ? "answered: " : "")\(PrintableText(String(line), limit: 4000))")
        }
        return lines
    }
}
