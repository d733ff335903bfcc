import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreBackend

@Suite("Entitlements of a user", .bounded)
struct EntitlementTests {
    private static let now = BackendSample.now

    @Test("P12: That something was taken back is asked before its end", arguments: engines)
    func revoked(dialect: SQLDialect) async throws {
        try await BackendSample.with(dialect) { sample in
            let year = BackendSample.bought(BackendSample.monthly, 1, expires: Self.now + .seconds(1_000))
            try await sample.record(year, BackendSample.bought(BackendSample.issue, 2))
            try await sample.record(year.refunded(after: 10))
            let entitlements = try await sample.backend.entitlements(of: sample.mary, at: Self.now + .seconds(11))
            #expect(entitlements.map(\.transaction.productID.text) == ["issue-1", "monthly"])
            #expect(entitlements.map(\.isInForce) == [true, false])
            #expect(entitlements.map(\.expires) == [nil, Self.now + .seconds(1_000)])
        }
    }

    @Test("A subscription holds until its end, and until the end of a grace period")
    func grace() async throws {
        try await BackendSample.with { sample in
            let month = BackendSample.bought(BackendSample.monthly, expires: Self.now + .seconds(100))
            try await sample.record(month)
            func isInForce(after seconds: Int64) async throws -> Bool? {
                try await sample.backend.entitlements(of: sample.mary, at: Self.now + .seconds(seconds)).first?
                    .isInForce
            }
            #expect(try await isInForce(after: 99) == true)
            #expect(try await isInForce(after: 100) == false)
            for (end, isHeld) in [(Self.now + .seconds(150), true), (nil, false)] as [(Instant?, Bool)] {
                let terms = RenewalTerms(
                    renews: true, nextProductID: month.productID, renewalDate: month.expiresDate, gracePeriodEnds: end,
                    statedAt: Self.now + .seconds(end == nil ? 2 : 1))
                try await sample.database.transaction { connection in
                    try SubscriptionTable(connection).take(terms, of: SubscriptionTable.Key(month))
                }
                #expect(try await isInForce(after: 149) == isHeld)
            }
        }
    }

    @Test("R5.6: A period that the store says after its end has ended, though our clock is behind the store's")
    func clockAhead() async throws {
        try await BackendSample.with { sample in
            let month = BackendSample.bought(BackendSample.monthly, expires: Self.now + .seconds(100))
            try await sample.record(month)
            func isInForce() async throws -> Bool? {
                try await sample.backend.entitlements(of: sample.mary, at: Self.now).first?.isInForce
            }
            #expect(try await isInForce() == true)
            try await sample.record(month.stated(after: 101))
            #expect(try await isInForce() == false)
        }
    }

    @Test("P12: A subscription that is over or refunded gives nothing, though an earlier period was to last longer")
    func endedEarly() async throws {
        try await BackendSample.with { sample in
            let first = BackendSample.bought(BackendSample.monthly, 1, expires: Self.now + .seconds(600))
            var second = BackendSample.bought(BackendSample.monthly, 2, expires: Self.now + .seconds(900))
            second.originalTransactionID = first.transactionID
            second.purchaseDate = Self.now + .seconds(300)
            second = second.stated(after: 300)
            func inForce() async throws -> [Bool] {
                try await sample.backend.entitlements(of: sample.mary, at: Self.now).map(\.isInForce)
            }
            try await sample.record(first, second)
            #expect(try await inForce() == [true, false])
            try await sample.record(second.refunded(after: 10))
            #expect(try await inForce() == [false, false])
            let back = second.stated(after: 20)
            try await sample.record(back)
            #expect(try await inForce() == [true, false])
            var ended = back.stated(after: 10)
            ended.expiresDate = Self.now + .seconds(330)
            try await sample.record(ended)
            #expect(try await inForce() == [false, false])
        }
    }

