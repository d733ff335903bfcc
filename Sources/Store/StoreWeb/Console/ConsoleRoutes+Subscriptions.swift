import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Subscriptions: the list, and the page of one with its whole life.
extension ConsoleRoutes {
    private static let subscription = PathParameter<SubscriptionID>(
        "subscriptionId", rule: "the number of a subscription, which is that of its first transaction"
    ) { SubscriptionID($0) }

    var subscriptionRoutes: [Route] {
        let one = "/subscriptions/{subscriptionId}"
        return [
            page("/subscriptions", for: .customers, .here) { try await Self.subscriptions($0) },
            page(one, for: .customers, .here) {
                try await SubscriptionPage.response($0, $0.request[Self.subscription])
            },
            page(one + "/{act}", for: .customers, .here) {
                try await SubscriptionPage.response($0, $0.request[Self.subscription], asking: $0.act())
            },
            form(one + "/{act}", for: .customers, .here) {
                try await Self.change($0, $1)
            } else: {
                try await SubscriptionPage.response($0, $0.request[Self.subscription], asking: $0.act())
            },
        ]
    }

    // MARK: The list

    /// By what subscriptions are sorted: by their numbers, which follow the time of their first purchase.
    // Closed: other columns have no index.
    private enum SubscriptionColumn: String { case bought }

    private static func subscriptions(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let (text, state) = (visit.query["q"] ?? "", visit.query["state"].flatMap(Subscription.State.init))
        let order = TableOrder<SubscriptionColumn>(visit.query, standard: .bought, isDescending: true)
        let looked = try await SubscriptionChanges(visit.store).list(
            .init(
                state: state, after: visit.query["after"].flatMap { SubscriptionID($0) },
                isOldestFirst: !order.isDescending, limit: rows + 1), narrowedTo: text)
        let found = looked.found
        var page = ConsolePage(visit: visit, title: "Subscriptions", place: .subscriptions)
        page.lede = "What renews by itself, \(order.isDescending ? "the newest first" : "the oldest first")."
        page.alternatives = [alternative(looked.selection, text)]
        func link(_ order: TableOrder<SubscriptionColumn>, after: SubscriptionID?) -> Link {
            visit.link(
                "/subscriptions", order, ("q", text.isEmpty ? nil : text), ("state", state?.rawValue),
                ("after", after?.description))
        }
        return try await page.response {
            subscriptionFilters(visit, text, state, order)
            subscriptionTable(
                visit, Array(found.prefix(rows)), of: looked.owners, titles: looked.titles,
                bought: order.heading(.bought, descendingFirst: true) { link($0, after: nil) },
                empty: noSubscriptions(isFiltered: !text.isEmpty || state != nil, visit),
                next: found.count > rows ? link(order, after: found[rows - 1].id) : nil)
        }
    }

    /// - Parameter customer: whose they are, if they are all of one.
    static func subscriptionTable(
        _ visit: ConsoleVisit, _ found: [StoredSubscription], of owners: [CustomerID: Customer] = [:],
        ofOne customer: Customer? = nil, titles: [ItemID: String], bought: DataTable.Sorting? = nil,
        empty: [any HTML] = [], next: Link? = nil
    ) -> [any HTML] {
        let columns: [DataTable.Column] = [
            .text("Subscription"), .optional("Customer"), .text("State"), .text("Renews or ends"), .amount("Then"),
            .optional("Bought", bought),
        ]
        return DataTable(
            title: "Subscriptions", columns: columns.filter { customer == nil || $0.title != "Customer" },
            rows: found.map { one in
                var cells = row(one, owners[one.scope.customer], titles, visit)
                if customer != nil { cells.remove(at: 1) }
                return cells
            }, empty: empty, next: next
        ).element
    }

