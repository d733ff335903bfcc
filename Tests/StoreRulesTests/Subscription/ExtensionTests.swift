import StoreModel
import TestSupport
import Testing

@testable import StoreRules

/// What becomes of a subscription that its developer extends.
@Suite("Subscriptions that are extended") struct ExtensionTests {
    @Test("X3: Extended, a period ends later, and the next ones are counted from there")
    func extended() throws {
        var life = try Life("2027-01-31")
        try life.handle(.extended(days: 10))
        #expect(life.period == "2027-01-31 – 2027-03-10" && life.due == "2027-03-09")
        try life.renew()
        #expect(life.period == "2027-03-10 – 2027-04-10")
        try life.renew()
        #expect(life.period == "2027-04-10 – 2027-05-10" && life.it.renewals == 2)
    }

    @Test("X3: Extended after a period was charged ahead, that one ends later, and what runs gives way to it as before")
    func ahead() throws {
        var life = try Life("2027-01-31")
        try life.renew()
        #expect(life.it.isAhead(at: life.now))
        try life.handle(.extended(days: 10))
        #expect(life.period == "2027-02-28 – 2027-04-10" && life.it.isAhead(at: life.now))
        try life.renew()
        #expect(life.period == "2027-04-10 – 2027-05-10")
    }

    @Test("X3: What is being paid when a subscription is extended begins at the new end")
    func underWay() throws {
        var life = try Life("2027-01-31")
        #expect(try life.due() == [.renew(life.plan, nil)])
        try life.handle(.extended(days: 5))
        try life.handle(.paid(life.plan, nil))
        #expect(life.period == "2027-03-05 – 2027-04-05")
    }

    @Test("X3: What was not sold a day before the end is looked at again a day before the new one")
    func unsold() throws {
        var life = try Life("2027-01-31")
        _ = try life.due(isSold: false)
        try life.handle(.extended(days: 5))
        #expect(life.due == "2027-03-04")
        #expect(try life.due() == [.renew(life.plan, nil)])
    }

    @Test("X3: The days of an extension, and the year in which extensions count, are as short as the periods")
    func shortened() throws {
        var life = try Life("2027-01-01", terms: SubscriptionTerms(scale: .month(lasts: 300_000)))
        let end = life.it.endsAt
        try life.handle(.extended(days: 90))
        #expect(life.it.endsAt == end + .seconds(900))
        #expect(life.it.extensionYear == .seconds(3650))
    }

    @Test("X3: Nothing is extended that is free, turned off, over or not paid")
    func obstacles() throws {
        let trial = OfferTerms(
            kind: .introductory, id: nil, mode: .free, period: .oneWeek, count: 1, price: .zero(.usd))
        let free = try Life("2027-01-01", offer: trial)
        var (off, over, unpaid) = (try Life("2027-01-01"), try Life("2027-01-01"), try Life("2027-01-01"))
        try off.handle(.turnedOff)
        // Nobody has looked at it since it ended.
        over.now = over.it.endsAt
        try unpaid.decline()
        _ = try unpaid.due()
        let lives: [(Life, ExtensionObstacle)] = [
            (free, .freeTrial), (off, .turnedOff), (over, .inactive), (unpaid, .inactive),
        ]
        for (life, obstacle) in lives {
            var changed = life
            #expect(life.it.extensionObstacle(at: life.now) == obstacle)
            #expect(throws: SubscriptionError(.extended(days: 1), in: life.it.state)) {
                try changed.handle(.extended(days: 1))
            }
            #expect(changed.it == life.it)
        }
    }
}
