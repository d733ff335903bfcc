import StoreCatalogue
import StoreModel
import StoreRules
import StoreService

/// A list of subscriptions, on a page of its own or on that of a customer.
struct SubscriptionTable {
    let visit: ConsoleVisit
    let found: [SubscriptionChanges.Entry]
    var owners: [CustomerID: Customer] = [:]
    /// Whose they are, if they are all of one.
    var customer: Customer?
    let titles: [ItemID: String]
    /// How the list is sorted, where it can be.
    var bought: DataTable.Sorting?
    var empty: [any HTML] = []
    var next: Link?

    var element: [any HTML] {
        let columns: [DataTable.Column] = [
            .text("Subscription"), .optional("Customer"), .text("State"), .text("Renews or ends"), .amount("Then"),
            .optional("Bought", bought),
        ]
        return DataTable(
            title: "Subscriptions", columns: columns.filter { customer == nil || $0.title != "Customer" },
            rows: found.map { one in
                var cells = row(one, owners[one.subscription.scope.customer])
                if customer != nil { cells.remove(at: 1) }
                return cells
            }, empty: empty, next: next
        ).element
    }

    private func row(_ entry: SubscriptionChanges.Entry, _ customer: Customer?) -> [[any HTML]] {
        let (one, plan) = (entry.subscription, entry.plan)
        let rules = one.rules
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
            [renews ? visit.text(rules.renewalPrice(), in: one.scope.storefront) : span(.class("faint")) { "–" }],
            [minute(rules.beganAt)],
        ]
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
