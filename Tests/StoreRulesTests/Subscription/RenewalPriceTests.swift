import StoreModel
import TestSupport
import Testing

@testable import StoreRules

/// What the next period of a subscription costs, where its product costs something else by now, and when none is charged.
@Suite struct RenewalPriceTests {
    private static func dollars(_ cents: Int64) -> Money { Money(minorUnits: cents, currency: .usd) }

    @Test(
        "X7: A renewal costs what the product costs, if that is less, and never more without being told",
        arguments: [(399, 399), (499, 499), (999, 499), (nil, 499)] as [(Int64?, Int64)])
    func lower(_ cents: Int64?, _ expected: Int64) throws {
        var life = try Life("2027-01-01")
        #expect(try life.due(cents: cents) == [.renew(life.plan.priced(Self.dollars(expected)), nil)])
        try life.handle(.paid(life.plan.priced(Self.dollars(expected)), nil))
        #expect(life.it.plan.price == Self.dollars(expected))
    }

    @Test("X7: A price of another currency lowers nothing, and an offer keeps its own price")
    func others() throws {
        var life = try Life("2027-01-01")
        life.now = try #require(life.it.nextDue)
        let yen = Money(minorUnits: 1, currency: .jpy)
        #expect(try life.handle(.due(isSold: true, price: yen)) == [.renew(life.plan, nil)])
        let offer = OfferTerms(
            kind: .promotional, id: "spring", mode: .payAsYouGo, period: .oneMonth, count: 1, price: Self.dollars(99))
        var other = try Life("2027-01-01")
        try other.handle(.offered(offer))
        #expect(try other.due(cents: 399) == [.renew(other.plan.priced(Self.dollars(399)), offer)])
    }

    @Test("X7: A higher price that was taken back is not asked about any more; one that fell is charged as it is now")
    func increased() throws {
        for (needsConsent, now, charged) in [(true, 399, 399), (true, 499, 499), (false, 399, 399), (false, 700, 700)]
            as [(Bool, Int64, Int64)]
        {
            var life = try Life("2027-01-01")
            try life.handle(
                .raised(PriceIncrease(price: Self.dollars(999), needsConsent: needsConsent, askedAt: life.now)))
            let plan = life.plan.priced(Self.dollars(charged))
            #expect(try life.due(cents: now) == [.renew(plan, nil)])
            try life.handle(.paid(plan, nil))
            #expect(life.it.increase == nil && life.it.plan == plan && life.it.state == .active)
        }
        // It still waits for an answer where the product costs more than is paid.
        var life = try Life("2027-01-01")
        try life.handle(.raised(PriceIncrease(price: Self.dollars(999), needsConsent: true, askedAt: life.now)))
        #expect(try life.due(cents: 700) == [] && life.it.intent == .priceIncreaseNotConsented)
    }

    @Test("X7: A payment that is tried at once, and has no charge that rests, costs no more than the product costs now")
    func resolved() throws {
        var life = try Life("2027-01-01")
        _ = try life.due()
        try life.handle(.released)
        while life.it.state != .retry {
            _ = try life.due()
            if life.it.charge == .underWay { try life.handle(.released) }
        }
        let lower = life.plan.priced(Self.dollars(399))
        #expect(try life.handle(.resolved(price: Self.dollars(399))) == [.renew(lower, nil)])
    }

    @Test("X7: What is not sold at the moment is not tried to be paid, and is once it is sold again")
    func unsold() throws {
        let terms = SubscriptionTerms(scale: .calendar, grace: GracePeriod(days: 3))
        var life = try Life("2027-01-01", terms: terms)
        try life.decline()
        #expect(try life.due() == [.tryAgain])
        try life.handle(.declined)
        #expect(life.it.state == .grace)
        while life.it.state == .grace { #expect(try life.due(isSold: false) == []) }
        #expect(try life.due(isSold: false) == [] && life.it.state == .retry)
        #expect(try life.due(isSold: true) == [.tryAgain])
        try life.handle(.declined)
        while life.it.state == .retry { #expect(try life.due(isSold: false).contains(.tryAgain) == false) }
        #expect(life.it.state == .expired && life.it.intent == .productUnavailable)
    }

    @Test("X7: Until a period begins that was paid ahead and is of another plan, the customer has the one that runs")
    func ahead() throws {
        var life = try Life("2027-01-01")
        let less = life.plan(level: 3)
        try life.handle(.planned(less))
        _ = try life.due()
        try life.handle(.paid(less, nil))
        #expect(life.it.isAhead(at: life.now) && life.it.plan == less)
        #expect(life.it.plan(at: life.now) == life.plan && life.it.running?.startsAt == Life.day("2027-01-01"))
        #expect(life.it.plan(at: life.it.startsAt) == less)
        let period = SubscriptionPeriod(startsAt: Life.day("2027-01-01"), endsAt: Life.day("2027-02-01"))
        var taken = life
        try taken.handle(.revokedAhead(life.plan, nil, period))
        #expect(taken.it.plan(at: taken.now) == life.plan && taken.it.running == nil)
        try taken.handle(.reinstatedAhead(less, nil, life.it.period))
        #expect(taken.it.plan(at: taken.now) == life.plan && taken.it.plan == less)
        // The same plan is told as it is.
        var same = try Life("2027-01-01")
        try same.renew()
        #expect(same.it.isAhead(at: same.now) && same.it.running == nil)
    }
}
