import CommandOptions
import StoreModel
import StoreServer

/// `till find`
enum FindCommand {
    private static let words = Argument<[String]>.rest(
        .text("WORD"), atLeastOne: true, help: "The beginning of a word each; all of them have to be there.")

    static let command = Command<TillProgram.Action>(
        "find", "Find whatever a word is of: a person, an app, a product, a purchase, a request.",
        discussion: """
            Words are those of names, titles, e-mail addresses and ids; their beginnings are enough, and case and accents make \
            no difference. A number is found by its first digits.
            """,
        options: SaleOptions.all + ListOptions.all, arguments: [words],
        examples: [
            Example("Somebody", "till find ada"), Example("An app, by a part of its bundle id", "till find lumen"),
            Example("A transaction, by its first digits", "till find 20000000"),
        ],
        exitCodes: [.failure.when("There is nothing of the kind.")] + SaleOptions.access,
        seeAlso: ["till console", "till transactions why"],
        action: { arguments, context in
            let text = arguments[words].joined(separator: " ")
            let path = "\(SaleOptions.path(arguments))/find?q=\(SaleOptions.escaped(text))"
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("GET", path, as: FindAnswer.self)
            }
            if arguments[StandardOptions.json] {
                try context.printJSON(found)
            } else {
                let rows = found.groups.flatMap { group in group.found.map { Row(kind: group.kind, thing: $0) } }
                if !rows.isEmpty { context.printList(rows, as: table, arguments, nothing: "") }
                for group in found.groups where group.isCut {
                    context.print("There are more of the kind \(group.kind): say more of its words.")
                }
            }
            guard !found.groups.isEmpty else {
                throw CommandFailure(.failure, "nothing has words that begin like “\(PrintableText(text, limit: 80))”")
            }
        })

    /// A line of the list.
    private struct Row {
        let kind: String
        let thing: FindAnswer.Thing
    }

    private static var table: ListTable<Row> {
        ListTable(
            .value("KIND") { $0.kind.replacing("-", with: " ") }, .value("ID") { $0.thing.id },
            .text("NAME") { $0.thing.title }, .text("DETAIL") { $0.thing.detail },
            .value("APP") { row in
                row.thing.bundleId.map { $0.text == row.thing.id ? "" : $0.text }
            })
    }
}
