import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// What was earned: of all teams for those who look after the store, of its own apps for each team; and the statement of a month.
struct FinanceSection: ConsoleSection {
    let services: ConsoleServices

    private static let team = PathParameter<TeamID>("teamId", rule: "the id of a team") { TeamID($0) }
    private static let month = PathParameter<ReportMonth>("month", rule: "a month, like 2026-11") { ReportMonth($0) }

    /// Teams that one may choose from.
    private static let teams = 500
    /// Rows that the page shows.
    private static let rows = 200
    /// Months of which the statements are named.
    private static let months = 12

    var routes: [Route] {
        [
            page("/finance", for: .finance, .here, show),
            page("/finance/statements/{teamId}/{month}", for: .finance, .here) { visit in
                let scope = try await visit.editing.financed(visit.request[Self.team])
                let statement = try await visit.store.finance.statement(of: scope, for: visit.request[Self.month])
                return try await StatementPage(visit: visit, statement: statement).response()
            },
        ]
    }

    /// What one looks at.
    private struct Choice {
        let filter: ListFilter
        let scope: FinanceScope
        let period: ReportPeriod
        let grouping: FinanceReport.Grouping
        /// The currency that was asked for.
        let currency: Currency?
        let today: ReportDay

        /// The address of the same with another value.
        func link(_ visit: ConsoleVisit, _ changes: (String, String?)...) -> Link {
            let names = ["team", "currency", "by", "from", "until"]
            let kept = names.map { name in
                (name, changes.first { $0.0 == name }.map(\.1) ?? visit.query[name])
            }
            return visit.link("/finance", all: kept.filter { $0.1?.isEmpty == false })
        }

        /// Whether months are drawn and not days.
        var isByMonth: Bool {
            guard let start = period.start else { return true }
            let end = period.end.map { ReportDay($0) } ?? today.next
            return end.number - ReportDay(start).number > MoneyChart.mostDays
        }
    }

    private func choice(_ visit: ConsoleVisit) async throws -> Choice {
        let query = visit.query
        let today = visit.store.finance.today
        let filter = ListFilter(visit, "/finance", choices: ["team", "currency", "by"])
        let isChosen = query["from"]?.isEmpty == false || query["until"]?.isEmpty == false
        // Nothing chosen is this month.
        let period = isChosen ? filter.period : ReportPeriod(days: today.month.first...today)
        var team: TeamID?
        if let text = query["team"], !text.isEmpty {
            team = TeamID(text)
            guard team != nil else {
                throw ServiceError(.valueInvalid, "this is the id of a team", parameter: "team")
            }
        }
        return Choice(
            filter: filter, scope: try await visit.editing.financed(team), period: period,
            grouping: query["by"].flatMap(FinanceReport.Grouping.init) ?? .app,
            currency: query["currency"].flatMap { Currency($0) }, today: today)
    }

    private func show(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let choice = try await choice(visit)
        let drawn: FinanceReport.Grouping = choice.isByMonth ? .month : .day
        let limit = visit.query["format"] == nil ? Self.rows : FinanceReport.mostRows
        let isReadable = choice.filter.problem == nil
        let reports = try await visit.store.finance.reports(
            [(choice.grouping, isReadable ? limit : 0), (drawn, FinanceReport.mostRows)], in: choice.period,
            of: choice.scope)
        let (listed, overTime) = (reports[0], reports[1])
        let teams =
            choice.scope.team == nil || visit.actor.team == nil
            ? try await visit.editing.financedTeams(limit: Self.teams) : []
        // The only team needs no choice.
        let only = teams.count == 1 ? teams.first?.id : nil
        let statements = try await statements(
            choice.scope.team == nil && only != nil ? visit.editing.financed(only) : choice.scope, choice.today, visit)
        var page = ConsolePage(visit: visit, title: "Finance", place: .finance)
        page.lede = lede(choice, listed.totals)
        page.alternatives = alternatives(choice)
        page.exportLimit = FinanceReport.mostRows
        page.exported = "finance-by-\(choice.grouping.rawValue)"
        if choice.filter.problem != nil { page.status = .badRequest }
        let text = FinanceText(visit: visit)
        let table = text.table(listed, in: choice.currency)
        // An export is of the list that was chosen.
        if visit.query["format"] != nil { return try await page.response { table.element } }
        return try await page.response {
            form(choice, listed.totals, teams)
            chips(choice, visit)
            if let sums = listed.totals.first(where: { $0.currency == choice.currency }) ?? main(of: listed.totals) {
                text.figures(sums)
                chart(overTime, sums.currency, choice, text)
            }
            groupings(choice, visit)
            table.element
            if listed.isCut {
                p(.class("muted")) {
                    "Only the first \(FinanceReport.mostRows) rows are here; a shorter period has fewer."
                }
            }
            statements
        }
    }

    /// The currency in which most was sold.
    private func main(of totals: [LedgerSums]) -> LedgerSums? {
        totals.max { ($0.sales, $1.currency.code) < ($1.sales, $0.currency.code) }
    }

