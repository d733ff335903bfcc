import StoreModel
import TestSupport
import Testing

@testable import StoreBackend

/// A restore makes another transaction of a period, of the same subscription and product and with an instant of its own. Whatever ends
/// the period that was bought ends what was brought back of it.
@Suite("Periods that a restore brought back", .bounded)
struct RestoredPeriodTests {
    private static let now = BackendSample.now
    private static let end = now + .seconds(300)

    private static func period(
        _ number: Int64, after seconds: Int64, until end: Instant = end, statedAfter stated: Int64? = nil
    ) -> VerifiedTransaction {
        var period = BackendSample.bought(BackendSample.monthly, number, expires: end)
        period.originalTransactionID = BackendSample.bought(BackendSample.monthly).transactionID
        period.purchaseDate = now + .seconds(seconds)
        period.statedAt = now + .seconds(stated ?? seconds)
        return period
    }

    /// The bought period, that which was restored from it after ten seconds, and what the store said afterwards.
    private static func inForce(
        _ statements: VerifiedTransaction..., at seconds: Int64
    ) async throws -> [TransactionID] {
        try await BackendSample.with { sample in
            for statement in [period(1, after: 0), period(2, after: 10)] + statements {
                try await sample.record(statement)
            }
            let now = now + .seconds(seconds)
            let entitlements = try await sample.backend.entitlements(of: sample.mary, at: now)
            let subscription = try await sample.backend.subscriptions(of: sample.mary, at: now).first
            let held = entitlements.filter(\.isInForce).map(\.transaction.transactionID)
            // Both halves say the same.
            #expect(subscription?.isServed == !held.isEmpty)
            let content = await code {
                _ = try await sample.backend.content(BackendSample.issue.productID, for: sample.mary, at: now)
            }
            #expect((content == .contentUnavailable) == !held.isEmpty)
            return held
        }
    }

    @Test("R5.6: One of the two is in force as long as nothing ends the period")
    func running() async throws {
        #expect(try await Self.inForce(at: 20).count == 1)
        #expect(try await Self.inForce(at: 300).isEmpty)
    }

    @Test("P12: A refund takes back both")
    func refunded() async throws {
        #expect(try await Self.inForce(Self.period(1, after: 0).refunded(after: 30), at: 40).isEmpty)
    }

    @Test("R5.6: A period that was ended early has ended in both")
    func endedEarly() async throws {
        let ended = Self.period(1, after: 0, until: Self.now + .seconds(30), statedAfter: 30)
        #expect(try await Self.inForce(ended, at: 40).isEmpty)
    }

    @Test("R5.6: What is bought after the end or the refund of the period is another one, and holds")
    func boughtAgain() async throws {
        let ended = Self.period(1, after: 0, until: Self.now + .seconds(30), statedAfter: 30)
        let again = Self.period(3, after: 40, until: Self.now + .seconds(340))
        #expect(try await Self.inForce(ended, again, at: 50) == [again.transactionID])
        let refunded = Self.period(1, after: 0).refunded(after: 30)
        #expect(try await Self.inForce(refunded, again, at: 50) == [again.transactionID])
    }
}
