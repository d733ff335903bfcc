import Foundation
import StoreHTTP
import StoreModel
import StoreService

/// How much a refund gives back: one field for the amount, which nothing else on the page contradicts, and a button that says
/// what it will do.
struct RefundFields {
    let visit: ConsoleVisit
    let sold: StoreTransaction
    /// What was paid and not given back.
    let rest: Money
    /// The unused share of a period, where it can be given back in place of an amount.
    var unused: Money?

    private func text(_ money: Money) -> String { visit.text(money, in: sold.storefront) }

    /// What a form with these fields asks for. An empty amount is all that is left.
    static func choice(_ input: FormInput) -> RefundChoice {
        RefundChoice(
            amount: amount(input.items), prorated: input["prorated"] == "yes", unused: input.text("unused"),
            revokes: input["revokes"] == "yes" ? true : nil)
    }

    private static func amount(_ items: QueryItems) -> String? {
        let amount = (items["amount"] ?? "").trimmingCharacters(in: .whitespaces)
        return amount.isEmpty ? nil : amount
    }

    @HTMLBuilder var content: [any HTML] {
        label {
            "How much, in \(sold.price.currency.code): "
            input(
                .name("amount"), .inputMode("decimal"), .placeholder(rest.decimalText), .longest(20), .class("short"),
                .isUnspelled)
        }
        p(.class("muted")) {
            "Nothing typed gives back all that is left, \(text(rest)), and the customer loses the purchase. With an amount the "
                + "customer keeps it, unless the box is ticked."
        }
        label {
            input(.type("checkbox"), .name("revokes"), .value("yes"))
            " With an amount, the customer loses it too"
        }
        if let unused {
            hidden("unused", unused.decimalText)
            label {
                input(.type("checkbox"), .name("prorated"), .value("yes"))
                " In place of an amount, the unused share of the period: \(text(unused)). The subscription ends."
            }
        }
    }

    /// What is typed and ticked chooses among its words, by the style sheet; the script puts in the amount as it is typed.
    ///
    /// - Parameter verb: what it does, as in "Refund".
    func button(_ verb: String) -> Element {
        let known = visit.sent.flatMap { Self.amount($0.items) }.flatMap {
            try? Money(decimal: $0, currency: sold.price.currency)
        }
        return StoreWeb.button(.class("primary says")) {
            span(.class("any")) { verb }
            span(.class("all")) { "\(verb) \(text(rest)), take it back" }
            span(.class("part")) {
                "\(verb) "
                span(.currency(sold.price.currency)) { known.map(text) ?? "this amount" }
                span(.class("taking")) { ", take it back" }
            }
            if let unused { span(.class("unused")) { "\(verb) \(text(unused)), take it back" } }
        }
    }
}
