import Foundation
import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Subscriptions: the list, and the page of one with its whole life.
struct SubscriptionsSection: ConsoleSection {
    let services: ConsoleServices

    private static let subscription = PathParameter<SubscriptionID>(
        "subscriptionId", rule: "the number of a subscription, which is that of its first transaction"
    ) { SubscriptionID($0) }

    var routes: [Route] {
        let one = "/subscriptions/{subscriptionId}"
        return [
            page("/subscriptions", for: .customers, .here, list),
            page(one, for: .customers, .here) {
                try await SubscriptionPage.response($0, $0.request[Self.subscription])
            },
            page(one + "/{act}", for: .customers, .here) {
                try await SubscriptionPage.response($0, $0.request[Self.subscription], asking: $0.act())
            },
            form(one + "/{act}", for: .customers, .here) {
                try await change($0, $1)
            } else: {
                try await SubscriptionPage.response($0, $0.request[Self.subscription], asking: $0.act())
            },
        ]
    }

    // MARK: The list

    /// By what subscriptions are sorted: by their numbers, which follow the time of their first purchase.
    // Closed: other columns have no index.
    private enum SubscriptionColumn: String { case bought }

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let filter = ListFilter(visit, "/subscriptions", choices: ["state"])
        let (text, state) = (filter.text, visit.query["state"].flatMap(Subscription.State.init))
        let order = TableOrder<SubscriptionColumn>(visit.query, standard: .bought, isDescending: true)
        var selection = SubscriptionChanges.Selection(
            state: state, after: visit.query["after"].flatMap { SubscriptionID($0) },
            isOldestFirst: !order.isDescending, limit: filter.problem == nil ? filter.rows + 1 : 0)
        selection.endsIn = filter.period
        let looked = try await SubscriptionChanges(visit.store).list(selection, narrowedTo: text)
        let (found, rows) = (looked.found, filter.rows)
        var page = ConsolePage(visit: visit, title: "Subscriptions", place: .subscriptions)
        page.lede = "What renews by itself, \(order.isDescending ? "the newest first" : "the oldest first")."
        page.alternatives = [alternative(looked.selection, text)]
        page.exported = "subscriptions"
        page.exportedFrom = filter.link(order)
        if filter.problem != nil { page.status = .badRequest }
        return try await page.response {
            filter.form(by: "E-mail, customer, app or product", days: "Period ends", order: order.fields) {
                filter.choice(
                    "state", "How they stand",
                    Subscription.State.allCases.map { ($0.rawValue, SubscriptionSummary.word($0).capitalizedFirst) })
            }
            SubscriptionTable(
                visit: visit, found: Array(found.prefix(rows)), owners: looked.owners, titles: looked.titles,
                bought: order.heading(.bought, descendingFirst: true) { filter.link($0) },
                empty: none(isFiltered: filter.isNarrow, visit),
                next: found.count > rows && rows > 0
                    ? filter.link(order, ("after", found[rows - 1].id.description)) : nil
            ).element
        }
    }

    private func alternative(
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

    @HTMLBuilder private func none(isFiltered: Bool, _ visit: ConsoleVisit) -> [any HTML] {
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

    private func change(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (id, changes, cause) = (try visit.request[Self.subscription], SubscriptionChanges(visit.store), visit.cause)
        let act = try visit.act(SubscriptionAct.self)
        switch act {
        case .cancellation: _ = try await changes.renew(id, false, cause)
        case .resumption: _ = try await changes.renew(id, true, cause)
        case .extension: try await extend(id, visit, input)
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

    private func extend(_ id: SubscriptionID, _ visit: ConsoleVisit, _ input: FormInput) async throws {
        do {
            _ = try await SubscriptionExtensions(visit.store).extend(
                id.original, of: nil,
                by: ExtensionRequest(
                    days: Int(input["days"]), reason: Int(input["reason"]), identifier: UUID().uuidString.lowercased()),
                visit.cause)
        } catch let error as ServerAPIError {
            throw error.refusal
        }
    }
}
