import StoreModel
import TestSupport
import Testing

@testable import StoreRules

/// The life of a subscription, told as what happened and when.
@Suite struct SubscriptionTests {
    // MARK: Renewals

    @Test("X7: A period is charged a day before its end, and the next one begins where it ended")
    func renewal() throws {
        var life = try Life("2027-01-31")
        #expect(life.due == "2027-02-27" && life.period == "2027-01-31 – 2027-02-28")
        #expect(try life.due() == [.renew(life.plan, nil)])
        #expect(life.it.charge == .underWay && life.due == "2027-02-28")
        try life.handle(.paid(life.plan, nil))
        // Months keep the day on which it began.
        #expect(life.period == "2027-02-28 – 2027-03-31" && life.it.renewals == 1)
        #expect(life.due == "2027-03-30")
    }

    @Test("X7: A year of renewals that begins on a leap day keeps it")
    func leapDay() throws {
        var life = try Life("2028-02-29", period: .oneYear)
        for end in ["2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29", "2033-02-28"] {
            #expect(life.period.hasSuffix(end))
            try life.renew()
        }
    }

    @Test("X7: What is turned off counts to its end, and is on again while that is not reached")
    func turnedOff() throws {
        var life = try Life("2027-01-01")
        try life.handle(.turnedOff)
        #expect(life.due == "2027-02-01")
        try life.handle(.turnedOn)
        #expect(life.due == "2027-01-31")
        try life.handle(.turnedOff)
        #expect(try life.due() == [])
        #expect(life.it.state == .expired && life.it.intent == .cancelled && life.due == nil)
        #expect(throws: SubscriptionError(.turnedOn, in: .expired)) { try life.handle(.turnedOn) }
    }

    @Test("The sandbox renews twelve times, and then the subscription ends")
    func limit() throws {
        var life = try Life("2027-01-01", terms: SubscriptionTerms(scale: .month(lasts: 300_000), renewalLimit: 12))
        for _ in 0..<12 { try life.renew() }
        #expect(life.it.renewals == 12 && !life.it.renews)
        // Nothing that its customer wants lets it renew once more.
        for event in [Subscription.Event.turnedOn, .planned(life.plan(level: 3)), .planned(nil)] {
            try life.handle(event)
            #expect(!life.it.renews, "\(event.word.rawValue)")
        }
        _ = try life.due()
        #expect(life.it.state == .expired && life.it.intent == .cancelled)
    }

    @Test("The limit of the sandbox is for shortened periods: a year of weeks of the calendar runs")
    func limitOfShortened() throws {
        let terms = SubscriptionTerms(scale: .month(lasts: 300_000), renewalLimit: 12).with(.calendar)
        var life = try Life("2027-01-01", period: .oneWeek, terms: terms)
        for _ in 0..<52 { try life.renew() }
        #expect(life.it.renewals == 52 && life.it.renews && life.it.state == .active)
        #expect(terms.renewalLimit == nil && terms.with(.period(lasts: 2000)).renewalLimit == 12)
    }

    @Test("A product that is not sold any more does not renew")
    func removed() throws {
        var life = try Life("2027-01-01")
        #expect(try life.due(isSold: false) == [] && life.it.state == .active)
        // Nothing is due before the end: else it would be looked at again and again.
        #expect(life.it.nextDue == life.it.endsAt)
        life.now = life.it.endsAt
        #expect(try life.handle(.due(isSold: false)) == [])
        #expect(life.it.state == .expired && life.it.intent == .productUnavailable)
    }

    // MARK: What is not paid

