import CommandOptions
import StoreService

/// `till database check`
enum DatabaseCheck {
    static let command = Command<TillProgram.Action>(
        "check", "Look for damage and for a schema of another version.",
        discussion: "Nothing is changed. It works whether the store runs or not.",
        options: [StandardOptions.json],
        examples: [Example("Examine the databases in ./till_data", "till database check")],
        exitCodes: [
            .success.when("All three databases are there, whole, and of this version."),
            .failure.when("One is not; the report says which and why."), .inputMissing.when("There is no store."),
        ],
        seeAlso: ["till doctor", "till database migrate"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let connection = try await AdminConnection.open(
            DataDirectory(arguments[DataOptions.data]), UpkeepSettings(arguments, context))
        let reports = try await connection.ask("POST", "/admin/v1/database/check", as: [StoreUpkeep.Report].self)
        await connection.close()
        if arguments[StandardOptions.json] {
            try context.printJSON(["databases": reports])
        } else {
            for report in reports { context.print("\(report.name): \(sentence(report))") }
        }
        let wrong = reports.filter { !$0.isInOrder }
        guard wrong.isEmpty else {
            throw CommandFailure(.failure, "\(wrong.map(\.name).joined(separator: ", ")): not in order")
        }
    }

    static func sentence(_ report: StoreUpkeep.Report) -> String {
        if !report.exists { return "it has not been made yet; till serve makes it" }
        if let first = report.problems.first {
            let more = report.problems.count > 1 ? " (and \(report.problems.count - 1) more)" : ""
            return "\(PrintableText(first, limit: 400))\(more)"
        }
        let count = "\(report.migrations) of \(report.knownMigrations) migrations"
        return report.isInOrder ? "in order, \(count)" : "\(count); bring it up to date with: till database migrate"
    }
}
