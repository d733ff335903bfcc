package import StoreModel

// MARK: Periods

extension Subscription {
    /// Begins to count anew with a period that starts now.
    mutating func begin(
        _ plan: SubscriptionPlan, _ offer: OfferTerms?, at start: Instant, _ terms: SubscriptionTerms
    ) {
        scale = terms.scale
        (anchor, number) = (start, 0)
        enter(plan, offer, from: start)
    }

    /// Enters a period that starts at an instant.
    private mutating func enter(_ plan: SubscriptionPlan, _ offer: OfferTerms?, from start: Instant) {
        startsAt = start
        if let offer, offer.replacesPeriod {
            // What comes after it is counted from its end.
            endsAt = scale.end(of: offer.period, times: offer.count, from: start)
            (anchor, number) = (endsAt, 0)
        } else {
            number += 1
            endsAt = scale.end(of: plan.period, times: number, from: anchor)
        }
        let isIntroduced = isIntroduced && offer == self.offer
        if let offer {
            let isContinued = offer == self.offer && (nextOffer == nil || isIntroduced)
            let left = isContinued ? offerPeriodsLeft : offer.count
            offerPeriodsLeft = offer.replacesPeriod ? 0 : max(left - 1, 0)
        } else {
            offerPeriodsLeft = 0
        }
        // What was planned while an earlier charge was still to be paid comes after it.
        if next?.item == plan.item { next = nil }
        if offer == nextOffer { nextOffer = nil }
        (self.plan, running) = (plan, nil)
        self.offer = offer
        state = .active
        charge = .none
        (attemptedAt, graceEndsAt, retryEndsAt, intent, revokedAt) = (nil, nil, nil, nil, nil)
    }

    /// The next period, which follows the current one while that counts, and begins anew where it has lapsed.
    private mutating func renew(
        _ plan: SubscriptionPlan, _ offer: OfferTerms?, at now: Instant, _ terms: SubscriptionTerms
    ) {
        // A higher price is that of one product, and over with it.
        if let increase,
            plan.price == increase.price || plan.price.minorUnits > self.plan.price.minorUnits
                || plan.item != self.plan.item
        {
            self.increase = nil
        }
        let (isSame, end) = (plan.period == self.plan.period && scale == terms.scale, endsAt)
        let counts = state == .active || state == .grace || state == .retry && now <= end
        // Nobody pays for a period that is over.
        if counts, now < terms.scale.end(of: plan.period, from: end) {
            if !isSame || number == 0 && anchor != end { (anchor, number) = (end, 0) }
            scale = terms.scale
            let running = running(before: plan, at: now)
            enter(plan, offer, from: end)
            self.running = running
        } else {
            if !state.isLive { noteBegin(at: now) }
            begin(plan, offer, at: now, terms)
        }
        renewals += 1
        if let limit = terms.renewalLimit, renewals >= limit { renews = false }
    }

    /// What runs at a moment until a period of another plan begins.
    private func running(before plan: SubscriptionPlan, at now: Instant) -> RunningPlan? {
        if isAhead(at: now) { return running }
        return now < endsAt && plan != self.plan ? RunningPlan(self.plan, since: startsAt) : nil
    }

    /// A lapse of 60 days or more lets it begin anew.
    private mutating func noteBegin(at now: Instant) {
        if now >= min(countsUntil, endsAt) + scale.span(days: PeriodScale.retryDays, of: plan.period) { beganAt = now }
    }
}

// MARK: Events

extension Subscription {
    /// Takes in what happened. An event that has no place in the state changes nothing and is an error.
    package mutating func handle(
        _ event: Event, by terms: SubscriptionTerms, at now: Instant
    ) throws(SubscriptionError) -> [Action] {
        switch event {
        case .due(let isSold, let price): return state.isLive ? due(isSold: isSold, price, terms, at: now) : []
        case .paid(let plan, let offer):
            renew(plan, offer, at: now, terms)
            return []
        case .declined, .released:
            charge = event == .declined ? .resting : .none
            guard state.isLive, renews else { return letGo() + (state == .retry ? expire(.cancelled) : []) }
            return state == .retry && retryEndsAt.map { $0 <= now } ?? false ? expire(.billingError) : []
        case .bought(let plan, let offer): return buy(plan, offer, terms, at: now)
        case .settled(let plan, let offer):
            guard state == .grace else { throw SubscriptionError(event, in: state) }
            let over = letGo()
            (renews, next) = (true, nil)
            renew(plan, offer, at: now, terms)
            return over
        case .revoked, .reinstated, .revokedAhead, .reinstatedAhead: return try takeBack(event, at: now)
        case .ended:
            guard state.isLive else { throw SubscriptionError(event, in: state) }
            (startsAt, endsAt, renews) = (min(startsAt, now), min(endsAt, now), false)
            return expire(.cancelled)
        case .shortened:
            guard state == .active, charge != .underWay else { throw SubscriptionError(event, in: state) }
            (startsAt, endsAt) = (min(startsAt, now), min(endsAt, now))
            (anchor, number, attemptedAt) = (endsAt, 0, nil)
            return []
        case .resolved(let price):
            guard state == .grace || state == .retry, charge != .underWay else {
                throw SubscriptionError(event, in: state)
            }
            renews = true
            return attempt(price, at: now)
        case .extended(let days):
            guard extensionObstacle(at: now) == nil else { throw SubscriptionError(event, in: state) }
            extend(by: days)
            return []
        case .planned, .turnedOff, .turnedOn, .offered, .raised, .agreedToPrice, .refusedPrice:
            return try choose(event, by: terms)
        }
    }

