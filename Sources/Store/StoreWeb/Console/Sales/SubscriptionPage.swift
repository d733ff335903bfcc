import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The life of a subscription on one page. Its first line says when it renews, and what happens if the card fails.
struct SubscriptionPage {
    let visit: ConsoleVisit
    let shown: SubscriptionChanges.Shown
    let asking: SubscriptionAct?

    /// Periods, and lines of the history, that are shown unless all are asked for.
    private static let newest = 24

    var details: SubscriptionChanges.Details { shown.details }
    private var customer: Customer? { shown.customer }
    var subscription: StoredSubscription { details.subscription }
    var rules: Subscription { subscription.rules }
    private var isWhole: Bool { visit.query["all"] == "yes" }

    static func response(
        _ visit: ConsoleVisit, _ id: SubscriptionID, asking act: SubscriptionAct? = nil
    ) async throws -> HTTPResponse {
        if let act, act.isOfSandbox { try visit.store.requireSandbox("only testers have this done to them") }
        let shown = try await SubscriptionChanges(visit.store).show(id)
        return try await SubscriptionPage(visit: visit, shown: shown, asking: act).response()
    }

    var path: String { "/subscriptions/\(subscription.original)" }
    /// What the customer has.
    var plan: SubscriptionPlan { rules.plan(at: details.now) }
    var name: String { name(of: plan) }
    func name(of plan: SubscriptionPlan) -> String { shown.titles[plan.item] ?? plan.product.text }
    func text(_ money: Money) -> String { visit.text(money, in: subscription.scope.storefront) }
    /// An instant to the second, for sentences.
    func text(_ instant: Instant) -> String {
        instant.writtenExactly
    }
    var who: String { customer.map { $0.email.isEmpty ? "A deleted account" : $0.email } ?? "The customer" }

