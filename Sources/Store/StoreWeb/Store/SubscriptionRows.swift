import StoreCatalogue
import StoreModel
import StoreRules
import StoreService

/// The subscriptions of a customer in the library: when each renews or ends, and the button that changes that.
struct SubscriptionRows {
    /// Where the part begins on the page.
    static let anchor = "subscriptions"

    let visit: StorefrontVisit
    let found: [OwnSubscriptions.Entry]

    var part: Element {
        StoreWeb.part(visit.text("shop.subscriptions"), id: Self.anchor) {
            ul(.class("rows one bare")) {
                for one in found {
                    li(.id("subscription\(one.id)")) {
                        div {
                            h3 { one.title }
                            p {
                                // There are the other plans.
                                if let app = one.app {
                                    a(.href(visit.link(AppOutsidePage.link(of: app, in: visit.storefront)))) {
                                        app.name
                                    }
                                    " · "
                                }
                                standing(of: one.rules)
                            }
                        }
                        if one.mayChange { choice(one) }
                    }
                }
            }
        }
    }

    private func standing(of rules: Subscription) -> String {
        let end = rules.state == .retry ? rules.retryEndsAt ?? rules.endsAt : rules.countsUntil
        // Periods that were shortened end within the day.
        let date = visit.date(end, withTime: rules.endsAt - rules.startsAt < .seconds(48 * 60 * 60))
        guard rules.state.isLive else { return visit.text("shop.subscription_ended", ["date": date]) }
        guard rules.renews else { return visit.text("shop.subscription_ends", ["date": date]) }
        guard rules.state == .active else { return visit.text("shop.subscription_unpaid", ["date": date]) }
        return visit.text("shop.subscription_renews", ["date": date, "price": visit.price(rules.renewalPrice())])
    }

    private func choice(_ one: OwnSubscriptions.Entry) -> Element {
        // What is not paid for has nothing left to run to.
        let off = one.rules.state == .retry ? "shop.end_now" : "shop.turn_off"
        let name = visit.text(one.rules.renews ? off : "shop.turn_on")
        return form(.isPost, .action(visit.link("/subscriptions/renewal"))) {
            input(.type("hidden"), .name("subscription"), .value("\(one.id)"))
            input(.type("hidden"), .name("renews"), .value(one.rules.renews ? "no" : "yes"))
            button(.label("\(name): \(one.title)")) { name }
        }
    }
}
