import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The first page: what needs somebody, what was sold, and what happens just now.
struct OverviewSection: ConsoleSection {
    let services: ConsoleServices

    var routes: [Route] {
        [
            page("", for: .customers, .here, show)
        ]
    }

    /// The newest sales of the first page.
    private static let newest = 10

    private func show(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let store = visit.store
        let overview = try await StoreOverview(of: store)
        let sales = try await OperatorTransactions(store).list(SaleSearch(limit: Self.newest))
        let money = overview.apps == 0 ? nil : try await OverviewMoney(visit)
        let needs = OverviewNeeds(visit: visit, overview: overview)
        var page = ConsolePage(
            visit: visit, title: overview.apps == 0 ? "Nothing is sold here yet" : visit.environment.title,
            place: .overview)
        page.lede = needs.lede
        page.pulse = sales.pulse
        page.alternatives = [.init(command: "overview", request: "/overview")]
        return try await page.response {
            if overview.apps == 0 {
                FirstSteps(visit: visit).app
            } else {
                needs.element
                figures(visit, overview)
                SubscriptionCards(visit: visit, figures: overview.subscriptions).element
                if let money { money.element }
            }
            h2 { "As it happens" }
            try SaleText(visit: visit).table(
                "The newest", sales.found, titles: sales.titles,
                empty: overview.canSell
                    ? FirstSteps(visit: visit).sale(isFiltered: false) : [p { "Nobody has bought anything yet." }])
        }
    }

    private func figures(_ visit: ConsoleVisit, _ overview: StoreOverview) -> Element {
        let bought = overview.hours.map(\.bought)
        let failed = overview.hours.map(\.failed)
        let (count, declined) = (bought.reduce(0, +), failed.reduce(0, +))
        let share = count + declined == 0 ? 0 : declined * 1000 / (count + declined)
        return div(.class("figures")) {
            div(.class("figure")) {
                span(.class("muted")) { "Sold in 24 hours" }
                if let first = overview.sold.first {
                    b { "\(first.total)" }
                    span(.class("muted")) {
                        overview.sold.dropFirst().prefix(3).map { "\($0.total)" }.joined(separator: ", ")
                            + (overview.sold.count > 4 ? " and others" : "")
                    }
                } else {
                    b { "nothing" }
                }
            }
            div(.class("figure")) {
                span(.class("muted")) { "Purchases" }
                b { count >= StoreOverview.window ? "\(StoreOverview.window) and more" : "\(count)" }
                sparkline(
                    bought,
                    "Purchases by hour, the newest on the right: \(bought.map(String.init).joined(separator: ", "))")
            }
            div(.class("figure")) {
                span(.class("muted")) { "Declined" }
                b { "\(share / 10).\(share % 10) %" }
                sparkline(
                    failed,
                    "Declined by hour, the newest on the right: \(failed.map(String.init).joined(separator: ", "))")
            }
        }
    }
}
