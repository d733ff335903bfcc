import StoreCatalogue
import StoreModel
import StoreService

/// Money over time on the first page, for those who may see it: the days that one chose in the address, or the last thirty.
struct OverviewMoney {
    private let visit: ConsoleVisit
    private let report: FinanceReport
    private let today: ReportDay
    private let problem: String?

    private static let usualDays = 30

    /// Nil for those who may not see it.
    init?(_ visit: ConsoleVisit) async throws {
        guard visit.may(.finance) else { return nil }
        self.visit = visit
        today = visit.store.finance.today
        let filter = ListFilter(visit, "")
        problem = filter.problem?.message
        let isChosen = filter.problem == nil && filter.period != .always
        let period =
            isChosen ? filter.period : ReportPeriod(days: today.adding(1 - Self.usualDays)...today)
        let start = period.start.map { ReportDay($0).number } ?? 0
        let end = period.end.map { ReportDay($0) } ?? today.next
        report = try await visit.store.finance.report(
            by: end.number - start > MoneyChart.mostDays ? .month : .day, in: period, of: visit.editing.financed(nil))
    }

    @HTMLBuilder var element: [any HTML] {
        h2 { "Money over time" }
        p(.class("chips")) {
            for (name, days) in spans {
                a(
                    .class("chip"),
                    .href(
                        visit.link("", ("from", days.lowerBound.description), ("until", days.upperBound.description))),
                    ReportPeriod(days: days) == report.period ? .isCurrent : nil
                ) { name }
            }
            a(.class("chip"), .href(visit.link("/finance"))) { "Finance" }
        }
        if let problem { p(.class("e")) { problem } }
        if report.totals.isEmpty {
            p(.class("muted")) { "Nothing was taken or given back in these days." }
        }
        for sums in report.totals.prefix(Self.charts) {
            section(.class("card")) {
                div(.class("in")) {
                    MoneyChart(of: report, in: sums.currency, today: today).element
                    details {
                        summary { "The table behind it, \(sums.currency)" }
                        FinanceText(visit: visit).table(report, in: sums.currency).element
                    }
                }
            }
        }
        if report.totals.count > Self.charts {
            p(.class("muted")) { "Finance has the other \(report.totals.count - Self.charts) currencies." }
        }
    }

    /// Currencies that are drawn.
    private static let charts = 2

    private var spans: [(String, ClosedRange<ReportDay>)] {
        let year = ReportDay("\(today.description.prefix(4))-01-01") ?? today
        return [
            ("7 days", today.adding(-6)...today), ("30 days", today.adding(1 - Self.usualDays)...today),
            ("This month", today.month.first...today), ("This year", year...today),
        ]
    }
}
