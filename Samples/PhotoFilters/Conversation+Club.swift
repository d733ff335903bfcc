import Foundation
import SampleTerminal
import StoreKit

// The Filter Club, for the person.
extension Conversation {
    func hear(_ news: Club.News) {
        switch news {
        case .plansFetched: break
        case .stands: showMembership()
        case .pending: screen.show("  Filter Club waits for somebody else's word.")
        case .cancelled: fail("  You did not join the Filter Club. Nothing was charged.")
        case .failed(let error):
            var reason = error.localizedDescription
            if case StoreKitError.systemError(let cause) = error { reason = cause.localizedDescription }
            fail("  You did not join the Filter Club. \(reason)")
        }
        goOn()
    }

    func join(_ plan: Club.Plan) {
        guard AppStore.canMakePayments else { return failAsForbidden() }
        guard let product = club?.plans[plan] else { return fail("The Filter Club is not for sale now.") }
        club?.join(product)
    }

    /// A row of the list for each way to pay.
    func clubRows() -> [[String]] {
        guard let club else { return [] }
        return Club.Plan.allCases.compactMap { plan in
            guard let product = club.plans[plan], let terms = product.subscription else { return nil }
            let offer =
                "\(price(of: product, terms, isNew: club.isNew && club.membership == nil)): join \(plan.rawValue)"
            return ["   ", product.displayName, product.description, club.membership?.plan == plan ? "yours" : offer]
        }
    }

    private func price(of product: Product, _ terms: Product.SubscriptionInfo, isNew: Bool) -> String {
        let style = product.subscriptionPeriodFormatStyle
        let price = "\(product.displayPrice) for \(terms.subscriptionPeriod.formatted(style))"
        guard isNew, let offer = terms.introductoryOffer, offer.paymentMode == .freeTrial else { return price }
        return "\(offer.period.formatted(style)) free, then \(price)"
    }

    func showMembership() {
        guard let membership = club?.membership else {
            return screen.show("  You are not in the Filter Club: join monthly, or join yearly.")
        }
        screen.show("  You are in the Filter Club (\(membership.plan.rawValue)). \(outlook(of: membership))")
    }

    private func outlook(of membership: Club.Membership) -> String {
        if membership.isInGracePeriod { return "The last payment failed, and the store tries again." }
        let end = membership.end?.formatted(.iso8601.year().month().day()) ?? "its end"
        return switch membership.next {
        case nil: "It is paid until \(end)."
        case .nothing?: "It ends on \(end)."
        case .plan(membership.plan)?: "It renews on \(end)."
        case .plan(let other)?: "On \(end) it becomes \(other.rawValue)."
        }
    }
}
