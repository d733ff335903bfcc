import StoreModel
import StoreRules
import StoreService

/// The yes, and what is paid with.
extension PaymentSheetPage {
    var question: Element {
        form(.isPost, .action(link("/confirmation"))) {
            if let account = content.account {
                div(.class("row between")) {
                    span(.class("muted")) { text("sheet.account") }
                    span { account }
                }
            }
            if let code = status.purchase?.code { input(.type("hidden"), .name("code"), .value(code)) }
            // Who asks somebody else does not pay.
            if !isFree, content.approver == nil { payment() }
            password
            button(.class("primary"), preview == nil ? nil : .isDisabled) { yes }
            cancelButton
        }
    }

    private var yes: String {
        if let approver = content.approver {
            return approver.name.isEmpty ? text("sheet.ask_somebody") : text("sheet.ask", ["name": approver.name])
        }
        return isFree ? text("sheet.get") : amount
    }

    private var amount: String { text("sheet.buy", ["price": (try? status.terms.total).map(price) ?? ""]) }

    /// A card was declined: the others, and a new one.
    @HTMLBuilder var choice: [any HTML] {
        outcome("warn", text("sheet.choose"))
        form(.class("next"), .isPost, .action(link("/payment"))) {
            if let charge = status.charge {
                input(.type("hidden"), .name("attempt"), .value("\(charge.rules.attempt)"))
                payment(after: charge.paymentMethod)
            }
            password
            button(.class("primary")) { amount }
            cancelButton
        }
    }

    @HTMLBuilder private var password: [any HTML] {
        if environment == .production, !isProven {
            label(.for("password")) { text("sheet.password") }
            input(
                .id("password"), .name("password"), .type("password"), .autocomplete("current-password"), .isRequired,
                .hasAutofocus)
        }
    }

    /// What is paid with: the means that the account has, and what the processor has to choose from.
    ///
    /// - Parameter declined: the one that comes last.
    @HTMLBuilder private func payment(after declined: PaymentMethodID? = nil) -> [any HTML] {
        let own = content.methods.reversed().filter { $0.id != declined }
        let last = content.methods.filter { $0.id == declined }
        if case .choices(let choices) = content.form {
            let known = Set(content.methods.map(\.token))
            label(.for("method")) { text("sheet.method") }
            select(.id("method"), .name("method")) {
                for method in own { entry(of: method) }
                for choice in choices where !known.contains(choice.token) {
                    option(.value(choice.token)) { "\(choice.token): \(choice.title)" }
                }
                for method in last { entry(of: method) }
            }
            if (try? status.terms.item.kind) == .autoRenewable {
                p(.class("muted")) { text("sheet.keeps") }
            } else {
                label {
                    input(.type("checkbox"), .name("remember"), .value("yes"))
                    " " + text("sheet.remember")
                }
            }
        } else if content.methods.count > 1 {
            label(.for("method")) { text("sheet.method") }
            select(.id("method"), .name("method")) { for method in own + last { entry(of: method) } }
        } else if !content.form.isMissing {
            div(.class("row between")) {
                span(.class("muted")) { text("sheet.method") }
                span { content.method?.label ?? text("sheet.no_method") }
            }
        }
    }

    private func entry(of method: PaymentMethod) -> Element {
        option(.value(PaymentSheet.Choice.name(of: method, in: content.form))) { method.label }
    }
}
