import StoreModel
import TestSupport
import Testing

@testable import StoreRules

/// Every pair of state and event of subscriptions, and whatever can follow from any of them.
@Suite struct SubscriptionTableTests {
    private static func events(_ life: Life) -> [Subscription.Event] {
        func period(_ start: Instant) -> SubscriptionPeriod {
            SubscriptionPeriod(startsAt: start, endsAt: start.adding(milliseconds: 2_592_000_000))
        }
        let price = Money(minorUnits: 999, currency: .usd)
        let offer = OfferTerms(
            kind: .code, id: "spring", mode: .payAsYouGo, period: .oneMonth, count: 2,
            price: Money(minorUnits: 1, currency: .usd))
        return [
            .due(isSold: true), .due(isSold: false), .paid(life.plan, nil), .declined, .released,
            .bought(life.plan(level: 1), nil), .bought(life.plan, offer), .planned(life.plan(level: 3)), .planned(nil),
            .turnedOff, .turnedOn, .offered(offer),
            .raised(PriceIncrease(price: price, needsConsent: true, askedAt: life.now)),
            .raised(PriceIncrease(price: price, needsConsent: false, askedAt: life.now)), .agreedToPrice,
            .refusedPrice, .revoked, .reinstated, .ended, .shortened, .resolved(), .settled(life.plan, nil),
            .revokedAhead(life.plan, nil, period(life.it.startsAt.adding(milliseconds: -2_592_000_000))),
            .reinstatedAhead(life.plan, nil, period(life.it.endsAt)), .extended(days: 10),
        ]
    }

    /// Where a subscription can be: a state, or the last day of a period after which the next one is paid.
    enum Place: CaseIterable {
        case active, ahead, grace, retry, expired, revoked
    }

    /// A subscription in each of them.
    private static func life(in place: Place) throws -> Life {
        var life = try Life(
            "2027-01-31", terms: SubscriptionTerms(scale: .calendar, grace: GracePeriod(days: 3)))
        switch place {
        case .active: break
        case .ahead: try life.renew()
        case .grace, .retry:
            try life.decline()
            while life.it.state != (place == .grace ? .grace : .retry) {
                _ = try life.due()
                if life.it.charge == .underWay { try life.handle(.declined) }
            }
        case .expired:
            try life.handle(.turnedOff)
            _ = try life.due()
        case .revoked: try life.handle(.revoked)
        }
        return life
    }

    /// What has no place in a state; everything else has.
    private static let refused: [Place: Set<String>] = [
        .active: ["reinstated", "price-agreed", "price-refused", "resolved", "settled", "revoked-ahead"],
        .ahead: ["reinstated", "price-agreed", "price-refused", "resolved", "settled"],
        .grace: ["reinstated", "price-agreed", "price-refused", "shortened", "revoked-ahead", "extended"],
        .retry: ["reinstated", "price-agreed", "price-refused", "shortened", "settled", "revoked-ahead", "extended"],
        .expired: [
            "reinstated", "price-agreed", "price-refused", "planned", "plan-kept", "turned-off", "turned-on",
            "offered", "price-raised", "ended", "shortened", "resolved", "settled", "revoked-ahead", "extended",
        ],
        .revoked: [
            "revoked", "price-agreed", "price-refused", "planned", "plan-kept", "turned-off", "turned-on", "offered",
            "price-raised", "ended", "shortened", "resolved", "settled", "revoked-ahead", "extended",
        ],
    ]

    @Test(
        "X7: Each event has its place in each state of a subscription, or is refused and changes nothing",
        arguments: Place.allCases)
    func everyPair(_ place: Place) throws {
        let life = try Self.life(in: place)
        let state = life.it.state
        for event in Self.events(life) {
            var changed = life
            if Self.refused[place]?.contains(event.word.rawValue) == true {
                #expect(throws: SubscriptionError(event, in: state)) { try changed.handle(event) }
                #expect(changed.it == life.it)
            } else {
                try changed.handle(event)
                Self.check(changed.it, after: "\(event.word.rawValue) in \(place)")
            }
        }
    }

    @Test("X7: Whatever happens in whatever order, a subscription keeps what always holds")
    func random() throws {
        var generator = RandomizedRun.generator(named: "subscriptions")
        for _ in 0..<RandomizedRun.cases(400) {
            let terms = [
                SubscriptionTerms(scale: .calendar),
                SubscriptionTerms(scale: .calendar, grace: GracePeriod(days: 16)),
                SubscriptionTerms(scale: .month(lasts: 300_000), grace: GracePeriod(days: 3), renewalLimit: 12),
            ].randomElement(using: &generator)
            var life = try Life("2027-01-31", terms: try #require(terms))
            for _ in 0..<60 {
                let before = life.it
                if Bool.random(using: &generator), let due = life.it.nextDue { life.now = max(due, life.now) }
                guard let event = Self.events(life).randomElement(using: &generator) else { break }
                // A payment comes of a charge.
                if [.declined, .released].contains(event) || event.word.rawValue == "renewed" {
                    guard life.it.charge == .underWay else { continue }
                }
                guard let actions = try? life.handle(event) else {
                    #expect(life.it == before)
                    continue
                }
                Self.check(life.it, after: event.word.rawValue)
                #expect(actions.filter { $0 != .giveUp && $0 != .askConsent }.count <= 1)
                // A charge is tried again or given up only if one rests.
                if actions.contains(.tryAgain) || actions.contains(.giveUp) {
                    #expect(before.charge == .resting || event == .declined)
                }
                if life.it.startsAt != before.startsAt || life.it.plan != before.plan {
                    #expect(Self.moving.contains(event.word.rawValue), "\(event.word.rawValue)")
                }
            }
        }
    }

    /// What may change the period.
    private static let moving: Set<String> = [
        "renewed", "bought", "settled", "ended", "shortened", "revoked-ahead", "reinstated-ahead",
    ]

    /// What always holds.
    private static func check(_ it: Subscription, after event: String) {
        #expect(it.startsAt <= it.endsAt, "\(event)")
        #expect((it.state == .grace) == (it.graceEndsAt != nil && it.state != .retry), "\(event)")
        #expect(it.state != .retry || it.retryEndsAt != nil, "\(event)")
        #expect((it.state == .expired) == (it.intent != nil), "\(event)")
        #expect((it.state == .revoked) == (it.revokedAt != nil), "\(event)")
        if !it.state.isLive {
            #expect(!it.renews && it.nextDue == nil, "\(event)")
            #expect(it.charge != .resting, "\(event)")
        } else if it.charge != .underWay {
            // Something happens by itself to all that lives.
            #expect(it.nextDue != nil, "\(event)")
        }
    }
}
