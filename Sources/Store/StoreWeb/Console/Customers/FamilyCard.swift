import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// The family of a customer, on the page of the customer: who is in it, and who is taken in or out.
struct FamilyCard {
    let visit: ConsoleVisit
    let customer: Customer
    let family: Family?

    private var mayChange: Bool {
        visit.may(.customers, change: true) && customer.deletedAt == nil && customer.spentAt == nil
    }

    @HTMLBuilder var content: [any HTML] {
        if let family {
            ul {
                for member in family.members {
                    li {
                        a(.href(visit.link("/customers/\(member.customer)"))) { member.email }
                        span(.class("faint")) { " \(member.role.rawValue)" }
                        if member.asksToBuy { span(.class("faint")) { ", asks before it buys" } }
                        for app in member.withdrawnApps { span(.class("faint")) { ", may not use \(app)" } }
                    }
                }
            }
            if mayChange {
                if let own = family[customer.id], own.role == .child { consents(own) }
                if family.members.count < Family.limit { joining }
                leaving(family)
            }
        } else {
            p(.class("muted")) { "In no family." }
            if mayChange { form(.family, customer.email) { button { "Make a family" } } }
        }
    }

    @HTMLBuilder private func consents(_ child: Family.Member) -> [any HTML] {
        for app in child.withdrawnApps { form(.consent, "\(app)") { button { "Let \(child.email) use \(app) again" } } }
        asking(
            "Withdraw the consent to an app…",
            "\(child.email) buys nothing in the app from then on, and its developer is told. What is owned stays."
        ) {
            form(.consentWithdrawal, "") {
                label {
                    "App: "
                    input(.name("app"), .isRequired, .isUnspelled, .longest(BundleID.longest))
                }
                button(.class("primary")) { "Withdraw it" }
            }
        }
    }

    private func leaving(_ family: Family) -> Element {
        let (others, isOrganiser) = (family.members.count - 1, family.organiser == customer.id)
        let text = isOrganiser ? "End this family" : "Leave the family"
        return asking(
            text + "…",
            isOrganiser
                ? "\(others) \(others == 1 ? "member loses" : "members lose") what is shared with them."
                : "\(customer.email) loses what the family shares, and what the family has of them is taken back."
        ) { form(.familyLeaving, customer.email) { button(.class("primary")) { text } } }
    }

    private var joining: Element {
        form(.familyMember, "") {
            label {
                "E-mail or number: "
                input(.name("member"), .isRequired, .isUnspelled, .longest(254))
            }
            label {
                "As: "
                select(.name("role")) {
                    option(.value("adult")) { "adult" }
                    option(.value("child")) { "child, who asks before it buys" }
                }
            }
            button { "Take in" }
        }
    }

    private func form(_ act: CustomerAct, _ value: String, @HTMLBuilder _ content: () -> [any HTML]) -> Element {
        let inner = content()
        return visit.form("/customers/\(customer.id)/\(act.rawValue)") {
            hidden("value", value)
            for one in inner { one }
        }
    }
}
