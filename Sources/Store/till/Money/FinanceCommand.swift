import CommandOptions
import StoreCatalogue
import StoreFoundation
import StoreModel
import StoreServer
import StoreService

/// `till finance`
enum FinanceCommand {
    static let command = Command<TillProgram.Action>(
        "finance", "See what was taken, given back, kept and earned, from the ledger.",
        discussion: """
            Days are those of GMT by the store's clock. Proceeds are what developers are owed; the store keeps the commission. \
            Currencies are never added up. What the sandbox has is no money.
            """,
        options: SaleOptions.all,
        examples: [
            Example("This month by product", "till finance report --by product --from 2026-11-01"),
            Example(
                "What a team is owed for a month", "till finance statement my-team 2026-11 --environment production"),
        ],
        seeAlso: ["till ledger", "till teams proceeds"], subcommands: [report, statement])

    private static let by = Option<FinanceReport.Grouping>.defaulted(
        "by", .choice("WHAT", of: FinanceReport.Grouping.self), to: .app, help: "What the sums are told apart by.")
    private static let ofTeam = Option<TeamID?>.optional(
        "team", CatalogueOptions.teamFormat, help: "Only of the apps of this team.")
    private static let team = Argument<TeamID>.required(CatalogueOptions.teamFormat, help: "The id of the team.")
    private static let month = Argument<ReportMonth>.required(
        ValueFormat("MONTH", rule: "a month, like 2026-11", parse: { ReportMonth($0) }), help: "The month, in GMT.")

    private static let report = Command<TillProgram.Action>(
        "report", "Add up a period by app, product, storefront, day or month.",
        options: [by, ofTeam] + MoneyOptions.period + ListOptions.all,
        examples: [
            Example("By storefront, for a spreadsheet", "till finance report --by storefront --csv"),
            Example("Each day of a team", "till finance report --by day --team my-team --from 2026-11-01"),
        ],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let query =
                ["by=\(arguments[by].rawValue)"] + (arguments[ofTeam].map { ["team=\($0)"] } ?? [])
                + MoneyOptions.periodQuery(arguments)
            let path = SaleOptions.path(arguments) + "/finance" + MoneyOptions.words(query)
            let found = try await AdminConnection.withStore(arguments, context) {
                try await $0.ask("GET", path, as: FinanceAnswer.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found) }
            context.printList(found.items, as: table, arguments, nothing: "Nothing was sold.")
            guard !ListOptions.areCommasWanted(arguments) else { return }
            for total in found.totals { context.print(line(total)) }
            if found.isCut { context.printError("There are more rows; a shorter period shows them.") }
        })

    private static var table: ListTable<FinanceRow> {
        ListTable(
            .value("MONTH") { $0.month }, .value("DAY") { $0.day }, .value("APP") { $0.bundleId?.text },
            .value("PRODUCT") { $0.productId?.text }, .value("STOREFRONT") { $0.storefront?.description },
            .number("SOLD") { "\($0.sales)" }, .number("REFUNDED") { "\($0.refunds)" },
            .number("TAKEN") { "\($0.taken) \($0.currency)" },
            .number("GIVEN BACK") { "\($0.givenBack) \($0.currency)" },
            .number("THE STORE KEEPS") { "\($0.commission) \($0.currency)" },
            .number("EARNED") { "\($0.proceeds) \($0.currency)" })
    }

    private static func line(_ sum: FinanceRow) -> String {
        "\(sum.currency): \(sum.taken) taken, \(sum.givenBack) given back, \(sum.commission) kept, \(sum.proceeds) earned"
    }

    private static let statement = Command<TillProgram.Action>(
        "statement", "Show what a team has earned in a month, and the accounts of the ledger that it equals.",
        options: ListOptions.all, arguments: [team, month],
        examples: [Example("Of November", "till finance statement my-team 2026-11")],
        exitCodes: [.failure.when("The books do not have what the statement says.")] + SaleOptions.access,
        action: { arguments, context in
            let path =
                SaleOptions.path(arguments) + "/teams/\(arguments[team])/statements/\(arguments[month])"
            let found = try await AdminConnection.withStore(arguments, context) {
                try await $0.ask("GET", path, as: StatementAnswer.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found) }
            context.printList(found.items, as: table, arguments, nothing: "Nothing was sold in \(found.month).")
            guard !ListOptions.areCommasWanted(arguments) else { return }
            for text in lines(found) { context.print(text) }
            guard found.accounts.allSatisfy(\.isEqual) else {
                throw CommandFailure(.failure, "the books do not have what the statement says")
            }
        })

    private static func lines(_ statement: StatementAnswer) -> [String] {
        statement.totals.map(line)
            + statement.accounts.map {
                "\($0.proceeds) \($0.currency) \($0.isEqual ? "is" : "is not") what the account \($0.account) was booked"
            }
            + (statement.isFinal ? [] : ["The month is not over."])
            + [
                statement.missingForPayout.isEmpty
                    ? "Nothing is paid out: this store makes no payouts yet."
                    : "Nothing could be paid out: there is no "
                        + statement.missingForPayout.map(FieldName.words).joined(separator: ", ") + "."
            ]
    }
}
