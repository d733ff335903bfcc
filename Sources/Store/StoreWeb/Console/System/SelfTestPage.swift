import StoreCatalogue
import StoreHTTP
import StoreService

/// The self-test: what it does, the button that runs it, and what came of it.
struct SelfTestPage {
    let visit: ConsoleVisit

    /// - Parameter report: what came of it now; nil before it was run.
    func response(_ report: SelfTest.Report?) async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: "Self-test", place: .system)
        page.crumbs = [("System", visit.link(SystemSection.path))]
        if let report { page.tag = report.failure == nil ? tag(.good, "passed") : tag(.bad, "failed") }
        page.lede =
            report?.sentence
            ?? "Buys something, verifies what was signed by the roots of \(visit.environment), and gives the money back."
        page.alternatives = [.init(command: "self-test", request: "POST /system/self-test")]
        return try await page.response {
            if let report { steps(report) }
            if visit.may(.teams, change: true) {
                visit.form("\(SystemSection.path)/self-test") {
                    button(.class("primary")) { report == nil ? "Buy, verify, refund" : "Once more" }
                }
            }
            p(.class("muted")) {
                "It has an account, a product, a processor and books of its own, in memory: nothing of it is in totals, proceeds, "
                    + "lists or notifications. Of \(visit.environment) it uses the keys, the roots, the clock and the commission; "
                    + "the databases take a write that is taken back."
            }
        }
    }

    private func steps(_ report: SelfTest.Report) -> [any HTML] {
        DataTable(
            title: "Steps", columns: [.text("Step"), .text("Result"), .amount("Time")],
            rows: report.steps.map { step in
                [
                    [step.name.capitalizedFirst],
                    step.problem.map { [tag(.bad, "failed"), " \($0)"] } ?? [tag(.good, "done"), " \(step.detail)"],
                    ["\(step.milliseconds) ms"],
                ]
            }, empty: []
        ).element
    }
}
