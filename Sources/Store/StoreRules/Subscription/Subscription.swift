package import StoreModel

/// The life of one subscription: a customer's place in a group, from the first period through renewals, changes of plan and
/// lapses to its end, and on from there when the customer subscribes again.
///
/// It decides and does nothing: it is given what happened, with the time, and returns what is to be done in the transaction
/// that keeps the new state. The money of a renewal is the matter of a ``Charge``, whose end comes back as an event.
/// ``nextDue`` says when to look at it again.
package struct Subscription: Hashable, Sendable {
    package internal(set) var state: State
    /// What the current period is of, or the next one if that is paid already.
    package internal(set) var plan: SubscriptionPlan
    /// What runs until then, where the next period was paid and is of another plan.
    package internal(set) var running: RunningPlan?
    /// What renews in its place; nil for the same.
    package internal(set) var next: SubscriptionPlan?
    /// Whether it renews.
    package internal(set) var renews: Bool
    /// The current period, or the next one if that is paid already.
    package internal(set) var startsAt: Instant
    package internal(set) var endsAt: Instant
    /// From when periods are counted, how many the current one is, and how long they last.
    package internal(set) var anchor: Instant
    package internal(set) var number: Int
    package internal(set) var scale: PeriodScale
    /// The offer of the current period, and how many periods of it are to come.
    package internal(set) var offer: OfferTerms?
    package internal(set) var offerPeriodsLeft: Int
    /// An offer for the next period.
    package internal(set) var nextOffer: OfferTerms?
    /// How often it has renewed since it was last bought.
    package internal(set) var renewals: Int
    /// When it began, lapses of less than 60 days left out of account.
    package internal(set) var beganAt: Instant
    /// Whether the next period is being charged.
    package internal(set) var charge: ChargeState
    /// When the last attempt to charge it began; nil if there was none in this period.
    package internal(set) var attemptedAt: Instant?
    /// Until when it counts though it could not be paid.
    package internal(set) var graceEndsAt: Instant?
    /// Until when it is tried to be paid after its end.
    package internal(set) var retryEndsAt: Instant?
    /// Why it ended.
    package internal(set) var intent: ExpirationIntent?
    /// When its period was taken back.
    package internal(set) var revokedAt: Instant?
    package internal(set) var increase: PriceIncrease?

    /// A subscription as it was kept.
    package init(
        state: State, plan: SubscriptionPlan, next: SubscriptionPlan?, renews: Bool, startsAt: Instant, endsAt: Instant,
        anchor: Instant, number: Int, scale: PeriodScale, offer: OfferTerms?, offerPeriodsLeft: Int,
        nextOffer: OfferTerms?, renewals: Int, beganAt: Instant, charge: ChargeState, attemptedAt: Instant?,
        graceEndsAt: Instant?, retryEndsAt: Instant?, intent: ExpirationIntent?, revokedAt: Instant?,
        increase: PriceIncrease?, running: RunningPlan?
    ) {
        (self.state, self.plan, self.next, self.renews) = (state, plan, next, renews)
        (self.startsAt, self.endsAt, self.anchor, self.number) = (startsAt, endsAt, anchor, number)
        (self.scale, self.offer, self.offerPeriodsLeft) = (scale, offer, offerPeriodsLeft)
        (self.nextOffer, self.renewals, self.beganAt) = (nextOffer, renewals, beganAt)
        (self.charge, self.attemptedAt, self.graceEndsAt) = (charge, attemptedAt, graceEndsAt)
        (self.retryEndsAt, self.intent, self.revokedAt) = (retryEndsAt, intent, revokedAt)
        (self.increase, self.running) = (increase, running)
    }

    // Closed: a state comes with all that handles it.
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// Its period runs.
        case active
        /// Its period is over, and it counts all the same for a while.
        case grace
        /// Its period is over, and it is tried to be paid.
        case retry
        /// It is over.
        case expired
        /// Its period was taken back.
        case revoked

        /// Whether it may renew or be paid by itself.
        package var isLive: Bool { self != .expired && self != .revoked }
    }

    // Closed: only the machine switches over it.
    package enum ChargeState: String, CaseIterable, Hashable, Sendable {
        /// There is none.
        case none
        /// The processor is asked.
        case underWay
        /// It was declined, and may be tried again.
        case resting
    }

    // Closed: only the machine switches over it.
    package enum Event: Hashable, Sendable {
        /// Time went by.
        ///
        /// - Parameters:
        ///   - isSold: whether the product that would renew is still sold, by somebody who may sell.
        ///   - price: what it costs when the next period begins, which that costs if it is less.
        case due(isSold: Bool, price: Money? = nil)
        /// Another period was paid, or costs nothing.
        case paid(SubscriptionPlan, OfferTerms?)
        /// An attempt was declined.
        case declined
        /// The charge is over without money; another may be opened.
        case released
        /// It was bought after it had ended, or in the place of the plan that runs, whose end a lower one waits for.
        case bought(SubscriptionPlan, OfferTerms?)
        /// It was bought in its grace period, which pays for the renewal that is overdue.
        case settled(SubscriptionPlan, OfferTerms?)
        /// Something else renews; nil for what runs.
        case planned(SubscriptionPlan?)
        case turnedOff
        case turnedOn
        /// The next period has an offer.
        case offered(OfferTerms)
        case raised(PriceIncrease)
        case agreedToPrice
        case refusedPrice
        /// The transaction of its period was refunded or revoked.
        case revoked
        /// The revocation of its period was taken back.
        case reinstated
        /// The transaction of the period that was charged ahead was refunded or revoked; this is the period that runs.
        case revokedAhead(SubscriptionPlan, OfferTerms?, SubscriptionPeriod)
        /// The revocation of a period that follows the current one was taken back; it is this one.
        case reinstatedAhead(SubscriptionPlan, OfferTerms?, SubscriptionPeriod)
        /// It ends now, for a test.
        case ended
        /// Its period ends now, and the next one is due, for a test.
        case shortened
        /// What kept it from being paid is mended: it is tried at once.
        ///
        /// - Parameter price: what the product costs now, as of ``due(isSold:price:)``.
        case resolved(price: Money? = nil)
        /// The developer gave so many days more of what was paid for last.
        case extended(days: Int)
    }

    /// What is to be done in the transaction that keeps the state.
    // Closed: the use case that carries them out must know all.
    package enum Action: Hashable, Sendable {
        /// Order the next period; charge it if it costs something, or have it paid if not.
        case renew(SubscriptionPlan, OfferTerms?)
        /// Try the charge again that rests.
        case tryAgain
        /// Let go of the charge that rests.
        case giveUp
        /// Ask the customer to agree to a higher price.
        case askConsent
    }
}