    @Test("P12: What a restore brought back of a subscription ends with it, and is no line of its own")
    func restoredPeriod() async throws {
        try await BackendSample.with { sample in
            let bought = BackendSample.bought(BackendSample.monthly, 1, expires: Self.now + .seconds(600))
            var restored = BackendSample.bought(BackendSample.monthly, 2, expires: bought.expiresDate)
            restored.originalTransactionID = bought.transactionID
            restored.purchaseDate = Self.now + .seconds(100)
            restored = restored.stated(after: 100)
            try await sample.record(bought, restored)
            func shown() async throws -> [String] {
                try await sample.backend.entitlements(of: sample.mary, at: Self.now).map {
                    "\($0.transaction.transactionID.number % 10) \($0.isInForce)"
                }
            }
            #expect(try await shown() == ["1 true"])
            try await sample.record(bought.refunded(after: 200))
            #expect(try await shown() == ["1 false"])
            var ended = bought.stated(after: 300)
            ended.expiresDate = Self.now + .seconds(300)
            try await sample.record(ended)
            #expect(try await shown() == ["1 false"])
        }
    }

    @Test("R5.6: Periods that do not renew are counted one behind the other, without those that were refunded")
    func nonRenewing() async throws {
        try await BackendSample.with { sample in
            let start = try Instant(rfc3339: "2026-01-31T12:00:00Z")
            let bought = [(1, 1), (2, 2), (3, 1)].map { number, quantity in
                var one = BackendSample.bought(BackendSample.course, Int64(number), quantity: quantity)
                one.purchaseDate = start + .seconds(Int64(number))
                return one
            }
            try await sample.record(bought[0], bought[1].refunded(after: 1), bought[2])
            let refunded = try await sample.backend.entitlements(of: sample.mary, at: start)
            #expect(
                refunded.map { $0.expires?.rfc3339 } == ["2026-03-28T12:00:01Z", nil, "2026-02-28T12:00:01Z"])
            try await sample.record(bought[1].stated(after: 2))
            let entitlements = try await sample.backend.entitlements(of: sample.mary, at: start)
            #expect(
                entitlements.map { $0.expires?.rfc3339 }
                    == ["2026-05-28T12:00:01Z", "2026-04-28T12:00:01Z", "2026-02-28T12:00:01Z"])
        }
    }

    @Test("P12: What was restored from a purchase that was refunded later is lost with it")
    func restored() async throws {
        try await BackendSample.with { sample in
            let original = BackendSample.bought(BackendSample.issue, 1)
            var restored = BackendSample.bought(BackendSample.issue, 2)
            restored.originalTransactionID = original.transactionID
            try await sample.record(original, restored)
            try await sample.record(original.refunded(after: 5))
            let entitlements = try await sample.backend.entitlements(of: sample.mary, at: Self.now)
            #expect(entitlements.map(\.isInForce) == [false, false])
        }
    }

    @Test("What was replaced by an upgrade stays so, whatever a later receipt leaves out")
    func upgraded() async throws {
        try await BackendSample.with { sample in
            let month = BackendSample.bought(BackendSample.monthly, expires: Self.now + .seconds(1_000))
            var upgraded = month.stated(after: 1)
            upgraded.isUpgraded = true
            try await sample.record(upgraded)
            var brief = month.stated(after: 2)
            (brief.kind, brief.expiresDate) = (nil, nil)
            let recorded = try await sample.record(brief)
            #expect(recorded.map(\.state) == [.takenBack])
            var known = upgraded
            known.statedAt = brief.statedAt
            #expect(recorded.map(\.transaction) == [known])
        }
    }

    @Test("R5.6: A second device of the user has all that was recorded from the first")
    func devices() async throws {
        try await BackendSample.with { sample in
            try await sample.record(
                BackendSample.bought(BackendSample.monthly, 1, expires: Self.now + .seconds(60)),
                BackendSample.bought(BackendSample.credits, 2))
            let sameUser = try BackendUser(id: "mary")
            let entitlements = try await sample.backend.entitlements(of: sameUser, at: Self.now)
            #expect(entitlements.count == 2)
            #expect(try await sample.backend.balances(of: sameUser) == [Balance(name: "credits", amount: 100)])
            #expect(try await sample.backend.entitlements(of: sample.john, at: Self.now).isEmpty)
        }
    }
}
