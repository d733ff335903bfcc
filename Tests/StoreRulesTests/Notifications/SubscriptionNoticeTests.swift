import StoreModel
import TestSupport
import Testing

@testable import StoreRules

/// What a developer's server is told, as transcripts: each line is what one event, or the time that went by, comes to.
@Suite("Notices of subscriptions", .bounded)
struct SubscriptionNoticeTests {
    private static let grace = SubscriptionTerms(scale: .calendar, grace: GracePeriod(days: 16))
    private static let trial = OfferTerms(
        kind: .introductory, id: nil, mode: .free, period: .oneMonth, count: 1, price: .zero(.usd))
    private static let promotion = OfferTerms(
        kind: .promotional, id: "less", mode: .payAsYouGo, period: .oneMonth, count: 2,
        price: Money(minorUnits: 99, currency: .usd))

    /// Lets everything that is due happen, with attempts that are declined, until the state is another one.
    private func declined(_ life: inout Life, until state: Subscription.State) throws -> [String] {
        while life.it.state != state {
            _ = try life.due()
            if life.it.charge == .underWay { try life.handle(.declined) }
        }
        return life.news()
    }

    @Test("X7: The first purchase is told, and each renewal when it is paid, not when its period begins")
    func renewals() throws {
        var life = try Life("2027-01-31", offer: Self.trial)
        #expect(life.news() == ["SUBSCRIBED/INITIAL_BUY"])
        _ = try life.due()
        #expect(life.news() == [] && life.it.charge == .underWay)
        try life.handle(.paid(life.plan, nil))
        #expect(life.now < life.it.startsAt && life.news() == ["DID_RENEW"])
        // The period begins; what is due next is the charge after it.
        life.now = life.it.startsAt
        try life.handle(.due(isSold: true))
        #expect(life.news() == [])
    }

    @Test("X7: A card that fails is told at the end of the period, and the end after 60 days")
    func retry() throws {
        var life = try Life("2027-01-31")
        _ = life.news()
        try life.decline()
        #expect(life.news() == [] && life.now < life.it.endsAt)
        #expect(try declined(&life, until: .retry) == ["DID_FAIL_TO_RENEW"])
        var recovered = life
        try recovered.handle(.resolved())
        try recovered.handle(.paid(life.plan, nil))
        #expect(recovered.news() == ["DID_RENEW/BILLING_RECOVERY"])
        #expect(try declined(&life, until: .expired) == ["EXPIRED/BILLING_RETRY"])
        try life.handle(.bought(life.plan, nil))
        #expect(life.news() == ["SUBSCRIBED/RESUBSCRIBE"])
    }

    @Test("X7: The grace period is told when it begins and when it is over")
    func grace() throws {
        var life = try Life("2027-01-31", terms: Self.grace)
        _ = life.news()
        #expect(try declined(&life, until: .grace) == ["DID_FAIL_TO_RENEW/GRACE_PERIOD"])
        var settled = life
        try settled.handle(.settled(life.plan, nil))
        #expect(settled.news() == ["DID_RENEW/BILLING_RECOVERY"])
        #expect(try declined(&life, until: .retry) == ["GRACE_PERIOD_EXPIRED"])
        // Bought while it is tried to be paid: it had ended.
        var again = life
        try again.handle(.bought(life.plan, nil))
        #expect(again.news() == ["SUBSCRIBED/RESUBSCRIBE"])
        try life.handle(.turnedOff)
        #expect(life.news() == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY"])
    }

    @Test("X7: What is turned off is told, and its end")
    func turnedOff() throws {
        var life = try Life("2027-01-01")
        _ = life.news()
        try life.handle(.turnedOff)
        try life.handle(.turnedOff)
        #expect(life.news() == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
        try life.handle(.turnedOn)
        #expect(life.news() == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"])
        try life.handle(.turnedOff)
        _ = try life.due()
        #expect(life.news() == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY"])
    }

