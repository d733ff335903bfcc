import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The first page: what needs somebody, what was sold, and what happens just now; and the way to anything by its id.
extension ConsoleRoutes {
    var overviewRoutes: [Route] {
        [
            page("", for: .customers, .here) { try await Self.overview($0) },
            page("/search", for: .customers, .here) { try await Self.search($0) },
        ]
    }

    /// The newest sales of the first page.
    private static let newest = 10

    private static func overview(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let store = visit.store
        let overview = try await StoreOverview(of: store)
        let sales = try await OperatorTransactions(store).list(SaleSearch(limit: newest))
        let needs = OverviewNeeds(visit: visit, overview: overview)
        var page = ConsolePage(visit: visit, title: visit.environment.title, place: .overview)
        page.lede = needs.lede
        page.pulse = sales.pulse
        page.alternatives = [.init(command: "overview", request: "/overview")]
        return try await page.response {
            if overview.apps == 0 {
                noApps(visit)
            } else {
                needs.element
                figures(visit, overview)
                SubscriptionCards(visit: visit, figures: overview.subscriptions).element
            }
            h2 { "As it happens" }
            try SaleText(visit: visit).table(
                "The newest", sales.found, titles: sales.titles,
                empty: overview.canSell ? nothing(visit, isFiltered: false) : [p { "Nobody has bought anything yet." }])
        }
    }

    /// The ways to a first app.
    @HTMLBuilder static func noApps(_ visit: ConsoleVisit) -> [any HTML] {
        div(.class("card empty")) {
            p { "There is no app yet. Three ways to get one:" }
            ul {
                li {
                    "Something to try: stop the store and start it with "
                    code { "till dev" }
                    " or "
                    code { "till serve --demo" }
                }
                li {
                    "Your products, as Xcode keeps them: "
                    code { visit.command("products import Products.storekit --bundle-id com.example.app") }
                }
                li {
                    "An app with nothing in it: "
                    code { visit.command("apps create com.example.app NAME") }
                }
            }
        }
    }