    private func lede(_ choice: Choice, _ totals: [LedgerSums]) -> String {
        let whose = choice.scope.name ?? "All teams"
        let first = choice.period.start.map { "from \(ReportDay($0))" } ?? "from the beginning"
        let last = choice.period.end.map { " to \(ReportDay($0).adding(-1))" } ?? " until today"
        return "\(whose) earned \(FinanceText.sentence(totals)) \(first)\(last), by the days of GMT. "
            + "Currencies are never added up."
    }

    private func alternatives(_ choice: Choice) -> [ConsolePage.Alternative] {
        var (options, items) = ("", ["by=\(choice.grouping.rawValue)"])
        if let team = choice.scope.team {
            options += " --team \(team)"
            items.append("team=\(team)")
        }
        if let start = choice.period.start {
            options += " --from \(ReportDay(start))"
            items.append("from=\(ReportDay(start))")
        }
        if let end = choice.period.end {
            options += " --until \(ReportDay(end).adding(-1))"
            items.append("until=\(ReportDay(end).adding(-1))")
        }
        return [
            .init(
                command: "finance report --by \(choice.grouping.rawValue)\(options)",
                request: "/finance?" + items.joined(separator: "&"))
        ]
    }

    // MARK: What is chosen

    private func form(_ choice: Choice, _ totals: [LedgerSums], _ teams: [Team]) -> [any HTML] {
        choice.filter.form(by: nil) {
            if teams.count > 1 {
                choice.filter.choice("team", "Team", teams.map { ($0.id.text, $0.name) })
            }
            choice.filter.choice("currency", "Currency", totals.map { ($0.currency.code, "\($0.proceeds)") })
            choice.filter.choice(
                "by", "By",
                FinanceReport.Grouping.allCases.filter { $0 != .app }.map { ($0.rawValue, $0.rawValue) },
                none: FinanceReport.Grouping.app.rawValue)
        }
    }

    private func chips(_ choice: Choice, _ visit: ConsoleVisit) -> Element {
        let (today, month) = (choice.today, choice.today.month)
        let year = ReportDay("\(month.description.prefix(4))-01-01") ?? month.first
        let spans: [(String, ClosedRange<ReportDay>)] = [
            ("7 days", today.adding(-6)...today), ("30 days", today.adding(-29)...today),
            ("This month", month.first...today), ("Last month", month.previous.first...month.previous.last),
            ("This year", year...today),
        ]
        return p(.class("chips")) {
            for (name, days) in spans {
                a(
                    .class("chip"),
                    .href(
                        choice.link(
                            visit, ("from", days.lowerBound.description), ("until", days.upperBound.description))),
                    ReportPeriod(days: days) == choice.period ? .isCurrent : nil
                ) { name }
            }
        }
    }

    private func groupings(_ choice: Choice, _ visit: ConsoleVisit) -> [any HTML] {
        [
            h2 { FinanceText.title(choice.grouping) },
            p(.class("chips")) {
                for grouping in FinanceReport.Grouping.allCases {
                    a(
                        .class("chip"), .href(choice.link(visit, ("by", grouping.rawValue))),
                        grouping == choice.grouping ? .isCurrent : nil
                    ) { FinanceText.title(grouping) }
                }
            },
        ]
    }

    private func chart(
        _ report: FinanceReport, _ currency: Currency, _ choice: Choice, _ text: FinanceText
    ) -> Element {
        section(.class("card")) {
            div(.class("in")) {
                MoneyChart(of: report, in: currency, today: choice.today).element
                details {
                    summary { "The table behind it" }
                    text.table(report, in: currency).element
                }
            }
        }
    }

    // MARK: Statements

    private func statements(
        _ scope: FinanceScope, _ today: ReportDay, _ visit: ConsoleVisit
    ) async throws -> [any HTML] {
        guard let team = scope.team else {
            return [h2 { "Statements" }, p(.class("muted")) { "A statement is of one team: choose one above." }]
        }
        let last = today.month
        var first = last
        for _ in 1..<Self.months { first = first.previous }
        let report = try await visit.store.finance.report(
            by: .month, in: ReportPeriod(days: first.first...today), of: scope)
        let months = Dictionary(grouping: report.rows) { $0.key.month }
        let table = DataTable(
            title: "Statements", columns: [.text("Month"), .text("State"), .amount("Proceeds")],
            rows: months.keys.compactMap(\.self).sorted(by: >).map { month in
                [
                    [a(.href(visit.link("/finance/statements/\(team)/\(month)"))) { month.description }],
                    [month == last ? tag(.calm, "goes on") : tag(.good, "ready")],
                    [FinanceText.sentence((months[month] ?? []).map(\.sums))],
                ]
            }, empty: [p { "Nothing was sold in the last \(Self.months) months." }])
        return [h2 { "Statements" }] + table.element
    }
}
