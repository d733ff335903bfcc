import StoreModel
import StoreRules
import StoreService

/// The yes, and what is paid with.
extension PaymentSheetPage {
    var question: Element {
        form(.isPost, .action(link("/confirmation"))) {
            account
            if let code = status.purchase?.code { input(.type("hidden"), .name("code"), .value(code)) }
            // Who asks somebody else does not pay.
            if !isFree, content.approver == nil { payment() }
            password
            button(.class("primary"), preview == nil ? nil : .isDisabled) { yes }
            cancelButton
        }
    }

    @HTMLBuilder private var account: [any HTML] {
        if let account = content.account {
            div(.class("row between")) {
                span(.class("muted")) { text("sheet.account") }
                span { account }
            }
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
            account
            if let charge = status.charge {
                input(.type("hidden"), .name("attempt"), .value("\(charge.rules.attempt)"))
                let latest = content.tried.map(name(of:))
                let tried = declined.filter { $0 != latest } + [latest].compactMap(\.self)
                for card in tried { input(.type("hidden"), .name("declined"), .value(card)) }
                payment(after: tried)
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
    /// - Parameter declined: what comes last, the latest at the very end.
    @HTMLBuilder private func payment(after declined: [String] = []) -> [any HTML] {
        if case .choices = content.form {
            label(.for("method")) { text("sheet.method") }
            select(.id("method"), .name("method")) { cards(after: declined) }
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
            select(.id("method"), .name("method")) { cards(after: declined) }
        } else if !content.form.isMissing {
            div(.class("row between")) {
                span(.class("muted")) { text("sheet.method") }
                span { content.method?.label ?? text("sheet.no_method") }
            }
        }
    }

    /// The cards to choose from, of which the first one is chosen at first.
    private func cards(after declined: [String]) -> [any HTML] {
        var cards = content.methods.reversed().map { (name: name(of: $0), title: $0.label) }
        if case .choices(let choices) = content.form {
            let known = Set(content.methods.map(\.token))
            cards += choices.filter { !known.contains($0.token) }.map {
                (name: $0.token, title: "\($0.token): \($0.title)")
            }
        }
        let last = declined.compactMap { name in cards.first { $0.name == name } }
        return (cards.filter { !declined.contains($0.name) } + last).map { card in
            option(.value(card.name)) { card.title }
        }
    }

    private func name(of method: PaymentMethod) -> String {
        PaymentSheet.Choice.name(of: method, in: content.form)
    }
}