    private static func figures(_ visit: ConsoleVisit, _ overview: StoreOverview) -> Element {
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
    private static func search(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let text = String((visit.query["q"] ?? "").prefix(200)).trimmingPrefix(" ")
        let name = String(text.reversed().drop { $0 == " " }.reversed())
        if !name.isEmpty, let found = try await place(of: name, visit) { return redirect(to: found) }
        var page = ConsolePage(visit: visit, title: "Search", place: .overview)
        page.lede =
            name.isEmpty
            ? "Any number of a transaction, purchase, customer or device, an e-mail address, a code, a product, an app, or "
                + "the id of a request." : "Nothing in \(visit.environment) is called “\(name)”."
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

    private static func place(of name: String, _ visit: ConsoleVisit) async throws -> Link? {
        let encoded = PercentEncoding.encode(name)
        switch try await NamedRecord.find(name, in: visit.store) {
        case .transaction(let id): return visit.link("/transactions/\(id)")
        case .customer(let id): return visit.link("/customers/\(id)")
        case .device(let id): return visit.link("/devices/\(id)")
        case .purchase(let id): return visit.link("/purchases/\(id)")
        case nil: break
        }
        if visit.services.histories[visit.environment]?.entry(name) != nil { return visit.link("/requests/\(encoded)") }
        return try await visit.editing.named(name).map { app, product in
            visit.link("/apps/\(app)" + (product.map { "/products/\($0)" } ?? ""))
        }
    }
}

/// What needs somebody, each with its next step.
private struct OverviewNeeds {
    let visit: ConsoleVisit
    let overview: StoreOverview

    /// Lines of one kind.
    private static let most = 5

    private struct Need {
        let mood: Mood
        let word: String
        let text: [any HTML]
        /// What to do next, where a page helps.
        let step: (text: String, link: Link)?
    }

    private var needs: [Need] {
        var needs: [Need] = []
        if !overview.canSell {
            needs.append(
                Need(
                    mood: .bad, word: "cannot sell",
                    text: [
                        "Production has no payment processor, so nobody can buy. To play one: ",
                        code { "till serve --production-processor test" },
                    ], step: nil))
        }
        for id in overview.failedRefunds.prefix(Self.most) {
            needs.append(
                Need(
                    mood: .bad, word: "refund failed", text: ["The processor gave nothing back for transaction \(id)."],
                    step: ("Show it", visit.link("/transactions/\(id)"))))
        }
        if overview.refundRequests.count > 0 {
            let count = overview.refundRequests.count
            needs.append(
                Need(
                    mood: .warn, word: "refund asked",
                    text: [
                        "\(count) \(count == 1 ? "request waits" : "requests wait") for a decision",
                        overview.refundRequests.oldest.map { [", the oldest since ", ago($0, visit.now)] }
                            ?? [] as [any HTML], ".",
                    ], step: ("Refund requests", visit.link("/refunds"))))
        }
        if overview.unanswered > 0 {
            needs.append(
                Need(
                    mood: .warn, word: "no answer",
                    text: ["\(overview.unanswered) charges have no answer of the processor for more than a minute."],
                    step: ("Open purchases", visit.link("/purchases"))))
        }
        let owing = overview.subscriptions.retrying
        if owing > 0 {
            needs.append(
                Need(
                    mood: .warn, word: "not paid",
                    text: [
                        "\(owing) \(owing == 1 ? "subscription" : "subscriptions") could not be paid, and "
                            + "\(owing == 1 ? "does" : "do") not count until \(owing == 1 ? "it is" : "they are")."
                    ], step: ("Show them", visit.link("/subscriptions", ("state", "retry")))))
        }
        for group in overview.unfinished.prefix(Self.most) {
            let version = group.version.map { "\(group.bundle) \($0)" } ?? "\(group.bundle), which no device asked for,"
            needs.append(
                Need(
                    mood: .warn, word: "unfinished",
                    text: [
                        "\(group.count) \(group.count == 1 ? "transaction" : "transactions") of \(version) "
                            + "\(group.count == 1 ? "is" : "are") older than an hour: that version may not call ",
                        code { "finishTransaction" }, ".",
                    ],
                    step: (
                        "Show them", visit.link("/transactions", ("q", "\(group.bundle)"), ("standing", "unfinished"))
                    )))
        }
        for ending in overview.endings.prefix(Self.most) {
            let isOver = ending.endsAt <= visit.now
            needs.append(
                Need(
                    mood: isOver ? .bad : .warn, word: isOver ? "over" : "ends soon",
                    text: [
                        "\(ending.name), on \(ending.endsAt.rfc3339.prefix(10)). What replaces it: ",
                        code { visit.command(ending.remedy) },
                    ], step: nil))
        }
        for unsold in overview.unsold.prefix(Self.most) {
            needs.append(
                Need(
                    mood: .bad, word: "not sold",
                    text: [
                        code { unsold.product.map(\.text) ?? unsold.bundle.text },
                        (unsold.product == nil ? " sells nothing: " : " is invalid: ") + unsold.obstacle.explanation
                            + ".",
                    ],
                    step: (
                        "Why",
                        visit.link("/apps/\(unsold.bundle)" + (unsold.product.map { "/products/\($0)" } ?? ""))
                    )))
        }
        if overview.unsold.count > Self.most {
            needs.append(
                Need(
                    mood: .bad, word: "not sold", text: ["\(overview.unsold.count - Self.most) further products."],
                    step: ("Apps", visit.link("/apps"))))
        }
        if overview.open > 0 {
            needs.append(
                Need(
                    mood: .calm, word: "waiting",
                    text: [
                        "\(overview.open) \(overview.open == 1 ? "purchase waits" : "purchases wait")",
                        overview.oldestOpen.map { [", the oldest since ", ago($0, visit.now)] } ?? [] as [any HTML],
                        ".",
                    ], step: ("Open purchases", visit.link("/purchases"))))
        }
        return needs
    }

    var lede: String {
        if overview.apps == 0 { return "There is nothing to sell yet." }
        return needs.isEmpty ? "Everything sells, and nothing needs anybody." : "What needs somebody comes first."
    }

    @HTMLBuilder var element: [any HTML] {
        let needs = needs
        if !needs.isEmpty {
            section(.class("card needs-card"), .labelledBy("needs")) {
                h2(.id("needs"), .class("unseen")) { "Needs somebody" }
                ul(.class("needs")) {
                    for need in needs {
                        li {
                            tag(need.mood, need.word)
                            span { need.text }
                            if let step = need.step { a(.href(step.link)) { step.text } }
                        }
                    }
                }
            }
        }
    }
}
