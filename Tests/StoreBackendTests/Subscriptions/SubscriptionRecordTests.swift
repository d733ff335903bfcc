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

    /// The periods of a record, each from a day to a day, and which of them decides on the tenth day.
    struct Deciding: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let periods: [(from: Int, to: Int)]
        var refunded: Set<Int> = []
        /// Those that the store has told of again on the ninth day.
        var retold: Set<Int> = []
        var environment = StoreEnvironment.sandbox
        let decides: Int?
        let gives: Bool

        static let all = [
            Deciding(testDescription: "the one that runs", periods: [(0, 20)], decides: 0, gives: true),
            Deciding(testDescription: "the newest", periods: [(0, 8), (8, 20)], decides: 1, gives: true),
            Deciding(testDescription: "one that ended early", periods: [(0, 20), (5, 9)], decides: 1, gives: false),
            Deciding(
                testDescription: "one that was refunded", periods: [(0, 20), (5, 35)], refunded: [1], decides: 1,
                gives: false),
            Deciding(
                testDescription: "not one whose earlier one was refunded", periods: [(0, 5), (5, 35)], refunded: [0],
                decides: 1, gives: true),
            Deciding(
                testDescription: "not yet one that was charged ahead", periods: [(0, 20), (20, 50)], decides: 0,
                gives: true),
            Deciding(
                testDescription: "not one that was charged ahead and refunded", periods: [(0, 20), (20, 50)],
                refunded: [1], decides: 0, gives: true),
            Deciding(
                testDescription: "one that was charged ahead and ended before it began", periods: [(0, 20), (20, 9)],
                decides: 1, gives: false),
            Deciding(
                testDescription: "not what a restore brought back of one that is over",
                periods: [(0, 5), (5, 20), (9, 5)], decides: 1, gives: true),
            Deciding(
                testDescription: "not what a restore brought back of one that was refunded afterwards",
                periods: [(0, 20), (5, 20)], refunded: [0], decides: 0, gives: false),
            Deciding(
                testDescription: "not what a restore brought back of one that ended early", periods: [(0, 9), (5, 20)],
                retold: [0], decides: 0, gives: false),
            Deciding(
                testDescription: "not what a restore brought back of one that was extended",
                periods: [(0, 20), (2, 10)],
                retold: [0], decides: 0, gives: true),
            Deciding(
                testDescription: "one that production charged before the end of one that was refunded",
                periods: [(0, 20), (5, 40)], refunded: [0], environment: .production, decides: 1, gives: true),
            Deciding(
                testDescription: "what was bought after a refund", periods: [(0, 20), (10, 40)], refunded: [0],
                retold: [0], decides: 1, gives: true),
            Deciding(
                testDescription: "what a restore brought back, if nothing else is known", periods: [(9, 20)],
                decides: 0, gives: true),
            Deciding(
                testDescription: "nothing, if all that is known was over when a restore brought it",
                periods: [(9, 5)], decides: nil, gives: false),
        ]
    }

    @Test(arguments: Deciding.all)
    func `R5.6: the newest period that has begun decides alone`(row: Deciding) throws {
        let model = try ToldLife().latest
        let periods = try row.periods.enumerated().map { index, days in
            var period = model
            period.environment = row.environment
            period.transactionID = try ToldLife.id(10_000 + Int64(index))
            period.purchaseDate = ToldLife.start + ToldLife.day * days.from
            period.expiresDate = ToldLife.start + ToldLife.day * days.to
            let told = row.retold.contains(index) || row.refunded.contains(index) ? 9 : days.from
            period.statedAt = ToldLife.start + ToldLife.day * min(told, 9)
            if row.refunded.contains(index) { period.revocationDate = ToldLife.start + ToldLife.day * 9 }
            return period
        }
        let now = ToldLife.start + ToldLife.day * 10
        let record = SubscriptionRecord(periods: periods)
        let deciding = record.deciding(at: record.moment(at: now))
        #expect(deciding?.transactionID == row.decides.map { periods[$0].transactionID })
        #expect((record.standing(at: now)?.isServed ?? false) == row.gives)
        let payment = VerifiedPayment(environment: row.environment, bundleID: model.bundleID, transactions: periods)
        let given = row.gives ? [deciding?.transactionID].compactMap(\.self) : []
        #expect(payment.inForce(at: now).map(\.transactionID) == given)
    }

    @Test func `what was charged ahead lets nobody be asked whether it shall go on`() throws {
        var life = try ToldLife()
        var ahead = life.latest
        life.setRenewal(false)
        ahead.transactionID = try ToldLife.id(10_001)
        (ahead.purchaseDate, ahead.expiresDate) = (life.latest.end, life.latest.end.adding(.oneMonth))
        var record = SubscriptionRecord(life.statements)
        record.take(ahead)
        #expect(record.standing(at: life.clock)?.periodID == life.latest.transactionID)
        #expect(record.standing(at: life.clock)?.until == ahead.end)
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