    private static func alternative(
        _ selection: SubscriptionChanges.Selection, _ text: String
    ) -> ConsolePage.Alternative {
        let (name, value) = ("\(PercentEncoding.encode(text))", text)
        var (command, query) = ("subscriptions list", [String]())
        if let state = selection.state {
            command += " --state \(state.rawValue)"
            query.append("state=\(state.rawValue)")
        }
        let kind = selection.customer != nil ? "customer" : selection.app != nil ? "app" : "product"
        if !text.isEmpty {
            command += " --\(kind) \(value)"
            query.append("\(kind)=\(name)")
        }
        return .init(
            command: command,
            request: "/subscriptions" + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
    }

    private static func subscriptionFilters(
        _ visit: ConsoleVisit, _ text: String, _ state: Subscription.State?, _ order: TableOrder<SubscriptionColumn>
    ) -> Element {
        StoreWeb.form(.class("filters"), .action(visit.link("/subscriptions"))) {
            input(
                .name("q"), .value(text), .label("E-mail, customer, app or product"), .isUnspelled, .longest(254),
                .placeholder("E-mail, customer, app or product"))
            select(.name("state"), .label("How they stand")) {
                option(.value("")) { "All" }
                for one in Subscription.State.allCases {
                    option(.value(one.rawValue), one == state ? .isSelected : nil) {
                        SubscriptionSummary.word(one).capitalizedFirst
                    }
                }
            }
            order.fields
            button { "Show" }
        }
    }

    private static func row(
        _ one: StoredSubscription, _ customer: Customer?, _ titles: [ItemID: String], _ visit: ConsoleVisit
    ) -> [[any HTML]] {
        let (rules, plan) = (one.rules, one.rules.plan)
        let renews = rules.state == .active && rules.renews
        return [
            [
                a(.href(visit.link("/subscriptions/\(one.id)"))) { titles[plan.item] ?? plan.product.text },
                span(.class("faint app")) { " · \(one.scope.bundle)" },
            ],
            [
                a(.href(visit.link("/customers/\(one.scope.customer)"))) {
                    customer.map { $0.email.isEmpty ? "deleted, \($0.id)" : $0.email } ?? "\(one.scope.customer)"
                }
            ],
            [rules.tag],
            [minute(rules.countsUntil)],
            [renews ? visit.text(rules.renewalPrice, in: one.scope.storefront) : span(.class("faint")) { "–" }],
            [minute(rules.beganAt)],
        ]
    }

    @HTMLBuilder private static func noSubscriptions(isFiltered: Bool, _ visit: ConsoleVisit) -> [any HTML] {
        if isFiltered {
            p { "Nothing of this kind." }
        } else {
            p { "Nobody has subscribed to anything yet. Without an app:" }
            ul {
                li { code { visit.command("buy PRODUCT --app BUNDLE --customer EMAIL") } }
            }
        }
    }

    // MARK: Doing something

    private static func change(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (id, changes, cause) = (try visit.request[subscription], SubscriptionChanges(visit.store), visit.cause)
        let act = try visit.act(SubscriptionAct.self)
        switch act {
        case .cancellation: _ = try await changes.renew(id, false, cause)
        case .resumption: _ = try await changes.renew(id, true, cause)
        case .expiry: _ = try await changes.expire(id, cause)
        case .renewal: _ = try await changes.forceRenewal(id, cause)
        case .agreement: _ = try await changes.answerPrice(id, agrees: true, cause)
        case .refusal: _ = try await changes.answerPrice(id, agrees: false, cause)
        case .failure: try await changes.pay(for: id, with: input["method"], cause)
        case .resolution:
            if !input["method"].isEmpty { try await changes.pay(for: id, with: input["method"], cause) }
            let resolved = try await changes.resolve(id, cause)
            if resolved.state == .grace || resolved.state == .retry {
                throw ServiceError(
                    .stateWrong, "it could not be paid; let the customer pay with something else", parameter: "method")
            }
        }
        return visit.link("/subscriptions/\(id)", done: act == .renewal ? .renewed : .changed)
    }
}

extension Subscription {
    /// How it stands, in a word.
    var tag: Element {
        let mood: Mood =
            switch state {
            case .active: renews ? .good : .warn
            case .grace: .warn
            case .retry: .bad
            case .expired, .revoked: .calm
            }
        return StoreWeb.tag(mood, state == .active && !renews ? "ends" : SubscriptionSummary.word(state))
    }
}

/// An instant to the minute, in GMT; exactly, when one points at it.
func minute(_ instant: Instant) -> Element {
    time(.dateTime(instant.rfc3339), .title(instant.rfc3339Milliseconds)) {
        String(instant.rfc3339.prefix(16)).replacing("T", with: " ")
    }
}

extension String {
    /// The same with a capital letter at its beginning.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
