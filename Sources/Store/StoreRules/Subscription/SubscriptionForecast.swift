package import StoreModel

/// What a subscription does by itself until an instant, if its payments come out as expected.
///
/// The machine itself goes on, on a copy: nothing is kept, and no rule stands here a second time.
package struct SubscriptionForecast: Sendable {
    /// Something that happens.
    // Closed: each is counted by itself.
    package enum Event: Hashable, Sendable {
        /// Another period is paid, or costs nothing; `endsOffer` where the one before was of an offer.
        case renewed(Money, endsOffer: Bool)
        /// An attempt to charge is declined, or there is nothing to pay with.
        case unpaid
        case grace
        case retry
        case expired(ExpirationIntent)
    }

    package struct Step: Hashable, Sendable {
        package let at: Instant
        package let event: Event
    }

    /// What is asked while the subscription goes on.
    package struct Questions {
        /// Whether a product is sold in the period that begins at an instant, and what it costs then.
        let market: (ProductID, Instant) throws -> (isSold: Bool, price: Money?)
        /// How a charge comes out.
        let payment: PaymentExpectation?

        /// - Parameter payment: nil where there is nothing to pay with.
        package init(
            payment: PaymentExpectation?, market: @escaping (ProductID, Instant) throws -> (isSold: Bool, price: Money?)
        ) {
            (self.payment, self.market) = (payment, market)
        }
    }

    package private(set) var steps: [Step] = []
    /// Whether there were more turns than were asked for.
    package private(set) var isCut = false
    private var rules: Subscription
    /// What the charge is for that is under way or rests.
    private var pending: (plan: SubscriptionPlan, offer: OfferTerms?)?

    /// - Parameters:
    ///   - pending: what the charge of the subscription is for, if it has one.
    ///   - first: when its work is due, which may be later than its rules say.
    ///   - limit: the most turns that are looked at.
    package init(
        of rules: Subscription, pending: (plan: SubscriptionPlan, offer: OfferTerms?)?, from start: Instant,
        firstDueAt first: Instant, until goal: Instant, by terms: SubscriptionTerms, limit: Int, _ questions: Questions
    ) throws {
        (self.rules, self.pending) = (rules, pending)
        var now = start
        if rules.charge == .underWay { try settle(questions.payment, terms, at: now) }
        var next = max(self.rules.nextDue ?? .latest, rules.charge == .underWay ? start : first)
        for _ in 0..<limit {
            guard next <= goal else { return }
            now = max(next, now)
            let before = self.rules
            try turn(questions, terms, at: now)
            guard let due = self.rules.nextDue, self.rules != before || due > now else { return }
            next = due
        }
        isCut = next <= goal
    }

    private mutating func turn(_ questions: Questions, _ terms: SubscriptionTerms, at now: Instant) throws {
        let before = rules
        let market = try questions.market(rules.renewal.plan.product, max(now, rules.endsAt))
        let actions = try rules.handle(.due(isSold: market.isSold, price: market.price), by: terms, at: now)
        note(since: before, at: now)
        if rules.charge == .none { pending = nil }
        for action in actions {
            switch action {
            case .renew(let plan, let offer):
                pending = (plan, offer)
                let isFree = (offer?.price ?? plan.price).isZero
                try settle(isFree ? .paid : questions.payment, terms, at: now)
            case .tryAgain: try settle(questions.payment ?? .declined, terms, at: now)
            case .giveUp, .askConsent: break
            }
        }
    }

    /// Takes in how a charge comes out.
    private mutating func settle(
        _ payment: PaymentExpectation?, _ terms: SubscriptionTerms, at now: Instant
    ) throws {
        guard let (plan, offer) = pending else { return }
        let before = rules
        switch payment {
        case .paid:
            _ = try rules.handle(.paid(plan, offer), by: terms, at: now)
            let endsOffer = before.offer != nil && rules.offer == nil
            steps.append(Step(at: now, event: .renewed(offer?.price ?? plan.price, endsOffer: endsOffer)))
        case .declined:
            steps.append(Step(at: now, event: .unpaid))
            _ = try rules.handle(.declined, by: terms, at: now)
        case .released, nil:
            steps.append(Step(at: now, event: .unpaid))
            _ = try rules.handle(.released, by: terms, at: now)
        }
        note(since: before, at: now)
        if rules.charge == .none { pending = nil }
    }

    private mutating func note(since before: Subscription, at now: Instant) {
        guard rules.state != before.state else { return }
        switch rules.state {
        case .grace: steps.append(Step(at: now, event: .grace))
        case .retry: steps.append(Step(at: now, event: .retry))
        case .expired: steps.append(Step(at: now, event: .expired(rules.intent ?? .cancelled)))
        case .active, .revoked: break
        }
    }
}

extension SubscriptionForecast.Event {
    /// What commands, answers and pages say of it.
    package var word: String {
        switch self {
        case .renewed(_, endsOffer: true): "renewed, after an offer"
        case .renewed: "renewed"
        case .unpaid: "payment declined"
        case .grace: "grace period begins"
        case .retry: "billing retry begins"
        case .expired(let intent): "ends: \(intent.word)"
        }
    }
}

extension ExpirationIntent {
    /// Why a subscription ends, in a few words.
    package var word: String {
        switch self {
        case .cancelled: "turned off"
        case .billingError: "not paid"
        case .priceIncreaseNotConsented: "higher price not agreed to"
        case .productUnavailable: "no longer sold"
        default: "other"
        }
    }
}