    @Test("X7: Paid within the grace period, it keeps its billing date; a week has at most six days of grace")
    func grace() throws {
        var life = try Life("2027-01-31", terms: SubscriptionTerms(scale: .calendar, grace: GracePeriod(days: 16)))
        try life.decline()
        #expect(life.it.state == .active && life.due == "2027-02-28")
        #expect(try life.due() == [.tryAgain])
        #expect(life.it.state == .grace && life.it.graceEndsAt == Life.day("2027-03-16"))
        try life.handle(.declined)
        #expect(life.it.countsUntil == Life.day("2027-03-16") && life.due == "2027-03-01")
        #expect(try life.due() == [.tryAgain])
        try life.handle(.paid(life.plan, nil))
        #expect(life.it.state == .active && life.period == "2027-02-28 – 2027-03-31")

        let terms = SubscriptionTerms(scale: .calendar, grace: GracePeriod(days: 28))
        var week = try Life("2027-01-01", period: .oneWeek, terms: terms)
        try week.decline()
        _ = try week.due()
        #expect(week.it.graceEndsAt == Life.day("2027-01-14"))
    }

    @Test("X7: Paid after the grace period, it begins anew on that day; unpaid for 60 days, it ends")
    func retry() throws {
        var life = try Life("2027-01-31", terms: SubscriptionTerms(scale: .calendar, grace: GracePeriod(days: 3)))
        try life.decline()
        while life.it.state != .retry {
            _ = try life.due()
            if life.it.charge == .underWay { try life.handle(.declined) }
        }
        #expect(life.now == Life.day("2027-03-03") && life.it.countsUntil == Life.day("2027-02-28"))
        #expect(life.due == "2027-03-05")
        #expect(try life.due() == [.tryAgain])
        var recovered = life
        try recovered.handle(.paid(life.plan, nil))
        #expect(recovered.period == "2027-03-05 – 2027-04-05" && recovered.it.state == .active)
        #expect(recovered.it.beganAt == Life.day("2027-01-31"))
        try life.handle(.declined)
        while life.it.state == .retry {
            _ = try life.due()
            if life.it.charge == .underWay { try life.handle(.declined) }
        }
        #expect(life.now == Life.day("2027-04-29") && life.it.intent == .billingError)
    }

    @Test("Without a grace period the customer has nothing while it is tried to be paid")
    func noGrace() throws {
        var life = try Life("2027-01-01")
        try life.decline()
        #expect(try life.due() == [.tryAgain])
        #expect(life.it.state == .retry && life.it.countsUntil == Life.day("2027-02-01"))
        // The attempt began at the end, so there is no gap.
        try life.handle(.paid(life.plan, nil))
        #expect(life.period == "2027-02-01 – 2027-03-01")
        // After a free trial some have none.
        let trial = OfferTerms(
            kind: .introductory, id: nil, mode: .free, period: .oneWeek, count: 1, price: .zero(.usd))
        let terms = SubscriptionTerms(scale: .calendar, grace: GracePeriod(days: 16, isOnlyPaid: true))
        var free = try Life("2027-01-01", offer: trial, terms: terms)
        try free.decline()
        _ = try free.due()
        #expect(free.it.state == .retry)
    }

    @Test("What rests is given up when the customer does not want it any more")
    func givenUp() throws {
        var life = try Life("2027-01-01")
        try life.decline()
        #expect(try life.handle(.turnedOff) == [.giveUp])
        _ = try life.due()
        #expect(life.it.state == .expired && life.it.intent == .cancelled)
        var late = try Life("2027-01-01")
        _ = try late.due()
        try late.handle(.turnedOff)
        // The processor said no after all.
        #expect(try late.handle(.declined) == [.giveUp])
        #expect(late.it.charge == .none)
    }

    @Test("Somebody who was never asked in time pays for no period that is over")
    func missed() throws {
        var life = try Life("2027-01-01")
        life.now = Life.day("2027-01-31")
        _ = try life.handle(.due(isSold: true))
        life.now = Life.day("2027-05-10")
        try life.handle(.paid(life.plan, nil))
        #expect(life.period == "2027-05-10 – 2027-06-10")
    }

    // MARK: Offers

