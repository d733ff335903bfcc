import StoreModel
import TestSupport
import Testing

@testable import StoreBackend

/// R5.6, P23: what is late, twice or out of order changes nothing.
@Suite struct SubscriptionRecordTests {
    @Test func `a life ends in the same record in whatever order and however often it is told`() throws {
        var generator = RandomizedRun.generator(named: "told lives")
        for _ in 0..<RandomizedRun.cases(60) {
            let life = try ToldLife.random(30, from: &generator)
            let inOrder = SubscriptionRecord(life.statements)
            #expect(SubscriptionRecord(life.delivery(&generator)) == inOrder)
            // The newest statement of each period, and of what comes next, holds.
            var last: [TransactionID: VerifiedTransaction] = [:]
            for statement in life.statements { last[statement.transaction.transactionID] = statement.transaction }
            #expect(Dictionary(uniqueKeysWithValues: inOrder.periods.map { ($0.transactionID, $0) }) == last)
            #expect(inOrder.renewal == life.statements.last?.terms)
        }
    }

    @Test func `of two statements of one instant the one that takes back holds, whichever comes first`() throws {
        let life = try ToldLife()
        let told = life.latest
        var (refunded, extended, replaced) = (told, told, told)
        refunded.revocationDate = life.clock
        extended.expiresDate = told.end + ToldLife.day
        replaced.isUpgraded = true
        for (lower, higher) in [
            (told, extended), (told, refunded), (extended, refunded), (extended, replaced), (replaced, refunded),
        ] {
            #expect(higher.holds(over: lower))
            #expect(!lower.holds(over: higher))
        }
        #expect(!told.holds(over: told))
        var later = told
        later.statedAt = told.statedAt.adding(milliseconds: 1)
        #expect(later.holds(over: refunded))
        #expect(!refunded.holds(over: later))
    }

    @Test func `two statements of what comes next that disagree leave a question for the store`() throws {
        let told = try ToldLife().statements[0].terms
        var (other, answer) = (told, told)
        other.renews = false
        answer.isAnswer = true
        let torn = told.updated(by: other)
        #expect(torn.isUncertain)
        #expect(torn.renews == false)
        #expect(torn.updated(by: answer) == answer)
        #expect(answer.updated(by: other) == answer, "The store was asked at that instant.")
        #expect(told.updated(by: told) == told)
        other.statedAt = told.statedAt.adding(milliseconds: 1)
        #expect(torn.updated(by: other) == other)
        #expect(other.updated(by: told) == other)
    }
}

/// R5.6: periods, expiry, renewals, grace, refunds and what takes them back.
@Suite struct SubscriptionStandingTests {
    private typealias State = BackendSubscription.State

    private func standing(_ life: ToldLife, after time: Duration = .zero) -> BackendSubscription? {
        SubscriptionRecord(life.statements).standing(at: life.clock + time)
    }

    @Test func `nothing stands before a period is known`() {
        #expect(SubscriptionRecord().standing(at: ToldLife.start) == nil)
    }

    @Test func `a period is served until its end and not after it`() throws {
        let life = try ToldLife()
        let end = life.latest.end
        #expect(standing(life)?.until == end)
        #expect(standing(life, after: end - life.clock - .milliseconds(1))?.state == .active)
        #expect(standing(life, after: end - life.clock)?.state == .expired)
    }

    @Test func `a failed payment is served for the grace period alone`() throws {
        var life = try ToldLife()
        life.fail(withGrace: ToldLife.day * 16)
        #expect(standing(life)?.state == .gracePeriod)
        #expect(standing(life)?.until == life.latest.end + ToldLife.day * 16)
        #expect(standing(life, after: ToldLife.day * 17)?.state == .billingRetry)
        life.fail(withGrace: nil)
        #expect(standing(life)?.state == .billingRetry)
        try life.renew()
        #expect(standing(life)?.state == .active)
    }

    @Test func `the grace period of an earlier failure gives nothing in a later period`() throws {
        var life = try ToldLife()
        life.fail(withGrace: ToldLife.day * 60)
        var record = SubscriptionRecord(life.statements)
        // The renewal is known from a receipt, which says nothing of what comes next.
        try life.renew()
        record.take(life.latest)
        #expect(record.standing(at: life.latest.end)?.state == .expired)
    }

    @Test func `a store whose clock is ahead of ours ends a period by what it says`() throws {
        var life = try ToldLife()
        life.setRenewal(false)
        #expect(SubscriptionRecord(life.statements).standing(at: ToldLife.start)?.state == .active)
        life.wait(ToldLife.day * 40)
        // Stated again after its end, as the store does that tells of it.
        life.setRenewal(false)
        #expect(SubscriptionRecord(life.statements).standing(at: ToldLife.start)?.state == .expired)
    }

    @Test func `a refund counts before the end, and its reversal gives the period back`() throws {
        var life = try ToldLife()
        life.refund()
        #expect(standing(life)?.state == .revoked)
        life.reverse()
        #expect(standing(life)?.state == .active)
    }

    @Test func `the refund of an earlier period leaves the one that runs`() throws {
        var life = try ToldLife()
        let first = life.latest
        try life.renew()
        var record = SubscriptionRecord(life.statements)
        var refunded = first
        (refunded.revocationDate, refunded.statedAt) = (life.clock, life.clock)
        record.take(refunded)
        #expect(record.standing(at: life.clock)?.state == .active)
    }

    @Test func `an upgrade counts from its beginning, and what it replaced does not`() throws {
        var life = try ToldLife()
        life.wait(ToldLife.day)
        let all = try ProductID(parsing: "all")
        try life.upgrade(to: all)
        #expect(standing(life)?.productID == all)
        #expect(standing(life, after: ToldLife.day * 40)?.productID == all)
    }

    @Test func `an end says why, and what was turned off says that it will end`() throws {
        var life = try ToldLife()
        life.setRenewal(false)
        #expect(standing(life)?.renews == false)
        life.expire(.cancelled)
        #expect(standing(life)?.state == .expired)
        #expect(standing(life)?.expirationIntent == .cancelled)
    }

    @Test func `an extension moves the end`() throws {
        var life = try ToldLife()
        let end = life.latest.end
        life.extend(ToldLife.day * 10)
        #expect(standing(life)?.until == end + ToldLife.day * 10)
    }
}
