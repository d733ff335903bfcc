import StoreModel
import StoreRules
import StoreService

/// What shall happen to the next payment of somebody, a button each, on the page of the customer.
struct OutcomesCard {
    let visit: ConsoleVisit
    let account: Accounts.Account
    let family: Family?
    /// The newest purchase whose money can be given back.
    let refundable: TransactionID?

    private var customer: Customer { account.customer }
    private var isSandbox: Bool { visit.environment == .sandbox }

    /// What one came to do stands first: the next payment, then the next purchase, then what follows.
    var element: Element {
        card(isSandbox ? "The next outcome" : "The account") {
            div(.class("outcomes")) {
                if isSandbox { group("The next payment") { payments } }
                if !purchases.isEmpty { group("The next purchase") { purchases } }
                if isSandbox || refundable != nil { group("What follows") { following } }
                group("The account") {
                    button(path: "recovery", "make a link to another password", value: "", isOn: false)
                    button(
                        .purchases, customer.purchasesAllowed ? "forbid purchases" : "allow purchases",
                        value: customer.purchasesAllowed ? "off" : "on", isOn: false)
                }
            }
            if isSandbox { rate }
        }
    }

    private func group(_ title: String, @HTMLBuilder _ buttons: () -> [any HTML]) -> Element {
        let buttons = buttons()
        return div(.role("group"), .label(title)) {
            h3 { title }
            div(.class("buttons")) { buttons }
        }
    }

    private var payments: [any HTML] {
        let method = account.methods.last?.token
        return [
            ("test_approved", "is approved"), ("test_declined", "is declined"),
            ("test_insufficient_funds", "lacks the money"), ("test_action_needed", "needs the bank"),
        ].map { token, title in button(.payment, title, value: token, isOn: method == token) }
    }

    @HTMLBuilder private var purchases: [any HTML] {
        if isSandbox {
            button(
                .interruption, "is interrupted", value: customer.interruptsPurchases ? "off" : "on",
                isOn: customer.interruptsPurchases)
        }
        // Of a family, children ask; without one only testers do.
        if isSandbox && family == nil || family?[customer.id]?.role == .child {
            button(.askToBuy, "asks a parent", value: customer.asksToBuy ? "off" : "on", isOn: customer.asksToBuy)
        }
    }

    @HTMLBuilder private var following: [any HTML] {
        if let refundable {
            a(.class("button"), .href(visit.link("/transactions/\(refundable)/refund"))) {
                "refund the newest purchase…"
            }
        }
        if isSandbox {
            button(path: "clock/\(ClockAct.advance.rawValue)", "clock +1 month", value: "1mo", isOn: false)
        }
    }

    private func button(_ act: CustomerAct, _ title: String, value: String, isOn: Bool) -> Element {
        button(path: act.rawValue, title, value: value, isOn: isOn)
    }

    private func button(path: String, _ title: String, value: String, isOn: Bool) -> Element {
        visit.form("/customers/\(customer.id)/\(path)") {
            hidden("value", value)
            StoreWeb.button(isOn ? .class("on") : nil, isOn ? .pressed : nil) { title }
        }
    }

    /// How long a month of the tester's subscriptions lasts.
    private var rate: Element {
        let current = customer.renewalRate ?? .fiveMinutes
        return visit.edit("/customers/\(customer.id)/renewal-rate", .class("fields rate")) {
            div {
                label(.for("renewal-rate")) { "A month of a subscription lasts" }
                select(.id("renewal-rate"), .name("value")) {
                    for rate in RenewalRate.known.sorted(by: { $0.length < $1.length }) {
                        option(.value(rate.rawValue), rate == current ? .isSelected : nil) {
                            rate == .realTime ? "a month" : rate.word.replacing("-", with: " ")
                        }
                    }
                }
            }
            StoreWeb.button { "Set it" }
        }
    }
}
