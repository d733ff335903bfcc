import StoreCatalogue
import StoreDatabase
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
        return switch status.state {
        case "sign-in": StoreWeb.tag(.calm, "waits for a sign-in")
        case "confirmation": StoreWeb.tag(.calm, "waits for a yes")
        case "interrupted": StoreWeb.tag(.warn, "interrupted")
        case "approval": StoreWeb.tag(.warn, "waits for a parent")
        case "action": StoreWeb.tag(.warn, "waits for the bank")
        case "authorising", "capturing": StoreWeb.tag(.calm, "is being paid")
        case "voiding": StoreWeb.tag(.warn, "lets go of the money")
        case "declined": StoreWeb.tag(.bad, "declined")
        case "cancelled": StoreWeb.tag(.calm, "cancelled")
        case "purchased": StoreWeb.tag(.good, "bought")
        default: StoreWeb.tag(.bad, "failed")
        }
    }

    /// What happened, of a line of the history.
    static func sentence(_ entry: SaleHistoryEntry) -> String {
        let who = entry.actor == "operator" ? " by an operator" : ""
        return switch entry.event {
        case "opened": "Asked for"
        case "ordered": "Ordered\(who)"
        case "signed-in": "Somebody signed in on the device"
        case "priced-anew": "It costs something else there, and was asked again"
        case "confirmed": "Confirmed\(who)"
        case "interrupted": "Confirmed, but the customer has to settle something with the store first"
        case "approval-asked": "Confirmed, and waits for a parent"
        case "approved": "Approved\(entry.actor == "approver" ? " by a parent" : who)"
        case "refused": "Declined\(entry.actor == "approver" ? " by a parent" : who)"
        case "interruption-settled": "What interrupted it was settled\(who)"
        case "cancelled": entry.actor == "customer" ? "Cancelled by the customer" : "Cancelled\(who)"
        case "expired": "Nobody confirmed it in time"
        case "prevented": "It could not be sold"
        case "authorised": "The money was reserved"
        case "authorised-in-vain": "The money was reserved too late, and is let go of"
        case "declined": "The payment was declined"
        case "action-needed": "The bank asked the customer for a confirmation"
        case "authorisation-refused": "The processor refused to reserve the money"
        case "captured": "The money was taken"
        case "capture-refused": "The processor refused to take the money"
        case "voided", "released": "The money was let go of"
        case "tried-again": "Tried once more"
        case "given-up": "Given up"
        case "settled-as-voided": "An operator said that the money was let go of"
        case "refunded": "Money was given back"
        default: entry.event.replacing("-", with: " ")
        }
    }

    static func mood(_ entry: SaleHistoryEntry) -> String {
        switch entry.event {
        case "declined", "prevented", "cancelled", "expired", "refused", "authorisation-refused", "capture-refused",
            "refunded":
            "back"
        case "action-needed", "interrupted", "approval-asked", "authorised-in-vain", "given-up": "wait"
        default: "done"
        }
    }

    /// What it is about, with the way there.
    func what(_ status: SaleStatus, names: [ItemID: String]) throws -> [any HTML] {
        let terms = try status.terms
        let link =
            status.bought.map { visit.link("/transactions/\($0.id)") } ?? visit.link("/purchases/\(status.id)")
        return [
            a(.href(link)) { names[terms.item.id] ?? terms.item.product.text },
            span(.class("faint")) { terms.quantity > 1 ? " × \(terms.quantity)" : "" },
            span(.class("faint app")) { " · \(terms.bundle)" },
        ]
    }

    /// A table of sales.
    func table(
        _ title: String, _ found: [SaleSearch.Found], names: [ItemID: String], ofOne isOfOne: Bool = false,
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
            return [[ago(sale.status.changedAt, visit.now)], try what(sale.status, names: names)]
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

extension ConsoleVisit {
    /// What the products of some sales are called.
    func names(of items: [ItemID]) async throws -> [ItemID: String] {
        try await desk.catalogue.read { try Catalogue.titles(of: items, in: $0) }
    }
}
