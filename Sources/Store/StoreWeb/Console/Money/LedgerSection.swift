import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// The books of the environment: what each account comes to, that all of them sum to nothing, and their single lines.
struct LedgerSection: ConsoleSection {
    let services: ConsoleServices

    /// By what lines are sorted: by their numbers, which follow the time.
    // Closed: other columns have no index.
    private enum Column: String { case when }

    var routes: [Route] {
        [
            page("/ledger", for: .customers, .here) { try await balances($0) },
            page("/ledger/postings", for: .customers, .here, postings),
            shown("/ledger/check", for: .customers, .here) { visit, _ in
                try await balances(visit, checked: LedgerCheck.run(of: visit.store))
            } else: {
                try await balances($0)
            },
        ]
    }

    // MARK: Balances

    /// - Parameter checked: what a check found; nil without one.
    private func balances(_ visit: ConsoleVisit, checked: LedgerReport? = nil) async throws -> HTTPResponse {
        let filter = ListFilter(visit, "/ledger")
        let found = try await LedgerBalances(in: filter.period, of: visit.store)
        var page = ConsolePage(visit: visit, title: "Ledger", place: .ledger)
        page.lede = found.sentence
        page.tag = found.sums.isEmpty ? nil : found.isSettled ? tag(.good, "sums to nothing") : tag(.bad, "does not")
        page.alternatives = [
            .init(command: "ledger balances", request: "/ledger/balances"),
            .init(command: "ledger check", request: "POST /ledger/check"),
        ]
        page.exported = "balances"
        if filter.problem != nil { page.status = .badRequest }
        return try await page.response {
            if let checked { result(of: checked) }
            filter.form(by: nil)
            table(found, filter.problem == nil, visit)
            if found.isCut { p(.class("muted")) { "Only the first \(LedgerBalances.most) balances are here." } }
            p {
                a(.class("button"), .href(visit.link("/ledger/postings"))) { "Single lines" }
            }
            card("The check") {
                p {
                    "Holds every entry against what was sold and given back, and against what the processor moved. "
                        + "It reads all of the books, so it takes a while."
                }
                visit.form("/ledger/check") { button { "Check the books now" } }
            }
        }
    }

    private func table(_ found: LedgerBalances, _ isReadable: Bool, _ visit: ConsoleVisit) -> [any HTML] {
        DataTable(
            title: "Balances",
            columns: [.text("Account"), .text("What it is"), .amount("Lines"), .text("Currency"), .amount("Balance")],
            rows: (isReadable ? found.balances : []).map { balance in
                [
                    [a(.href(visit.link("/ledger/postings", ("account", balance.account)))) { balance.account }],
                    [Self.meaning(of: balance.account)], ["\(balance.postings)"], [balance.amount.currency.code],
                    [balance.amount.decimalText],
                ]
            },
            empty: [p { "Nothing was booked in these days." }], isOfLinks: true
        ).element
    }

    /// Whose money it is, in words.
    private static func meaning(of account: String) -> String {
        switch account.split(separator: "/").first {
        case "processor": "what the processor holds for the store"
        case "commission": "what the store keeps"
        case "proceeds": "what the developer of the app is owed"
        case "affiliates": "what the store gives to partners"
        case "partner": "what the partner is owed"
        default: "another account"
        }
    }

    private func result(of report: LedgerReport) -> Element {
        section(.class("card"), .role("status")) {
            div(.class("in")) {
                h2 { report.isInOrder ? "The books are in order" : "The books are not in order" }
                p {
                    "\(report.entries) entries were looked at"
                        + (report.movements.map { ", and held against \($0) movements of the processor" } ?? "") + "."
                }
                if !report.isInOrder {
                    ul {
                        for problem in report.problems { li { problem.message } }
                    }
                    if report.problemCount > report.problems.count {
                        p(.class("muted")) { "There are \(report.problemCount) problems in all." }
                    }
                }
            }
        }
    }

    // MARK: Lines

    private func postings(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let filter = ListFilter(visit, "/ledger/postings", [.days, .amounts], choices: ["account", "kind"])
        let order = TableOrder<Column>(visit.query, standard: .when, isDescending: true)
        var search = LedgerPostings(limit: filter.rows + 1)
        search.account = visit.query["account"].flatMap { $0.isEmpty ? nil : $0 }
        search.kind = visit.query["kind"].flatMap { word in Ledger.Kind.all.first { $0.rawValue == word } }
        (search.period, search.amount) = (filter.period, filter.amount)
        search.isOldestFirst = !order.isDescending
        search.after = visit.query["after"].flatMap { LedgerPostings.Place($0) }
        let found = filter.problem == nil ? try await search.list(of: visit.store) : []
        let shown = Array(found.prefix(filter.rows))
        var page = ConsolePage(visit: visit, title: "Lines of the ledger", place: .ledger)
        page.crumbs = [("Ledger", visit.link("/ledger"))]
        page.lede =
            (search.account.map { "What was booked on \($0)" } ?? "What was booked")
            + ", \(order.isDescending ? "the newest first" : "the oldest first"). What an account has to give is negative."
        page.alternatives = [
            .init(
                command: "ledger postings" + (search.account.map { " --account \($0)" } ?? ""),
                request: "/ledger/postings"
                    + (search.account.map { "?account=\(PercentEncoding.encode($0))" } ?? ""))
        ]
        page.exported = "postings"
        page.exportedFrom = filter.link(order)
        if filter.problem != nil { page.status = .badRequest }
        return try await page.response {
            filter.form(by: nil, order: order.fields) {
                div(.class("f")) {
                    label(.for("list-account")) { "Account" }
                    input(
                        .id("list-account"), .name("account"), .value(search.account ?? ""), .isUnspelled,
                        .longest(100))
                }
                filter.choice("kind", "Of", Ledger.Kind.all.map { ($0.rawValue, $0.rawValue) })
            }
            table(
                of: shown, order.heading(.when, descendingFirst: true) { filter.link($0) }, visit,
                next: found.count > shown.count
                    ? shown.last.map { filter.link(order, ("after", $0.place.description)) } : nil)
        }
    }

    private func table(
        of lines: [LedgerPostings.Line], _ when: DataTable.Sorting, _ visit: ConsoleVisit, next: Link?
    ) -> [any HTML] {
        DataTable(
            title: "Lines",
            columns: [
                .text("When, UTC", when), .text("Of"), .text("Product"), .text("Account"), .text("Currency"),
                .amount("Amount"),
            ],
            rows: lines.map { line in
                [
                    [a(.href(visit.link("/transactions/\(line.transaction)"))) { clockTime(line.at) }],
                    [line.kind.rawValue], dotted(line.product.text), [line.posting.account.name],
                    [line.posting.amount.currency.code], [line.posting.amount.decimalText],
                ]
            },
            empty: [p { "Nothing of the kind was booked." }], next: next, isOfLinks: true,
            headings: dayHeadings(lines.map(\.at))
        ).element
    }
}