    private func response() async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: "Subscription to \(name)", place: .subscriptions)
        page.tag = rules.tag
        page.lede = SubscriptionSummary(details, price: { text($0) }, time: { text($0) }).sentence
        page.crumbs = [("Subscriptions", visit.link("/subscriptions"))]
        page.actions = actions
        page.alternatives = [alternative]
        return try await page.response {
            question
            section {
                h2 { "Its periods" }
                periods
            }
            div(.class("two")) {
                card("Its life") { life }
                div(.class("stack")) {
                    card("Facts") { factList }
                    if let charge = details.charge { card("The charge of the next period") { facts(of: charge) } }
                    if rules.offer != nil || rules.renewal.offer != nil { card("Offers") { offers } }
                    if let increase = rules.increase { card("Price increase") { facts(of: increase) } }
                }
            }
        }
    }

    // MARK: Periods

    private func newest<Entry>(_ entries: [Entry]) -> ArraySlice<Entry> {
        isWhole ? entries[...] : entries.suffix(Self.newest)
    }

    @HTMLBuilder private var periods: [any HTML] {
        let all = details.periods.filter { $0.restoredID == nil }
        let recent = newest(all)
        SubscriptionPicture(Array(recent), details).element
        DataTable(
            title: "Periods, the newest first",
            columns: [
                .text("Period"), .text("From"), .text("To"), .optional("Product"), .text("How"), .amount("Paid"),
            ],
            rows: zip(recent, recent.indices).reversed().map { period, index in
                [
                    [a(.href(visit.link("/transactions/\(period.id)"))) { "\(index + 1)" }],
                    [minute(period.purchaseDate)], [minute(period.expiresDate ?? period.purchaseDate)],
                    [shown.titles[period.itemID] ?? period.productID.text], Self.how(period),
                    [period.price.isZero ? "free" : text(period.price)],
                ]
            },
            empty: [p { "It has no period that is kept." }],
            next: recent.count < all.count ? visit.link(path, ("all", "yes")) : nil,
            nextText: "All \(all.count) periods"
        ).element
    }

    private static func how(_ period: StoreTransaction) -> [any HTML] {
        let word = period.reason == .renewal ? "renewed" : "bought"
        let offer = period.offer.map { $0.id.map { ", offer \($0)" } ?? ", introductory offer" } ?? ""
        let end: Element? =
            switch SubscriptionPicture.kind(of: period) {
            case .back: tag(.bad, period.revocation?.refund == nil ? "revoked" : "refunded")
            case .replaced: tag(.calm, "upgraded")
            default: nil
            }
        return [word + offer] + (end.map { [" ", $0] } ?? [])
    }

    // MARK: Its life

    @HTMLBuilder private var life: [any HTML] {
        let shown = newest(details.history)
        if shown.count < details.history.count {
            p(.class("muted")) {
                "The newest \(shown.count) of \(details.history.count) lines: "
                a(.href(visit.link(path, ("all", "yes")))) { "all" }
            }
        }
        ol(.class("life")) {
            for (line, index) in zip(shown, shown.indices) {
                let former = index > 0 ? details.history[index - 1] : nil
                li(.class(Self.mood(line))) {
                    minute(line.at)
                    p { SubscriptionSummary.sentence(line, after: former) }
                    if line.detail != nil || line.request != nil {
                        p(.class("more")) {
                            line.detail ?? ""
                            if let request = line.request {
                                line.detail == nil ? "" : " · "
                                a(.href(visit.link("/requests/\(PercentEncoding.encode(request))"))) {
                                    "request \(request)"
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private static func mood(_ line: SubscriptionChanges.Line) -> String {
        switch (line.event, line.state) {
        case (.declined, _), (.revoked, _), (.ended, _), (.priceRefused, _), (.due, .expired): "back"
        case (.due, .grace), (.due, .retry), (.turnedOff, _), (.priceRaised, _), (.shortened, _): "wait"
        default: "done"
        }
    }

    // MARK: Facts

    private var factList: Element {
        let (scope, plan) = (subscription.scope, plan)
        var entries: [(name: String, value: [any HTML])] = [
            ("Subscription", StoreWeb.name(subscription.original)),
            (
                "Product",
                [a(.href(visit.link("/apps/\(scope.bundle)/products/\(plan.product)"))) { dotted(plan.product.text) }]
            ),
            ("App", [a(.href(visit.link("/apps/\(scope.bundle)"))) { dotted(scope.bundle.text) }]),
            ("Customer", [a(.href(visit.link("/customers/\(scope.customer)"))) { who }]),
            ("Price", ["\(text(plan.price)) for \(plan.period.words)"]),
            ("Pays with", [details.method?.label ?? "nothing"]), ("Began", [minute(rules.beganAt)]),
            ("Counts until", [minute(rules.countsUntil)]), ("Renewals", ["\(rules.renewals)"]),
            ("Newest", [a(.href(visit.link("/transactions/\(subscription.latest)"))) { "\(subscription.latest)" }]),
            ("Storefront", [scope.storefront.name]),
        ]
        if let next = plan == rules.plan ? rules.next : rules.plan {
            entries.append(("Becomes", ["\(name(of: next)), \(text(next.price)) for \(next.period.words)"]))
        }
        if let group = subscription.group { entries.append(("Group", ["\(group)"])) }
        entries.append(("Grace period", [details.grace.map { "\($0.days) days" } ?? "none"]))
        if let token = subscription.accountToken { entries.append(("Account token", StoreWeb.name("\(token)"))) }
        return StoreWeb.facts(entries)
    }

    private func facts(of charge: StoredCharge) -> Element {
        var entries: [(name: String, value: [any HTML])] = [
            ("Charge", [a(.href(visit.link("/purchases/\(charge.id)"))) { "\(charge.id)" }]),
            ("Amount", [text(charge.amount)]), ("State", ["\(charge.state.rawValue), attempt \(charge.rules.attempt)"]),
        ]
        if let failure = charge.rules.failure { entries.append(("Failed", [SaleSummary.reason(failure)])) }
        if let next = rules.nextAttempt { entries.append(("Next attempt", [minute(next)])) }
        if let last = rules.retryEndsAt { entries.append(("Tried until", [minute(last)])) }
        return StoreWeb.facts(entries)
    }

    private var offers: Element {
        var entries: [(name: String, value: [any HTML])] = []
        if let offer = rules.offer {
            let left = rules.offerPeriodsLeft
            let rest = left > 0 ? ", \(left) more \(left == 1 ? "period" : "periods")" : ""
            entries.append(("Now", [SubscriptionSummary.text(offer) { text($0) } + rest]))
        }
        if let offer = rules.renewal.offer {
            entries.append(("Next", [SubscriptionSummary.text(offer) { text($0) }]))
        }
        return StoreWeb.facts(entries)
    }

    private func facts(of increase: PriceIncrease) -> Element {
        let state =
            increase.isAgreed
            ? "The customer has agreed." : increase.needsConsent ? "It waits for consent." : "It needs no consent."
        return StoreWeb.facts([
            ("From", [text(rules.plan.price)]), ("To", [text(increase.price)]), ("Told", [minute(increase.askedAt)]),
            ("State", [state]),
        ])
    }
}

extension BillingPeriod {
    /// As people read it.
    var words: String {
        let name =
            switch unit {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .year: "year"
            }
        return count == 1 ? "a \(name)" : "\(count) \(name)s"
    }
}
