import StoreCatalogue
import StoreModel
import StoreRules
import StoreService

/// Purchases in words.
struct SaleText {
    let visit: ConsoleVisit

    /// How long an app may take to finish what was paid before somebody has to look.
    private static let patience = Duration.seconds(24 * 60 * 60)

    /// How a sale stands: its money in a word, and once that is there, whether the app has delivered what was bought.
    static func standing(_ status: SaleStatus, isFinished: Bool, at now: Instant) -> Element {
        span(.class("standing")) {
            if let bought = status.bought {
                if let revocation = bought.revocation {
                    tag(.warn, revocation.refund == nil ? "revoked" : "refunded")
                } else {
                    tag(.good, status.isFree ? "free" : "paid")
                    delivery(isFinished: isFinished, isLate: now > status.changedAt + patience)
                }
            } else {
                tag(mood(status.state), SaleSummary.words(status.state).replacing(#/^(is|has) /#, with: ""))
            }
        }
    }

    private static func delivery(isFinished: Bool, isLate: Bool) -> Element {
        isFinished
            ? span(.class("delivery done"), .title("The app has finished it.")) { "delivered" }
            : span(.class(isLate ? "delivery late" : "delivery"), .title("The app has not finished it.")) {
                "waits for its app"
            }
    }

    private static func mood(_ state: SaleState) -> Mood {
        switch state {
        case .signIn, .confirmation, .authorising, .capturing, .cancelled: .calm
        case .interrupted, .approval, .action, .choosing, .voiding: .warn
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
    ///
    /// - Parameter isByDay: whether each day has a heading, below which rows have times.
    func table(
        _ title: String, _ found: [SaleSearch.Found], titles: [ItemID: String], ofOne isOfOne: Bool = false,
        isByDay: Bool = false, empty: [any HTML], when: DataTable.Sorting? = nil,
        next: (text: String, link: Link)? = nil
    ) throws -> [any HTML] {
        let rows = try found.map { sale -> [[any HTML]] in
            let terms = try sale.status.terms
            let owner =
                sale.customer.map { customer -> any HTML in
                    a(.href(visit.link("/customers/\(customer.id)"))) {
                        customer.email.isEmpty ? "deleted, \(customer.id)" : customer.email
                    }
                } ?? span(.class("faint")) { "nobody yet" }
            // The heading has the day.
            let link = visit.link(sale.status.bought.map { "/transactions/\($0.id)" } ?? "/purchases/\(sale.status.id)")
            let when =
                isByDay
                ? a(.href(link)) { clockTime(sale.status.openedAt) } : ago(sale.status.changedAt, visit.now)
            return [[when], try what(sale.status, titles: titles)]
                + (isOfOne ? [] : [[owner]])
                + [
                    [Self.standing(sale.status, isFinished: sale.isFinished, at: visit.now)],
                    [sale.status.isFree ? "free" : visit.money(terms.total, in: terms.item.storefront)],
                ]
        }
        return DataTable(
            title: title,
            columns: [.text(isByDay ? "When, UTC" : "When", when), .text("What")]
                + (isOfOne ? [] : [.optional("Customer")])
                + [.text("State"), .amount("Amount")], rows: rows, empty: empty, next: next?.link,
            nextText: next?.text ?? "", isOfLinks: isByDay,
            headings: isByDay ? dayHeadings(found.map(\.status.openedAt)) : [:]
        ).element
    }
}
