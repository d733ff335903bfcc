import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// The statement of a team for a month, to be read and printed: every product, the sums, and the accounts of the ledger that they
/// equal.
struct StatementPage {
    let visit: ConsoleVisit
    let statement: FinanceStatement

    func response() async throws -> HTTPResponse {
        let (team, month) = (statement.team, statement.month)
        var page = ConsolePage(visit: visit, title: "Statement of \(month)", place: .finance)
        page.tag = statement.isFinal ? StoreWeb.tag(.good, "ready") : StoreWeb.tag(.calm, "the month is not over")
        page.crumbs = [("Finance", visit.link("/finance", ("team", team.text)))]
        page.lede =
            statement.totals.isEmpty
            ? "\(statement.teamName) sold nothing in \(month)."
            : "\(statement.teamName) earned \(FinanceText.sentence(statement.totals)) in \(month)."
        page.alternatives = [
            .init(
                command: "finance statement \(team) \(month)", request: "/teams/\(team)/statements/\(month)"),
            .init(command: "finance statement \(team) \(month) --csv"),
        ]
        page.exportLimit = FinanceReport.mostRows
        page.exported = "statement-\(team)-\(month)"
        return try await page.response {
            FinanceText(visit: visit).table(
                "Products", statement.lines, by: .product, empty: [p { "Nothing was sold in this month." }]
            ).element
            if statement.isCut {
                p(.class("muted")) {
                    "Only the first \(FinanceReport.mostRows) rows are here; the sums have all of them."
                }
            }
            for sums in statement.totals {
                h2 { "\(sums.currency)" }
                FinanceText(visit: visit).figures(sums)
            }
            accounts
            payout
        }
    }

    private var accounts: Element {
        card("The ledger says the same") {
            if statement.accounts.isEmpty { p { "Nothing was booked for the team in this month." } }
            ul {
                for account in statement.accounts {
                    li {
                        "\(account.proceeds) "
                        account.isEqual ? "equals" : StoreWeb.tag(.bad, "does not equal")
                        " what was booked on "
                        link(to: account)
                        ", of "
                        dotted(account.bundle.text)
                        "."
                    }
                }
            }
        }
    }

    private func link(to account: FinanceStatement.Account) -> any HTML {
        guard visit.may(.customers) else { return code { account.name } }
        let (first, last) = (statement.month.first.description, statement.month.last.description)
        return a(
            .href(
                visit.link("/ledger/postings", ("account", account.name), ("from", first), ("until", last)))
        ) { account.name }
    }

    private var payout: Element {
        card("Payout") {
            if statement.missing.isEmpty {
                p { "This store pays nothing out by itself yet." }
            } else {
                p {
                    tag(.warn, "no payout")
                    " Nothing could be paid out. What is missing: \(statement.missing.joined(separator: ", "))."
                }
            }
        }
    }
}