    @Test("X7: A free trial is counted by itself, and the months that follow from its end")
    func trial() throws {
        let trial = OfferTerms(
            kind: .introductory, id: nil, mode: .free, period: .oneMonth, count: 1, price: .zero(.usd))
        var life = try Life("2026-12-31", offer: trial)
        #expect(life.period == "2026-12-31 – 2027-01-31")
        #expect(try life.due() == [.renew(life.plan, nil)])
        try life.handle(.paid(life.plan, nil))
        #expect(life.period == "2027-01-31 – 2027-02-28" && life.it.offer == nil)
        try life.renew()
        #expect(life.period == "2027-02-28 – 2027-03-31")
    }

    @Test("X7: An offer that is paid by the period has as many as it says")
    func payAsYouGo() throws {
        let offer = OfferTerms(
            kind: .introductory, id: nil, mode: .payAsYouGo, period: .oneMonth, count: 3,
            price: Money(minorUnits: 99, currency: .usd))
        var life = try Life("2027-01-01", offer: offer)
        for left in [2, 1, 0] {
            #expect(life.it.offerPeriodsLeft == left)
            #expect(life.it.renewalPrice().minorUnits == (left > 0 ? 99 : 499))
            try life.renew()
        }
        #expect(life.it.offer == nil && life.period == "2027-04-01 – 2027-05-01")
    }

    // MARK: Other plans, other prices

    @Test("X7: A change that waits renews at the end; one at once begins its own period")
    func change() throws {
        var life = try Life("2027-01-10")
        let (better, less) = (life.plan(level: 1), life.plan(level: 3))
        #expect(life.plan.change(to: better) == .atOnce && life.plan.change(to: less) == .atRenewal)
        #expect(life.plan.change(to: life.plan(level: 2)) == .atOnce)
        #expect(life.plan.change(to: life.plan(level: nil, period: .oneYear)) == .atRenewal)
        try life.handle(.planned(less))
        #expect(try life.due() == [.renew(less, nil)])
        try life.handle(.paid(less, nil))
        #expect(life.it.plan == less && life.it.next == nil)
        life.now = Life.day("2027-02-20")
        try life.handle(.bought(better, nil))
        #expect(life.period == "2027-02-20 – 2027-03-20" && life.it.plan == better)
        #expect(life.it.beganAt == Life.day("2027-01-10"))
    }

    @Test("X7: A lower plan that was paid while a higher one runs waits for its end, in either order of the two")
    func postponed() throws {
        var life = try Life("2027-01-10")
        let less = life.plan(level: 3)
        life.now = Life.day("2027-01-20")
        try life.handle(.turnedOff)
        #expect(life.it.postpones(less, at: life.now) && !life.it.postpones(life.plan(level: 1), at: life.now))
        try life.handle(.bought(less, nil))
        #expect(life.period == "2027-02-10 – 2027-03-10" && life.it.plan == less && life.it.renews)
        // Between what runs and what was paid ahead: it takes nothing away from what runs.
        var between = try Life("2027-01-10")
        try between.handle(.bought(between.plan(level: 4), nil))
        #expect(between.it.change(to: less, at: between.now) == .atRenewal)
        #expect(between.it.change(to: between.plan(level: 1), at: between.now) == .atOnce)
        #expect(between.it.change(to: less, at: Life.day("2027-02-10")) == .atOnce)
        try between.handle(.bought(less, nil))
        #expect(between.period == "2027-03-10 – 2027-04-10" && between.it.plan(at: between.now) == between.plan)
        // It is over by then, so that another one begins at once.
        #expect(!life.it.postpones(life.plan(level: nil, period: .oneYear), at: Life.day("2027-03-10")))
        life.now = Life.day("2027-01-20")
        try life.handle(.bought(life.plan, nil))
        #expect(life.period == "2027-01-20 – 2027-02-20" && life.it.plan == life.plan)
    }

    @Test("A subscription that is bought again within 60 days goes on, later it begins anew")
    func again() throws {
        for (day, began) in [("2027-03-30", "2027-01-01"), ("2027-04-03", "2027-04-03")] {
            var life = try Life("2027-01-01")
            try life.handle(.turnedOff)
            _ = try life.due()
            life.now = Life.day(day)
            try life.handle(.bought(life.plan, nil))
            #expect(life.it.state == .active && life.it.renews && life.it.beganAt == Life.day(began))
        }
    }

