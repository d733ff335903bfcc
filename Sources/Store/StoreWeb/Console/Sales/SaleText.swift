import StoreCatalogue
import StoreModel
import StoreRules
import StoreService

/// Purchases in words.
struct SaleText {
    let visit: ConsoleVisit

    /// How a sale stands, in a word.
    static func tag(_ status: SaleStatus, isFinished: Bool) -> Element {
        if let bought = status.bought {
            if let revocation = bought.revocation {
                return StoreWeb.tag(.warn, revocation.refund == nil ? "revoked" : "refunded")
            }
            return isFinished ? StoreWeb.tag(.good, "bought and finished") : StoreWeb.tag(.warn, "not finished")
        }
        let words = SaleSummary.words(status.state)
        return StoreWeb.tag(mood(status.state), words.replacing(#/^(is|has) /#, with: ""))
    }

    private static func mood(_ state: SaleState) -> Mood {
        switch state {
        case .signIn, .confirmation, .authorising, .capturing, .cancelled: .calm
        case .interrupted, .approval, .action, .voiding: .warn
        case .declined, .failed: .bad
        case .purchased: .good
        }
    }

    static func mood(_ entry: SaleHistoryEntry) -> String {
        switch entry.event {
        case .declined, .prevented, .cancelled, .expired, .refused, .authorisationRefused, .captureRefused, .refunded:
            "back"
        case .actionNeeded, .interrupted, .approvalAsked, .authorisedInVain, .lateAuthorisationVoided, .givenUp: "wait"
        case .opened, .ordered, .confirmed, .approved, .signedIn, .pricedAnew, .interruptionSettled, .authorised,
            .captured, .voided, .released, .triedAgain, .settledAsVoided, .refundReversed:
            "done"
        }
    }

    /// What it is about, with the way there.
    func what(_ status: SaleStatus, titles: [ItemID: String]) throws -> [any HTML] {
        let terms = try status.terms
        let link =
            status.bought.map { visit.link("/transactions/\($0.id)") } ?? visit.link("/purchases/\(status.id)")
        return [
            a(.href(link)) { titles[terms.item.id] ?? terms.item.product.text },
            span(.class("faint")) { terms.quantity > 1 ? " × \(terms.quantity)" : "" },
            span(.class("faint app")) { " · \(terms.bundle)" },
        ]
    }

    /// A table of sales.
    func table(
        _ title: String, _ found: [SaleSearch.Found], titles: [ItemID: String], ofOne isOfOne: Bool = false,
        empty: [any HTML], when: DataTable.Sorting? = nil, next: (text: String, link: Link)? = nil
    ) throws -> [any HTML] {
        let rows = try found.map { sale -> [[any HTML]] in
            let terms = try sale.status.terms
            let owner =
                sale.customer.map { customer -> any HTML in
                    a(.href(visit.link("/customers/\(customer.id)"))) {
                        customer.email.isEmpty ? "deleted, \(customer.id)" : customer.email
                    }
                } ?? span(.class("faint")) { "nobody yet" }
            return [[ago(sale.status.changedAt, visit.now)], try what(sale.status, titles: titles)]
                + (isOfOne ? [] : [[owner]])
                + [
                    [Self.tag(sale.status, isFinished: sale.isFinished)],
                    [sale.status.isFree ? "free" : visit.text(terms.total, in: terms.item.storefront)],
                ]
        }
        return DataTable(
            title: title,
            columns: [.text("When", when), .text("What")] + (isOfOne ? [] : [.optional("Customer")])
                + [.text("State"), .amount("Amount")], rows: rows, empty: empty, next: next?.link,
            nextText: next?.text ?? ""
        ).element
    }
}