/// Why a subscription cannot be extended.
// Closed: each is told in its own words.
package enum ExtensionObstacle: Hashable, Sendable {
    /// It is over, was taken back, or could not be paid.
    case inactive
    case turnedOff
    case freeTrial
}

/// What runs beside a period of another plan that was paid and has not begun.
package struct RunningPlan: Hashable, Sendable {
    package let plan: SubscriptionPlan
    package let startsAt: Instant

    package init(_ plan: SubscriptionPlan, since start: Instant) {
        (self.plan, startsAt) = (plan, start)
    }
}

/// A period of a subscription, as its transaction has it.
package struct SubscriptionPeriod: Hashable, Sendable {
    package let startsAt: Instant
    package let endsAt: Instant

    package init(startsAt: Instant, endsAt: Instant) {
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}

extension Subscription {
    /// One that is bought for the first time.
    package init(_ plan: SubscriptionPlan, _ offer: OfferTerms?, _ terms: SubscriptionTerms, at now: Instant) {
        state = .active
        self.plan = plan
        renews = true
        (startsAt, endsAt, anchor, number, scale) = (now, now, now, 0, terms.scale)
        offerPeriodsLeft = 0
        renewals = 0
        beganAt = now
        charge = .none
        begin(plan, offer, at: now, terms)
        if terms.renewalLimit == 0 { renews = false }
    }

    /// What its customer has at a moment.
    package func plan(at now: Instant) -> SubscriptionPlan { isAhead(at: now) ? running?.plan ?? plan : plan }

    package var period: SubscriptionPeriod { SubscriptionPeriod(startsAt: startsAt, endsAt: endsAt) }

    /// Until when the customer has what was bought.
    package var countsUntil: Instant {
        switch state {
        case .active, .retry, .expired: endsAt
        case .grace: graceEndsAt ?? endsAt
        case .revoked: revokedAt ?? endsAt
        }
    }

    /// What the next period would be, and what it costs.
    package var renewal: (plan: SubscriptionPlan, offer: OfferTerms?) {
        var plan = next ?? plan
        if let increase, increase.holds, next == nil { plan = plan.priced(increase.price) }
        if let nextOffer, !isIntroduced { return (plan, nextOffer) }
        if let offer, offerPeriodsLeft > 0, next == nil { return (plan, offer) }
        return (plan, nil)
    }

    /// Whether periods of an introductory offer are to come, for the end of which another offer waits.
    var isIntroduced: Bool { next == nil && offer?.kind == .introductory && offerPeriodsLeft > 0 }

    /// Whether a plan that was bought waits for the end of what runs: it does not take its place at once.
    ///
    /// Who wants such a plan while another one runs is not asked to pay for it. Where it was paid all the same, because what
    /// runs began meanwhile, nothing of that is taken away.
    package func postpones(_ plan: SubscriptionPlan, at now: Instant) -> Bool {
        state.isLive && countsUntil > now && plan.price.currency == self.plan.price.currency
            && change(to: plan, at: now) == .atRenewal
    }

    /// What it comes to when its customer asks for another plan. One that is better than the plan that was paid ahead, and lower
    /// than the one that runs beside it, takes nothing away from that.
    package func change(to plan: SubscriptionPlan, at now: Instant) -> SubscriptionPlan.Change {
        let change = self.plan.change(to: plan)
        return change == .atOnce && self.plan(at: now).change(to: plan) == .atRenewal ? .atRenewal : change
    }

    /// Whether it goes on otherwise once its customer asks for an item: it was turned off, something else would renew, or
    /// another product runs.
    package func isChanged(byAskingFor item: ItemID) -> Bool { plan.item != item || next != nil || !renews }

    /// What the next period costs.
    ///
    /// - Parameter price: what its product costs when it begins, if that is known.
    package func renewalPrice(at price: Money? = nil) -> Money {
        let (plan, offer) = renewal
        return offer?.price ?? plan.priced(atMost: price).price
    }

    /// Whether a higher price waits for an answer without which it ends. It is the price of the plan that runs: where another
    /// one is to renew, there is nothing to agree to.
    var awaitsConsent: Bool { next == nil && increase.map { !$0.holds } ?? false }

    /// Whether its current period was charged ahead and has not begun, so that the one before still runs.
    package func isAhead(at now: Instant) -> Bool { state == .active && startsAt > now }

    /// Whether it has renewed as often as it may.
    package func isSpent(by terms: SubscriptionTerms) -> Bool { terms.renewalLimit.map { renewals >= $0 } ?? false }

    /// The higher price that its customer is to be asked about; nil where there is none, or the answer was given.
    package var openIncrease: PriceIncrease? { state.isLive && renews && awaitsConsent ? increase : nil }

    /// When to look at it again; nil if nothing happens by itself.
    package var nextDue: Instant? {
        switch state {
        case .active:
            // What the processor was asked and has not said decides first.
            if charge == .underWay, let attemptedAt, attemptedAt >= endsAt { return nil }
            guard renews, charge == .none, attemptedAt == nil, !awaitsConsent else { return endsAt }
            return max(endsAt - scale.lead(of: plan.period), min(startsAt, endsAt))
        case .grace:
            return [graceEndsAt, nextAttempt].compactMap(\.self).min()
        case .retry:
            if charge == .underWay { return nil }
            return [retryEndsAt, nextAttempt].compactMap(\.self).min()
        case .expired, .revoked: return nil
        }
    }

    /// Why its end may not be put off by its developer; nil if it may.
    ///
    /// A subscription that was turned off has no date of renewal, and nobody pays for a free trial.
    package func extensionObstacle(at now: Instant) -> ExtensionObstacle? {
        guard state == .active, endsAt > now else { return .inactive }
        guard renews else { return .turnedOff }
        return offer?.mode == .free ? .freeTrial : nil
    }

    /// The days by which it can be extended at once.
    package static let extensionDays = 1...90
    /// How many extensions it may have in 365 days, which are as short as its periods.
    package static let mostExtensions = 2

    /// How far back extensions count.
    package var extensionYear: Duration { scale.span(days: 365, of: plan.period) }

    /// When it is tried again to be paid.
    package var nextAttempt: Instant? {
        guard renews, charge != .underWay else { return nil }
        return PeriodScale.attemptDays.lazy
            .map { endsAt + ($0 == 0 ? .zero : scale.span(days: $0, of: plan.period)) }
            .first { at in attemptedAt.map { at > $0 } ?? true }
    }
}

/// An event that has no place in the state of a subscription.
package struct SubscriptionError: Error, Hashable, Sendable, CustomStringConvertible {
    package let event: Subscription.Event
    package let state: Subscription.State

    init(_ event: Subscription.Event, in state: Subscription.State) {
        self.event = event
        self.state = state
    }

    /// One sentence that is safe to log.
    package var description: String {
        // Both have their place in that state, but for a charge under way.
        let isPaid = event.word == .shortened && state == .active || event.word == .resolved && state.isLive
        return "a subscription that \(standing) cannot be \(act)" + (isPaid ? " while it is being paid" : "")
    }

    private var standing: String {
        switch state {
        case .active: "runs"
        case .grace: "is in its grace period"
        case .retry: "is tried to be paid"
        case .expired: "is over"
        case .revoked: "was taken back"
        }
    }

    private var act: String {
        switch event.word {
        case .resolved, .settled: "paid"
        case .turnedOff: "turned off"
        case .turnedOn: "turned on"
        case .offered: "given an offer"
        case .planned, .planKept: "moved to another plan"
        case .priceRaised: "given a higher price"
        case .priceAgreed, .priceRefused: "asked about a price"
        default: event.word.rawValue
        }
    }
}

/// What happened to a subscription: the words of its history.
package enum SubscriptionEvent: String, CaseIterable, Codable, Sendable {
    case due, renewed, declined, released, bought, settled, planned, offered, revoked, reinstated, ended, shortened,
        resolved, extended
    case planKept = "plan-kept"
    case turnedOff = "turned-off"
    case turnedOn = "turned-on"
    case priceRaised = "price-raised"
    case priceAgreed = "price-agreed"
    case priceRefused = "price-refused"
    case revokedAhead = "revoked-ahead"
    case reinstatedAhead = "reinstated-ahead"
}

extension Subscription.Event {
    /// What the history of a subscription says of it.
    package var word: SubscriptionEvent {
        switch self {
        case .due: .due
        case .paid: .renewed
        case .declined: .declined
        case .released: .released
        case .bought: .bought
        case .settled: .settled
        case .planned(nil): .planKept
        case .planned: .planned
        case .turnedOff: .turnedOff
        case .turnedOn: .turnedOn
        case .offered: .offered
        case .raised: .priceRaised
        case .agreedToPrice: .priceAgreed
        case .refusedPrice: .priceRefused
        case .revoked: .revoked
        case .reinstated: .reinstated
        case .revokedAhead: .revokedAhead
        case .reinstatedAhead: .reinstatedAhead
        case .ended: .ended
        case .shortened: .shortened
        case .resolved: .resolved
        case .extended: .extended
        }
    }
}