    @Test("X7: Without consent to a higher price it ends; with it, or where none is needed, the price is higher")
    func priceIncrease() throws {
        let price = Money(minorUnits: 999, currency: .usd)
        for (needsConsent, event, ends) in [
            (true, nil, true), (true, .agreedToPrice, false), (false, nil, false), (true, .refusedPrice, true),
        ] as [(Bool, Subscription.Event?, Bool)] {
            var life = try Life("2027-01-01")
            life.now = Life.day("2027-01-05")
            let asked = try life.handle(
                .raised(PriceIncrease(price: price, needsConsent: needsConsent, askedAt: life.now)))
            #expect(asked == (needsConsent ? [.askConsent] : []))
            if let event { try life.handle(event) }
            if ends {
                _ = try life.due()
                #expect(life.it.state == .expired && life.it.intent == .priceIncreaseNotConsented)
                #expect(life.now == Life.day("2027-02-01"))
            } else {
                #expect(try life.due() == [.renew(life.plan.priced(price), nil)])
            }
        }
    }

    @Test("A higher price while a payment is tried again holds for the period after that")
    func increaseInRetry() throws {
        var life = try Life("2027-01-01")
        try life.decline()
        _ = try life.due()
        try life.handle(.declined)
        let price = Money(minorUnits: 999, currency: .usd)
        try life.handle(.raised(PriceIncrease(price: price, needsConsent: true, askedAt: life.now)))
        #expect(try life.due() == [.tryAgain])
        try life.handle(.paid(life.plan, nil))
        #expect(life.it.state == .active && life.it.plan.price.minorUnits == 499)
        _ = try life.due()
        #expect(life.it.intent == .priceIncreaseNotConsented)
    }

    @Test("Whether a higher price needs consent")
    func consent() {
        let (month, year) = (BillingPeriod.oneMonth, BillingPeriod.oneYear)
        let now = Life.day("2027-01-01")
        func needs(_ old: Int64, _ new: Int64, _ period: BillingPeriod, lastAt: Instant? = nil) -> Bool {
            PriceIncrease.needsConsent(
                from: Money(minorUnits: old, currency: .usd), to: Money(minorUnits: new, currency: .usd), of: period,
                dollars: new - old, lastAt: lastAt, at: now)
        }
        #expect(!needs(999, 1_498, month) && needs(999, 1_499, month))
        #expect(needs(2_000, 2_501, month) && !needs(9_000, 13_500, year) && needs(20_000, 25_001, year))
        #expect(needs(999, 1_099, month, lastAt: Life.day("2026-06-01")))
        #expect(!needs(999, 1_099, month, lastAt: Life.day("2025-12-31")) && !needs(999, 899, month))
    }

    @Test("A refund of its period ends it at once and for good; taken back, it counts again and does not renew")
    func revoked() throws {
        var life = try Life("2027-01-01")
        life.now = Life.day("2027-01-05")
        try life.handle(.revoked)
        #expect(life.it.countsUntil == life.now && !life.it.renews && life.due == nil)
        #expect(throws: SubscriptionError.self) { try life.handle(.turnedOn) }
        try life.handle(.reinstated)
        #expect(life.it.state == .active && life.it.countsUntil == Life.day("2027-02-01"))
    }

    @Test("X7: A refund of the period charged ahead leaves the one that runs; reversed, it follows again")
    func revokedAhead() throws {
        var life = try Life("2027-01-31")
        let running = life.it.period
        try life.renew()
        #expect(life.now == Life.day("2027-02-27") && life.it.isAhead(at: life.now))
        let ahead = life.it.period
        let paid = life.it
        try life.handle(.revokedAhead(life.plan, nil, running))
        #expect(life.it.state == .active && !life.it.renews && life.it.renewals == 0)
        #expect(life.period == "2027-01-31 – 2027-02-28" && life.due == "2027-02-28")
        var on = life
        try on.handle(.turnedOn)
        try on.renew()
        // Months keep the day on which it began.
        #expect(on.it.period == ahead && on.it == paid)
        var reversed = life
        try reversed.handle(.reinstatedAhead(life.plan, nil, ahead))
        #expect(reversed.it.period == ahead && !reversed.it.renews && reversed.it.renewals == 1)
        _ = try life.due()
        #expect(life.it.state == .expired && life.it.intent == .cancelled)
    }