    @Test("X7: Another plan is told once, as an upgrade or a downgrade, and as the offer by which it came")
    func plans() throws {
        var life = try Life("2027-01-01")
        _ = life.news()
        let (lower, higher) = (life.plan(level: 3), life.plan(level: 1))
        try life.handle(.planned(lower))
        try life.handle(.planned(nil))
        #expect(life.news() == ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "DID_CHANGE_RENEWAL_PREF"])
        try life.handle(.turnedOff)
        _ = life.news()
        try life.handle(.planned(lower))
        #expect(
            life.news() == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        // What was planned renews: that is a renewal, and no other change.
        try life.renew()
        #expect(life.news() == ["DID_RENEW"])
        var withOffer = life
        try withOffer.handle(.bought(higher, Self.promotion))
        #expect(withOffer.news() == ["OFFER_REDEEMED/UPGRADE"])
        try life.handle(.bought(higher, nil))
        #expect(life.news() == ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
    }

    @Test("X7: An offer for what runs is told, and an offer by which a lower plan renews")
    func offers() throws {
        var life = try Life("2027-01-01")
        _ = life.news()
        try life.handle(.offered(Self.promotion))
        #expect(life.news() == ["OFFER_REDEEMED"])
        var lower = life.it
        let before = lower
        _ = try lower.handle(.planned(life.plan(level: 3)), by: life.terms, at: life.now)
        _ = try lower.handle(.offered(Self.promotion), by: life.terms, at: life.now)
        let told = Subscription.Event.offered(Self.promotion).notices(from: before, to: lower, at: life.now)
        #expect(told.map(\.description) == ["OFFER_REDEEMED/DOWNGRADE"])
        // The offer itself renews it.
        try life.renew()
        #expect(life.news() == ["DID_RENEW"])
    }

    @Test("X7: A higher price is told when it is asked about, when it is agreed to, and when it is the end")
    func prices() throws {
        var life = try Life("2027-01-01")
        _ = life.news()
        let raised = Money(minorUnits: 999, currency: .usd)
        let asked = PriceIncrease(price: raised, needsConsent: true, askedAt: life.now)
        try life.handle(.raised(asked))
        #expect(life.news() == ["PRICE_INCREASE/PENDING"])
        var agreed = life
        try agreed.handle(.agreedToPrice)
        try agreed.handle(.agreedToPrice)
        #expect(agreed.news() == ["PRICE_INCREASE/ACCEPTED"])
        var refused = life
        try refused.handle(.refusedPrice)
        #expect(refused.news() == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
        _ = try refused.due()
        #expect(refused.news() == ["EXPIRED/PRICE_INCREASE"])
        _ = try life.due()
        #expect(life.news() == ["EXPIRED/PRICE_INCREASE"])
        var informed = try Life("2027-01-01")
        _ = informed.news()
        try informed.handle(.raised(PriceIncrease(price: raised, needsConsent: false, askedAt: informed.now)))
        #expect(informed.news() == ["PRICE_INCREASE/ACCEPTED"])
        // Who does not go on is not asked.
        try informed.handle(.turnedOff)
        _ = informed.news()
        try informed.handle(.raised(asked))
        #expect(informed.news() == [])
    }

    @Test("X7: A product that is not sold any more is told as the reason of the end")
    func notSold() throws {
        var life = try Life("2027-01-01")
        _ = life.news()
        life.now = life.it.endsAt
        try life.handle(.due(isSold: false))
        #expect(life.news() == ["EXPIRED/PRODUCT_NOT_FOR_SALE"])
    }

    @Test("What is taken back, or given again, is not told of the subscription: its transaction tells it")
    func revoked() throws {
        var life = try Life("2027-01-01")
        _ = life.news()
        try life.handle(.revoked)
        try life.handle(.reinstated)
        #expect(life.news() == [] && life.it.state == .active)
        var late = life
        late.now = late.it.endsAt
        try late.handle(.due(isSold: true))
        #expect(late.news() == ["EXPIRED/VOLUNTARY"])
        try life.handle(.ended)
        #expect(life.news() == ["EXPIRED/VOLUNTARY"])
    }

    @Test("Members of a family are told what says whether they have the service, and nothing that is the buyer's")
    func family() {
        let told: [SubscriptionNotice] = [
            SubscriptionNotice(.didFailToRenew, .gracePeriod), SubscriptionNotice(.expired, .voluntary),
            SubscriptionNotice(.didChangeRenewalStatus, .autoRenewDisabled),
            SubscriptionNotice(.priceIncrease, .pending), SubscriptionNotice(.offerRedeemed),
        ]
        #expect(told.map(\.concernsFamily) == [true, true, false, false, false])
    }
}
