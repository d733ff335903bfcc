import Foundation
import StoreCatalogue
import StoreModel
import StoreRules
import StoreService

/// What can be done with a sale, and what is asked before.
extension SalePage {
    @HTMLBuilder var actions: [any HTML] {
        if let sold, visit.may(.secrets) { NotificationsSection.told(of: sold.id, in: sold.bundleID, visit) }
        if asking?.isQuestion != true, visit.may(.customers, change: true) {
            if let sold, let details {
                if details.finishedAt == nil, sold.revocation == nil { act(.finish, "Finish") }
                if sold.revocation == nil { act(.redelivery, "Deliver again") }
                if sold.revocation == nil {
                    a(.class("button danger"), .href(visit.link("/transactions/\(sold.id)/revocation"))) { "Revoke…" }
                    if !details.rest.isZero {
                        a(.class("button danger"), .href(visit.link("/transactions/\(sold.id)/refund"))) { "Refund…" }
                        refundQuestion(sold)
                    }
                }
            } else if let status {
                if let code = status.purchase?.code, status.state == .confirmation {
                    purchaseForm(status, .approval, "Say yes", kind: "primary", [("code", code)])
                }
                if status.state == .interrupted { purchaseForm(status, .settlement, "Settle it") }
                if status.purchase?.state == .approval {
                    purchaseForm(status, .parentalApproval, "Approve", kind: "primary")
                    purchaseForm(status, .parentalRefusal, "Decline")
                    if let approval { a(.class("button"), .href(approval), .rel("noreferrer")) { "The parent’s page" } }
                }
                if status.purchase?.state.waitsForPerson == true || status.state == .choosing {
                    purchaseForm(status, .cancellation, "Cancel it")
                }
            }
        }
    }

    private func refundQuestion(_ sold: StoreTransaction) -> Element {
        StoreWeb.asking(
            "Ask for a refund…", "A request in the customer’s name, for the desk; nothing is given back yet."
        ) {
            visit.form("/transactions/\(sold.id)/\(SaleAct.question.rawValue)", .class("fields")) {
                select(.name("reason"), .label("Reason")) {
                    for reason in RefundRequestReason.known.map(\.rawValue).sorted() {
                        option(.value(reason)) { reason.lowercased().replacing("_", with: " ") }
                    }
                }
                field("note", "In the customer’s words")
                button { "Ask" }
            }
        }
    }

    private func act(_ act: SaleAct, _ text: String) -> Element {
        visit.form("/transactions/\(sold?.id.description ?? "")/\(act.rawValue)") {
            button { text }
        }
    }

    private func purchaseForm(
        _ status: SaleStatus, _ act: PurchaseAct, _ text: String, kind: String? = nil, _ more: [(String, String)] = []
    ) -> Element {
        visit.form("/purchases/\(status.id)/\(act.rawValue)") {
            for (name, value) in more { hidden(name, value) }
            button(kind.map { .class($0) }) { text }
        }
    }

    /// What will happen, in numbers, and the button that does it.
    @HTMLBuilder var question: [any HTML] {
        if let asking, asking.isQuestion, let sold, let details {
            let amount = RefundFields(visit: visit, sold: sold, rest: details.rest)
            visit.form("/transactions/\(sold.id)/\(asking.rawValue)", .class("card ask")) {
                h2 { asking == .refund ? "Refund" : "Revoke" }
                p { consequence(of: asking, sold, details) }
                if asking == .refund {
                    hidden("key", UUID().uuidString.lowercased())
                    amount.content
                }
                label {
                    "Why: "
                    select(.name("reason")) {
                        option(.value("other")) { "another reason" }
                        option(.value("issue")) { "an issue with the app" }
                    }
                }
                div(.class("row")) {
                    asking == .refund ? amount.button("Refund") : button(.class("primary")) { "Revoke" }
                    a(.class("button"), .href(visit.link("/transactions/\(sold.id)"))) { "Back" }
                }
            }
        }
    }

    private func consequence(of act: SaleAct, _ sold: StoreTransaction, _ details: OperatorTransactions.Details)
        -> String
    {
        let who = "customer \(sold.customerID)"
        let proceeds = details.ledger.flatMap(\.postings).filter { $0.account.name.hasPrefix("proceeds/") }
        let leaves = proceeds.reduce(Money.zero(sold.price.currency)) { sum, posting in
            (try? sum - posting.amount) ?? sum
        }
        guard act == .refund else {
            return "\(who.capitalized) loses \(name); no money moves. Every device of theirs is told."
        }
        return
            "If all is given back, \(who) loses \(name), gets \(visit.text(details.rest, in: sold.storefront)), and "
            + "\(visit.text(leaves, in: sold.storefront)) leaves the proceeds. Every device of theirs is told."
    }
}