    @Test("X7: A refund of the period charged ahead counts a period of an offer that is paid by the period again")
    func revokedAheadWithOffer() throws {
        let offer = OfferTerms(
            kind: .introductory, id: nil, mode: .payAsYouGo, period: .oneMonth, count: 3,
            price: Money(minorUnits: 99, currency: .usd))
        var life = try Life("2027-01-01", offer: offer)
        let running = life.it.period
        try life.renew()
        #expect(life.it.offerPeriodsLeft == 1)
        try life.handle(.revokedAhead(life.plan, offer, running))
        #expect(life.it.offerPeriodsLeft == 2 && life.it.offer == offer)
    }

    @Test("X7: A higher price is that of the plan that runs: where another one renews, nobody has to agree to it")
    func increaseAndOtherPlan() throws {
        let price = Money(minorUnits: 1_999, currency: .usd)
        var life = try Life("2027-01-01")
        try life.handle(.raised(PriceIncrease(price: price, needsConsent: true, askedAt: life.now)))
        let less = life.plan(level: 3)
        try life.handle(.planned(less))
        #expect(life.it.openIncrease == nil && life.due == "2027-01-31")
        var kept = life
        try kept.handle(.planned(nil))
        #expect(kept.it.openIncrease?.price == price)
        _ = try kept.due()
        #expect(kept.it.state == .expired && kept.it.intent == .priceIncreaseNotConsented)
        #expect(try life.due() == [.renew(less, nil)])
        try life.handle(.paid(less, nil))
        // It is over with the plan, and does not end the next one.
        #expect(life.it.plan == less && life.it.increase == nil)
        try life.renew()
    }

    @Test("X7: Bought in its grace period, it keeps its billing date, and the charge that rested is given up")
    func settled() throws {
        var life = try Life("2027-01-31", terms: SubscriptionTerms(scale: .calendar, grace: GracePeriod(days: 16)))
        try life.decline()
        _ = try life.due()
        try life.handle(.declined)
        try life.handle(.planned(life.plan(level: 3)))
        #expect(try life.handle(.settled(life.plan, nil)) == [.giveUp])
        #expect(life.period == "2027-02-28 – 2027-03-31" && life.it.renews && life.it.next == nil)
    }

    @Test("Periods of the sandbox are those of Apple's rates")
    func rates() {
        let lengths: [(RenewalRate, [Int64])] = [
            (.threeMinutes, [3, 3, 6, 9, 18, 36]), (.fiveMinutes, [3, 5, 10, 15, 30, 60]),
            (.fifteenMinutes, [5, 15, 30, 45, 90, 180]), (.thirtyMinutes, [10, 30, 60, 90, 180, 360]),
            (.oneHour, [15, 60, 120, 180, 360, 720]),
        ]
        let start = Life.day("2027-01-01")
        for (rate, minutes) in lengths {
            let ends = BillingPeriod.ofSubscriptions.map { rate.scale?.end(of: $0, from: start) }
            #expect(ends == minutes.map { start.adding(milliseconds: $0 * 60_000) }, "\(rate)")
            #expect(rate.scale.flatMap(RenewalRate.init) == rate)
            #expect(rate.scale.map(\.rawValue).flatMap(PeriodScale.init) == rate.scale)
        }
        for text in ["", "month", "month/", "month/0", "month/-5", "week/5", "month/5/6", "period/99999999999999999"] {
            #expect(PeriodScale(rawValue: text) == nil, "\(text)")
        }
    }
}
