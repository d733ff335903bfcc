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
        _ = try life.due()
        #expect(life.it.state == .expired && life.it.intent == .cancelled)
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
            type: .introductory, id: nil, mode: .freeTrial, period: .oneWeek, count: 1, price: .zero(.usd))
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
            type: .introductory, id: nil, mode: .freeTrial, period: .oneMonth, count: 1, price: .zero(.usd))
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
            type: .introductory, id: nil, mode: .payAsYouGo, period: .oneMonth, count: 3,
            price: Money(minorUnits: 99, currency: .usd))
        var life = try Life("2027-01-01", offer: offer)
        for left in [2, 1, 0] {
            #expect(life.it.offerPeriodsLeft == left)
            #expect(life.it.renewalPrice.minorUnits == (left > 0 ? 99 : 499))
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

/// A subscription that tests push through time.
struct Life {
    var it: Subscription
    var now: Instant
    let plan: SubscriptionPlan
    let terms: SubscriptionTerms

    init(
        _ start: String, period: BillingPeriod = .oneMonth, offer: OfferTerms? = nil,
        terms: SubscriptionTerms = SubscriptionTerms(scale: .calendar)
    ) throws {
        now = Self.day(start)
        plan = SubscriptionPlan(
            item: try ItemID(number: 1001), product: try ProductID(parsing: "com.example.monthly"), period: period,
            level: 2, price: Money(minorUnits: 499, currency: .usd))
        self.terms = terms
        it = Subscription(plan, offer, terms, at: now)
    }

    /// Another plan of the group.
    func plan(level: Int?, period: BillingPeriod = .oneMonth) -> SubscriptionPlan {
        // Safe: the numbers are constants in the range of both ids.
        try! SubscriptionPlan(
            item: ItemID(number: 2000 + Int64(level ?? 0)),
            product: ProductID(parsing: "com.example.other\(level ?? 0)"),
            period: period, level: level, price: Money(minorUnits: 999, currency: .usd))
    }

    var due: String? { it.nextDue.map(Self.text) }
    var period: String { "\(Self.text(it.startsAt)) – \(Self.text(it.endsAt))" }

    @discardableResult
    mutating func handle(_ event: Subscription.Event) throws -> [Subscription.Action] {
        try it.handle(event, by: terms, at: now)
    }

    /// Lets time go by until something is due.
    mutating func due(isSold: Bool = true) throws -> [Subscription.Action] {
        now = try #require(it.nextDue)
        return try handle(.due(isSold: isSold))
    }

    /// Renews it once.
    mutating func renew() throws {
        guard case .renew(let plan, let offer) = try due().first else {
            Issue.record("it does not renew: \(it.state)")
            return
        }
        try handle(.paid(plan, offer))
    }

    /// Lets the first attempt of a period be declined.
    mutating func decline() throws {
        _ = try due()
        try handle(.declined)
    }

    static func day(_ text: String) -> Instant {
        // Safe: tests write days that exist.
        try! Instant(rfc3339: text + "T00:00:00Z")
    }

    static func text(_ instant: Instant) -> String { String(instant.rfc3339.prefix(10)) }
}
