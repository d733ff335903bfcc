import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

/// Periods that are taken back while the next one was charged ahead.
extension SubscriptionLifeTests {
    /// Buys a subscription and lets its second period be charged; gives both.
    private static func charged(
        _ scene: SaleScene
    ) async throws -> (device: DeviceScope, running: StoreTransaction, ahead: StoreTransaction) {
        try await scene.enterPlans()
        let device = try await scene.device(scene.customer())
        _ = try await scene.buy(SaleScene.plan(), on: device)
        try await scene.pass(until: scene.subscription().rules.endsAt - .seconds(3600))
        let periods = try await scene.periods()
        try #require(periods.count == 2)
        return (device, periods[0], periods[1])
    }

    private static func refunds(of sold: StoreTransaction, _ scene: SaleScene) async throws -> [StoredRefund] {
        try await scene.store.database.read { try Refunds.all(of: sold.id, in: $0) }
    }

    /// The bank decides for the store.
    private static func reverse(_ refund: StoredRefund, _ scene: SaleScene) async throws {
        let entry = try LedgerEntryID(number: await scene.store.numbers.next(.ledgerEntries))
        let cause = scene.cause
        try await scene.store.database.write { transaction in
            _ = try Refunds.handle(
                .reversed, of: Refunds.require(refund.id, in: transaction), ledgerEntry: entry,
                cause.change(of: refund.customer, in: transaction))
        }
    }

    @Test(
        "X7: A refund of the running period gives back in full the one that was charged ahead, too",
        arguments: StoreEngine.allCases)
    func refundRunning(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (device, running, ahead) = try await Self.charged(scene)
            _ = try await scene.refund(running.id)
            let stored = try await scene.subscription()
            #expect(stored.state == .revoked && stored.latest == running.id && !stored.rules.renews)
            // Nobody has it while the processor is still to be asked.
            #expect(try await scene.transaction(ahead.id).revocation != nil)
            #expect(try await Self.refunds(of: ahead, scene).map(\.state) == [.refunding])
            try await scene.pass(days: 0)
            let given = try await Self.refunds(of: ahead, scene)
            #expect(given.map(\.state) == [.refunded] && given.map(\.amount) == [ahead.price])
            #expect(given.map(\.kind) == [.full])
            try await scene.pass(days: 10)
            #expect(try await scene.entitlements(device).isEmpty)
            #expect(try await scene.count("SELECT count(*) FROM refund") == 2)
            let report = try await scene.check()
            #expect(report.isInOrder && report.entries == 4, "\(report.problems)")
            // What is bought again is paid once.
            let again = try await scene.transaction(scene.buy(SaleScene.plan(), on: device).transaction)
            #expect(again.purchaseDate == scene.time.current)
            #expect(try await scene.entitlements(device).map(\.id) == [again.id])
            #expect(await scene.processor.count("capture") == 3)
        }
    }

    @Test(
        "X7: A running period that is revoked without money takes the one charged ahead with it, whose money goes back")
    func revokeRunning() async throws {
        try await SaleScene.on(.memory) { scene in
            let (_, running, ahead) = try await Self.charged(scene)
            #expect(try await scene.revoke(running.id))
            try await scene.pass(days: 0)
            #expect(try await Self.refunds(of: running, scene).isEmpty)
            #expect(try await Self.refunds(of: ahead, scene).map(\.state) == [.refunded])
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("X7: What the processor refuses to give back of a period charged ahead can be given back later, once")
    func refusedAhead() async throws {
        try await SaleScene.on(.memory) { scene in
            let (_, running, ahead) = try await Self.charged(scene)
            #expect(try await scene.revoke(running.id))
            await scene.processor.plan("refund", .refused(.refused))
            try await scene.pass(days: 0)
            #expect(try await Self.refunds(of: ahead, scene).map(\.state) == [.failed])
            let later = try await scene.refund(ahead.id)
            #expect(later.state == .refunded && later.amount == ahead.price)
            #expect(try await scene.transaction(ahead.id).revocation != nil)
            await #expect(throws: ServiceError.self) {
                _ = try await scene.refund(ahead.id, .amount(ahead.price, key: PurchaseKey(UUID()), reason: .other))
            }
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test(
        "X7: A refund of the period charged ahead leaves the one that runs, after which the subscription ends",
        arguments: StoreEngine.allCases)
    func refundAhead(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (device, running, ahead) = try await Self.charged(scene)
            _ = try await scene.refund(ahead.id)
            let stored = try await scene.subscription()
            #expect(stored.state == .active && stored.latest == running.id && !stored.rules.renews)
            #expect(stored.rules.endsAt == running.expiresDate && stored.rules.startsAt == running.purchaseDate)
            #expect(try await scene.entitlements(device).map(\.id) == [running.id])
            try await scene.pass(days: 1)
            let ended = try await scene.subscription()
            #expect(ended.state == .expired && ended.rules.intent == .cancelled)
            #expect(try await scene.entitlements(device).isEmpty)
            #expect(try await scene.periods().count == 2)
            let report = try await scene.check()
            #expect(report.isInOrder && report.entries == 3, "\(report.problems)")
        }
    }

    @Test("X7: Turned on again after a refund of the period charged ahead, it renews from the same day")
    func onAfterRefundAhead() async throws {
        try await SaleScene.on(.memory) { scene in
            let (_, _, ahead) = try await Self.charged(scene)
            _ = try await scene.refund(ahead.id)
            try await scene.handle(.turnedOn)
            try await scene.pass(days: 0)
            let third = try #require(try await scene.periods().last)
            #expect(third.id != ahead.id && third.expiresDate == ahead.expiresDate)
            #expect(third.purchaseDate == ahead.purchaseDate && third.revocation == nil)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test(
        "X7: A reversed refund of the running period brings the subscription back to its end; the period ahead stays given back",
        arguments: [StoreEngine.memory, .postgres])
    func reverseRunning(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (device, running, ahead) = try await Self.charged(scene)
            let refund = try await scene.refund(running.id)
            try await scene.pass(days: 0)
            try await Self.reverse(refund, scene)
            let stored = try await scene.subscription()
            #expect(stored.state == .active && !stored.rules.renews && stored.rules.endsAt == running.expiresDate)
            #expect(try await scene.entitlements(device).map(\.id) == [running.id])
            #expect(try await scene.transaction(ahead.id).revocation != nil)
            try await scene.pass(days: 1)
            #expect(try await scene.subscription().state == .expired)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("X7: A reversed refund of the period charged ahead lets it follow the running one again")
    func reverseAhead() async throws {
        try await SaleScene.on(.memory) { scene in
            let (device, _, ahead) = try await Self.charged(scene)
            let refund = try await scene.refund(ahead.id)
            try await Self.reverse(refund, scene)
            let stored = try await scene.subscription()
            #expect(stored.state == .active && stored.latest == ahead.id && !stored.rules.renews)
            try await scene.pass(days: 1)
            #expect(try await scene.entitlements(device).map(\.id) == [ahead.id])
            try await scene.pass(days: 31)
            #expect(try await scene.subscription().state == .expired)
            #expect(try await scene.check().isInOrder)
        }
    }
}
