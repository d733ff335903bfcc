import Foundation
import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// How long subscriptions of an app count that could not be paid.
struct GraceForm {
    let visit: ConsoleVisit
    let app: CatalogueApp
    let setting: GracePeriodSetting

    var element: Element {
        asking("Another grace period…", "So long a subscription counts that could not be paid, from its next lapse on.")
        {
            visit.edit("/apps/\(app.bundleID)/grace-period", .class("fields")) {
                select(.name("days"), .label("Days")) {
                    for days in [nil] + GracePeriod.lengths.sorted().map(Optional.some) {
                        option(.value(days.map(String.init) ?? ""), days == setting.grace?.days ? .isSelected : nil) {
                            days.map { "\($0) days" } ?? "none"
                        }
                    }
                }
                select(.name("production"), .label("Where")) {
                    option(.value("")) { "in the sandbox" }
                    option(.value("on"), setting.isInProduction ? .isSelected : nil) { "in production too" }
                }
                button { "Set it" }
            }
        }
    }

    static func draft(_ input: FormInput) -> GracePeriodDraft {
        GracePeriodDraft(
            days: input["days"].isEmpty ? 0 : Int(input["days"]) ?? -1, isInProduction: input["production"] == "on")
    }
}

/// Brings the price of a subscription to those who subscribe already.
struct RaiseForm {
    let visit: ConsoleVisit
    let path: String

    @HTMLBuilder var content: [any HTML] {
        p { "A price that is changed is for new subscribers; the others keep theirs until it is brought to them." }
        asking(
            "Bring the price to them…",
            "In \(visit.environment), those of the storefront who pay less pay it from their next period on; who has to "
                + "agree is asked, and without a yes the subscription ends."
        ) {
            visit.form(path + "/price-increase", .class("fields")) {
                storefrontChoice(id: "raised-storefront")
                select(.name("consent"), .label("Consent")) {
                    option(.value("")) { "where the rules want it" }
                    option(.value("ask")) { "asked of everybody" }
                    option(.value("none")) { "of nobody" }
                }
                button(.class("danger")) { "Bring it to them" }
            }
        }
    }
}

/// Redeems a code for a customer.
struct RedemptionForm {
    let visit: ConsoleVisit
    let customer: Customer

    var element: Element {
        details(.class("card make")) {
            summary { "Redeem a code" }
            visit.form("/customers/\(customer.id)/redemption", .class("fields")) {
                hidden("key", UUID().uuidString)
                field("app", "Bundle id of the app", isRequired: true)
                field("code", "Code", isRequired: true)
                button { "Redeem it" }
            }
        }
    }
}