    /// Puts the end of its newest period off, from which later periods are counted. What was not charged yet is charged as long
    /// before the new end.
    private mutating func extend(by days: Int) {
        endsAt = endsAt + scale.span(days: Int64(days), of: plan.period)
        (anchor, number) = (endsAt, 0)
        if charge == .none { attemptedAt = nil }
    }

    /// What becomes of it when a period is taken back, or given again. Neither lets it renew.
    private mutating func takeBack(_ event: Event, at now: Instant) throws(SubscriptionError) -> [Action] {
        switch event {
        case .revoked where state != .revoked:
            (state, revokedAt, renews) = (.revoked, now, false)
            (graceEndsAt, retryEndsAt, intent, next, nextOffer) = (nil, nil, nil, nil, nil)
            return letGo()
        case .reinstated where state == .revoked:
            revokedAt = nil
            (state, intent) = endsAt > now ? (.active, nil) : (.expired, .cancelled)
            return []
        case .revokedAhead(let plan, let offer, let period) where isAhead(at: now):
            let isContinued = offer == self.offer && offer?.replacesPeriod == false
            renewals = max(renewals - 1, 0)
            return stand(plan, offer, left: isContinued ? offerPeriodsLeft + 1 : 0, in: period, counting: number - 1)
        case .reinstatedAhead(let plan, let offer, let period) where period.startsAt >= endsAt && period.endsAt > now:
            let isContinued = offer == self.offer && offer?.replacesPeriod == false
            renewals += 1
            let running = running(before: plan, at: now)
            let over = stand(
                plan, offer, left: isContinued ? max(offerPeriodsLeft - 1, 0) : 0, in: period, counting: number + 1)
            self.running = running
            return over
        default: throw SubscriptionError(event, in: state)
        }
    }

    /// Makes a period that was paid before the current one, and lets the subscription end with it.
    ///
    /// - Parameter number: how many it is if it is counted as the current one was.
    private mutating func stand(
        _ plan: SubscriptionPlan, _ offer: OfferTerms?, left: Int, in period: SubscriptionPeriod, counting number: Int
    ) -> [Action] {
        let over = letGo()
        // Months keep the day on which they are counted from.
        let isCounted = number >= 0 && scale.end(of: plan.period, times: number, from: anchor) == period.endsAt
        (anchor, self.number) = isCounted ? (anchor, number) : (period.endsAt, 0)
        (self.plan, running, self.offer, offerPeriodsLeft) = (plan, nil, offer, left)
        (state, startsAt, endsAt, renews) = (.active, period.startsAt, period.endsAt, false)
        (next, nextOffer, graceEndsAt, retryEndsAt, intent, revokedAt) = (nil, nil, nil, nil, nil, nil)
        if charge == .none { attemptedAt = nil }
        return over
    }

    /// What the customer, or the developer, wants of the next period. What has renewed as often as it may stays off.
    private mutating func choose(
        _ event: Event, by terms: SubscriptionTerms
    ) throws(SubscriptionError) -> [Action] {
        guard state.isLive else { throw SubscriptionError(event, in: state) }
        let mayRenew = !isSpent(by: terms)
        switch event {
        case .planned(let plan):
            next = plan == self.plan ? nil : plan
            renews = mayRenew
            return []
        case .turnedOff:
            renews = false
            // What was not paid is not wanted any more. The grace period runs to its end.
            let over = letGo()
            return state == .retry && charge != .underWay ? over + expire(.cancelled) : over
        case .turnedOn:
            renews = mayRenew
            return []
        case .offered(let offer):
            nextOffer = offer
            renews = mayRenew
            return []
        case .raised(let increase):
            self.increase = increase
            return increase.needsConsent ? [.askConsent] : []
        case .agreedToPrice, .refusedPrice:
            guard let increase, increase.needsConsent else { throw SubscriptionError(event, in: state) }
            if event == .agreedToPrice {
                self.increase?.agree()
                return []
            }
            renews = false
            return letGo()
        default: throw SubscriptionError(event, in: state)
        }
    }

