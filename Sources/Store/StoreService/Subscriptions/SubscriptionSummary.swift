import StoreCatalogue
package import StoreModel
package import StoreRules

/// A subscription in words: how it stands, and what comes next. Commands, answers and pages say the same.
package struct SubscriptionSummary {
    private let rules: Subscription
    private let isSold: Bool
    private let renewalPrice: Money
    private let grace: GracePeriod?
    private let now: Instant
    /// How often it may renew, where that is why it does not go on.
    private let limit: Int?
    private let price: (Money) -> String
    private let time: (Instant) -> String

    /// - Parameters:
    ///   - price: how an amount is written.
    ///   - time: how an instant is.
    package init(
        _ details: SubscriptionChanges.Details, price: @escaping (Money) -> String = { "\($0)" },
        time: @escaping (Instant) -> String = { $0.rfc3339 }
    ) {
        let rules = details.subscription.rules
        (self.rules, grace, now) = (rules, details.grace, details.now)
        (isSold, renewalPrice) = (details.isSold, details.renewalPrice)
        // A test that ended it comes before the limit.
        let isLimited = (rules.intent ?? .cancelled) == .cancelled && details.history.last?.event != .ended
        limit = details.renewalLimit.flatMap { isLimited && rules.renewals >= $0 ? $0 : nil }
        self.price = price
        self.time = time
    }

    /// When it renews, and what happens if it cannot be paid; or when and why it ended.
    package var sentence: String {
        switch rules.state {
        case .active: rules.renews ? renewing : ending
        case .grace:
            "It could not be paid and counts until \(text(rules.graceEndsAt ?? rules.endsAt)). \(attempts)"
        case .retry: "It could not be paid and has not counted since \(text(rules.endsAt)). \(attempts)"
        case .expired:
            "It ended at \(text(rules.endsAt)): \(limit.map(Self.reached) ?? Self.reason(rules.intent))."
        case .revoked: "It was taken back at \(text(rules.revokedAt ?? rules.endsAt))."
        }
    }

    private var renewing: String {
        let (plan, offer) = rules.renewal
        let end = text(rules.endsAt)
        if let increase = rules.openIncrease {
            return "It ends at \(end) unless the customer agrees to \(price(increase.price))."
        }
        let isOther = rules.plan(at: now).item != rules.plan.item
        let ahead = "The period from \(text(rules.startsAt))\(isOther ? ", of \(rules.plan.product)," : "") is paid. "
        var words = rules.startsAt > now ? ahead : ""
        guard isSold || rules.charge == .underWay else { return words + unsold(plan, end) }
        words += "It renews at \(end) for \(price(renewalPrice))"
        if plan.item != rules.plan.item { words += " as \(plan.product)" }
        if let offer { words += ", with \(Self.text(offer, price))" }
        switch rules.charge {
        case .underWay: words += "; the processor is being asked"
        case .resting: words += "; a first attempt was declined"
        case .none: if let due = rules.nextDue, due < rules.endsAt { words += ", charged from \(text(due)) on" }
        }
        return words + ". " + failing
    }

    private func unsold(_ plan: SubscriptionPlan, _ end: String) -> String {
        "It ends at \(end) if \(plan.product) is not sold again by then. Nothing is charged until then."
    }

    /// What happens if the card fails.
    private var failing: String {
        let (days, end) = (PeriodScale.retryDays, rules.endsAt)
        let last = text(end + rules.scale.span(days: days, of: rules.plan.period))
        let isTrial = rules.offer?.mode == .free
        guard let grace, !(isTrial && grace.isOnlyPaid) else {
            return "If the card fails, it does not count after \(text(end)) and is tried again until \(last)."
        }
        let until = text(end + rules.scale.grace(days: Int64(grace.days), of: rules.plan.period))
        return "If the card fails, it counts until \(until) and is tried again until \(last)."
    }

    private var ending: String {
        "It ends at \(text(rules.endsAt)) and does not renew" + (limit.map { ": \(Self.reached($0))." } ?? ".")
    }

    /// That it has renewed as often as it may.
    private static func reached(_ limit: Int) -> String {
        "in the sandbox a subscription of shortened periods renews \(limit) times"
    }

    private var attempts: String {
        guard rules.renews else { return "It is not tried again." }
        if rules.charge == .underWay { return "The processor is being asked." }
        guard isSold else { return "Nothing is charged while \(rules.renewal.plan.product) is not sold." }
        let until = rules.retryEndsAt.map { ", until \(text($0))" } ?? ""
        return rules.nextAttempt.map { "The payment is tried again at \(text($0))\(until)." }
            ?? "No further attempt is due\(until)."
    }

    private func text(_ instant: Instant) -> String { time(instant) }

    /// A word for how it stands.
    package static func word(_ state: Subscription.State) -> String {
        switch state {
        case .active: "active"
        case .grace: "in its grace period"
        case .retry: "in billing retry"
        case .expired: "ended"
        case .revoked: "taken back"
        }
    }

    /// Why it ended.
    package static func reason(_ intent: ExpirationIntent?) -> String {
        switch intent {
        case .cancelled?: "it was cancelled"
        case .billingError?: "it could not be paid"
        case .priceIncreaseNotConsented?: "the customer did not agree to a higher price"
        case .productUnavailable?: "the product is not sold any more"
        default: "for another reason"
        }
    }

    /// Why a developer extends a subscription.
    package static func reason(_ reason: ExtendReasonCode) -> String {
        switch reason {
        case .customerSatisfaction: "to satisfy the customer"
        case .serviceIssue: "the service did not work"
        case .other: "another reason"
        default: "not said"
        }
    }

    /// An offer in a few words.
    package static func text(_ offer: OfferTerms, _ price: (Money) -> String = { "\($0)" }) -> String {
        let name = offer.id.map { "the offer \($0)" } ?? "the introductory offer"
        return switch offer.mode {
        case .free: "\(name), \(offer.period) free"
        case .payUpFront: "\(name), \(price(offer.price)) for \(offer.period)"
        case .payAsYouGo:
            "\(name), \(price(offer.price)) each of \(offer.count) \(offer.count == 1 ? "period" : "periods")"
        }
    }

    /// What happened and whose act it was, of a line of the history.
    ///
    /// - Parameter former: the line before it; nil of the first.
    package static func sentence(_ line: SubscriptionChanges.Line, after former: SubscriptionChanges.Line?) -> String {
        event(line, after: former) + (isDecision(line.event) ? Actor.phrase(of: line.actor) : "")
    }

    private static func event(_ line: SubscriptionChanges.Line, after former: SubscriptionChanges.Line?) -> String {
        switch line.event {
        case .bought: "Bought"
        case .settled: "Bought in the grace period, which paid for the renewal"
        case .renewed: "Renewed"
        case .due:
            switch line.state {
            case .active, .revoked: line.detail == nil ? "The next period was charged" : "Nothing was charged"
            case former?.state: line.detail == nil ? "The payment was tried again" : "Nothing was charged"
            case .grace: "Over and not paid: the grace period began"
            case .retry: "Over and not paid: it does not count, and is tried again"
            case .expired: "Ended"
            }
        case .declined: "The payment was declined"
        case .released: "The charge came to nothing"
        case .planned: "Another plan is to renew"
        case .planKept: "The plan stays as it is"
        case .turnedOff: "Renewal was turned off"
        case .turnedOn: "Renewal was turned on"
        case .offered: "The next period has an offer"
        case .priceRaised: "The price is to rise"
        case .priceAgreed: "The customer agreed to the higher price"
        case .priceRefused: "The customer refused the higher price"
        case .revoked: "Taken back"
        case .reinstated: "Given back after it was taken"
        case .revokedAhead: "The period charged ahead was taken back"
        case .reinstatedAhead: "The period that follows was given back after it was taken"
        case .ended: "Made to end"
        case .shortened: "Its period was ended, to renew it"
        case .resolved: "The payment was tried again at once"
        case .extended: "Its end was put off"
        }
    }

    /// Whether somebody does it, who is then named; the rest comes of time or of what the processor says.
    private static func isDecision(_ event: SubscriptionEvent) -> Bool {
        switch event {
        case .due, .renewed, .declined, .released: false
        default: true
        }
    }
}
