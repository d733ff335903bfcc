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
            visit.form("/apps/\(app.bundleID)/grace-period", .class("fields")) {
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

/// Gives a subscription an offer, or takes one away.
struct OfferForm {
    let visit: ConsoleVisit
    let path: String
    let offers: [SubscriptionOffer]

    @HTMLBuilder var content: [any HTML] {
        details(.class("make")) {
            summary { "Give it an offer" }
            visit.form("\(path)/\(ProductAct.offer.rawValue)", .class("fields")) {
                field(
                    "offer", "Id; of an offer that is there, what is not asked here stays", isRequired: true)
                choice("kind", "Kind", OfferKind.allCases.map(\.rawValue).sorted())
                choice("paymentMode", "How it is paid", OfferPaymentMode.allCases.map(\.rawValue).sorted())
                field("period", "Period, such as P1M", isRequired: true)
                field("periodCount", "How many periods; 1 if empty", type: "number")
                field("price", "Price; empty where it is free")
                field("currency", "Currency of the price")
                field("eligibility", "Of codes: new, existing, expired; empty leaves it")
                button { "Give it" }
            }
        }
        if !offers.isEmpty {
            asking("Take an offer away…", "Nobody gets it any more; who has it keeps it to its end.") {
                visit.form("\(path)/\(ProductAct.offerRemoval.rawValue)", .class("fields")) {
                    choice("offer", "Offer", offers.map(\.id))
                    button(.class("danger")) { "Take it away" }
                }
            }
        }
    }

    private func choice(_ name: String, _ text: String, _ values: [String]) -> Element {
        select(.name(name), .label(text)) { for value in values { option(.value(value)) { value } } }
    }

    static func draft(_ input: FormInput) throws -> SubscriptionOfferDraft {
        var price: Money?
        if !input["price"].isEmpty {
            do {
                price = try Money(decimal: input["price"], currency: Currency(code: input["currency"].uppercased()))
            } catch {
                throw CatalogueError(
                    .valueInvalid, "it is an amount, such as 1.99, in a currency, such as USD", field: "price")
            }
        }
        guard let count = input["periodCount"].isEmpty ? 1 : Int(input["periodCount"]) else {
            throw CatalogueError(.valueInvalid, "it is a whole number", field: "periodCount")
        }
        let eligibility = input["eligibility"].split { !$0.isLetter }.map { OfferEligibility(rawValue: String($0)) }
        var draft = try SubscriptionOfferDraft(
            id: input["offer"], kind: OfferKind.named(input["kind"]),
            paymentMode: OfferPaymentMode.named(input["paymentMode"]),
            period: BillingPeriod(parsing: input["period"].uppercased()), periodCount: count, basePrice: price)
        if !eligibility.isEmpty { draft.eligibility = .set(Set(eligibility)) }
        return draft
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
