import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The first page: what needs somebody, what was sold, and what happens just now; and the way to anything by its id.
struct OverviewSection: ConsoleSection {
    let services: ConsoleServices

    var routes: [Route] {
        [
            page("", for: .customers, .here, show),
            page("/search", for: .customers, .here, search),
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

    // MARK: Search

    /// Leads to what has this name, or says what was looked for.
    private func search(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let text = String((visit.query["q"] ?? "").prefix(200)).trimmingPrefix(" ")
        let name = String(text.reversed().drop { $0 == " " }.reversed())
        if !name.isEmpty, let found = try await place(of: name, visit) { return redirect(to: found) }
        var page = ConsolePage(visit: visit, title: "Search", place: .overview)
        page.lede =
            name.isEmpty
            ? "Any number of a transaction, purchase, customer or device, an e-mail address, a code, a product, an app, or "
                + "the id of a request, a notification or a key."
            : "Nothing in \(visit.environment) is called “\(name)”."
        page.status = name.isEmpty ? .ok : .notFound
        page.alternatives = [.init(command: "transactions list", request: "/transactions")]
        return try await page.response {
            p(.class("muted")) {
                "A receipt, a signed text or a profile is looked at by "
                a(.href(visit.link("/inspect"))) { "Inspect" }
                "."
            }
        }
    }

    private func place(of name: String, _ visit: ConsoleVisit) async throws -> Link? {
        let encoded = PercentEncoding.encode(name)
        switch try await NamedRecord.find(name, in: visit.store) {
        case .transaction(let id): return visit.link("/transactions/\(id)")
        case .customer(let id): return visit.link("/customers/\(id)")
        case .device(let id): return visit.link("/devices/\(id)")
        case .purchase(let id): return visit.link("/purchases/\(id)")
        case nil: break
        }
        if visit.services.histories[visit.environment]?.entry(name) != nil { return visit.link("/requests/\(encoded)") }
        if let link = try await NotificationsSection.link(to: name, visit) { return link }
        if let link = try await APIKeysSection.link(to: name, visit) { return link }
        return try await visit.editing.named(name).map { app, product in
            visit.link("/apps/\(app)" + (product.map { "/products/\($0)" } ?? ""))
        }
    }
}