    private mutating func buy(
        _ plan: SubscriptionPlan, _ offer: OfferTerms?, _ terms: SubscriptionTerms, at now: Instant
    ) -> [Action] {
        let over = letGo()
        if !state.isLive { noteBegin(at: now) }
        let waits = postpones(plan, at: now)
        (increase, next, nextOffer) = (nil, nil, nil)
        self.offer = nil
        if waits {
            renew(plan, offer, at: now, terms)
        } else {
            begin(plan, offer, at: now, terms)
        }
        (renewals, renews) = (0, terms.renewalLimit != 0)
        return over
    }

    /// Gives up a charge that rests.
    private mutating func letGo() -> [Action] {
        guard charge == .resting else { return [] }
        charge = .none
        return [.giveUp]
    }

    private mutating func expire(_ intent: ExpirationIntent) -> [Action] {
        let over = letGo()
        (state, self.intent, renews) = (.expired, intent, false)
        (graceEndsAt, retryEndsAt, next, nextOffer) = (nil, nil, nil, nil)
        return over
    }

    private mutating func due(
        isSold: Bool, _ price: Money?, _ terms: SubscriptionTerms, at now: Instant
    ) -> [Action] {
        guard let due = nextDue, due <= now else { return [] }
        forgetIncrease(by: price)
        switch state {
        case .active where now < endsAt:
            if isSold { return attempt(price, at: now) }
            // It is not looked at again before the end, when it may be sold once more.
            attemptedAt = now
            return []
        case .active: return end(isSold: isSold, price, terms, at: now)
        case .grace:
            guard let graceEndsAt, graceEndsAt <= now else { return tryAgain(isSold: isSold, price, at: now) }
            guard renews else { return expire(.cancelled) }
            state = .retry
            guard let at = nextAttempt, at <= now else { return [] }
            return tryAgain(isSold: isSold, price, at: now)
        case .retry:
            guard let retryEndsAt, retryEndsAt <= now else { return tryAgain(isSold: isSold, price, at: now) }
            return expire(isSold ? .billingError : .productUnavailable)
        case .expired, .revoked: return []
        }
    }

    /// A higher price that the product does not have any more is not asked for.
    private mutating func forgetIncrease(by price: Money?) {
        guard let price, let increase, next == nil, price.currency == plan.price.currency,
            price.minorUnits <= plan.price.minorUnits, increase.price.minorUnits > price.minorUnits
        else { return }
        self.increase = nil
    }

    /// Nobody is charged anew for what is not sold; it may be sold again by the next time.
    private mutating func tryAgain(isSold: Bool, _ price: Money?, at now: Instant) -> [Action] {
        guard isSold else {
            attemptedAt = now
            return []
        }
        return attempt(price, at: now)
    }

    /// The period is over, and the next one was not paid.
    private mutating func end(
        isSold: Bool, _ price: Money?, _ terms: SubscriptionTerms, at now: Instant
    ) -> [Action] {
        if charge != .underWay {
            guard renews else { return expire(awaitsConsent ? .priceIncreaseNotConsented : .cancelled) }
            if charge == .none, awaitsConsent { return expire(.priceIncreaseNotConsented) }
            guard isSold else { return expire(.productUnavailable) }
            // This was noticed late; nothing was tried yet.
            if attemptedAt == nil { return attempt(price, at: now) }
        }
        let wasPaid = offer?.mode != .free
        retryEndsAt = endsAt + scale.span(days: PeriodScale.retryDays, of: plan.period)
        if let grace = terms.grace, wasPaid || !grace.isOnlyPaid {
            graceEndsAt = endsAt + scale.grace(days: Int64(grace.days), of: plan.period)
            state = .grace
        } else {
            state = .retry
        }
        guard let at = nextAttempt, at <= now else { return [] }
        return tryAgain(isSold: isSold, price, at: now)
    }

    /// - Parameter price: what the product costs when the period begins, if that is known.
    private mutating func attempt(_ price: Money?, at now: Instant) -> [Action] {
        attemptedAt = now
        let isResting = charge == .resting
        charge = .underWay
        if isResting { return [.tryAgain] }
        let (plan, offer) = renewal
        return [.renew(plan.priced(atMost: price), offer)]
    }
}
