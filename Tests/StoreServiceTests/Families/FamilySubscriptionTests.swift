import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

/// What a family has of the subscription of one who changes its plan, or whose period is cut short.
@Suite("Subscriptions in families", .bounded)
struct FamilySubscriptionTests {
    /// Shared, and not shared.
    private static func shared(level: Int = 2, _ number: Int64 = 7003) throws -> SoldItem {
        try SaleScene.plan(number, level: level, cents: 3000)
    }
    private static func own(level: Int) throws -> SoldItem { try SaleScene.plan(7002, level: level, cents: 5000) }

    @Test(
        "X7: An upgrade to what is not shared takes the period back from the family", arguments: StoreEngine.allCases
    )
    func upgradeToUnshared(_ engine: StoreEngine) async throws {
        try await FamilyScene.on(engine) { family in
            let scene = family.scene
            let device = try await scene.device(family.organiser)
            _ = try await scene.buy(Self.shared(), on: device)
            try await scene.work()
            let mine = try #require(try await family.sharedWith(family.child).first)
            try await scene.pass(days: 10)
            _ = try await scene.buy(Self.own(level: 1), on: device)
            try await scene.work()
            for member in [family.adult, family.child] {
                #expect(try await family.sharedWith(member).isEmpty)
                #expect(try await scene.events(scene.device(member)).last?.kind == .revocation)
            }
            let lost = try await scene.transaction(mine.id)
            let payload = lost.payload(in: .sandbox, appTransaction: nil, signedAt: scene.time.current)
            #expect(payload.revocationType == .familyRevoke && payload.revocationDate == scene.time.current)
            #expect(lost.upgradedAt == nil && lost.expiresDate == mine.expiresDate)
            let told = try await Self.renewal(of: lost, scene)
            #expect(told?.status == .off && told?.nextProduct == mine.productID && told?.intent == .cancelled)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("X7: An upgrade to what is shared too replaces the period of the others, and takes nothing back")
    func upgradeToShared() async throws {
        try await FamilyScene.on(.memory) { family in
            let scene = family.scene
            let device = try await scene.device(family.organiser)
            _ = try await scene.buy(Self.shared(), on: device)
            try await scene.work()
            let mine = try #require(try await family.sharedWith(family.child).first)
            try await scene.pass(days: 10)
            let new = try await scene.buy(Self.shared(level: 1, 7001), on: device)
            try await scene.work()
            let now = try await family.sharedWith(family.child)
            #expect(now.map(\.sharedFrom) == [new.transaction] && now.first?.originalID == mine.id)
            let former = try await scene.transaction(mine.id)
            #expect(former.upgradedAt == now.first?.purchaseDate && former.revocation == nil)
        }
    }

    @Test("X7: A planned change to what is not shared leaves the others their period, and gives them no other")
    func planned() async throws {
        try await FamilyScene.on(.memory) { family in
            let scene = family.scene
            let device = try await scene.device(family.organiser)
            _ = try await scene.buy(Self.shared(level: 1), on: device)
            try await scene.work()
            let mine = try #require(try await family.sharedWith(family.child).first)
            _ = try await scene.buy(Self.own(level: 2), on: device)
            try await scene.work()
            #expect(try await family.sharedWith(family.child).map(\.id) == [mine.id])
            let end = try #require(mine.expiresDate)
            try await scene.pass(until: end - .seconds(60))
            try await scene.work()
            #expect(try await scene.periods().count == 2)
            #expect(try await family.sharedWith(family.child).map(\.id) == [mine.id])
            try await scene.pass(until: end + .seconds(60))
            try await scene.work()
            #expect(try await family.sharedWith(family.child).isEmpty)
            let former = try await scene.transaction(mine.id)
            #expect(former.expiresDate == end && former.revocation == nil && former.upgradedAt == nil)
            let told = try await Self.renewal(of: former, scene)
            #expect(told?.status == .off && told?.nextProduct == mine.productID)
        }
    }

    @Test("X7: What is made to end ends for the family too, and every device is told", arguments: StoreEngine.allCases)
    func expired(_ engine: StoreEngine) async throws {
        try await FamilyScene.on(engine) { family in
            let scene = family.scene
            let devices = [try await scene.device(family.organiser), try await scene.device(family.child)]
            let bought = try await scene.transaction(scene.buy(Self.shared(), on: devices[0]).transaction)
            try await scene.work()
            let mine = try #require(try await family.sharedWith(family.child).first)
            try await scene.finish(bought.id, on: devices[0])
            try await scene.finish(mine.id, on: devices[1])
            try await scene.pass(days: 3)
            let known = [try await scene.events(devices[0]).count, try await scene.events(devices[1]).count]
            _ = try await SubscriptionChanges(scene.store).expire(SubscriptionID(beganWith: bought.id), family.cause)
            #expect(try await family.sharedWith(family.child).isEmpty)
            for (index, id) in [bought.id, mine.id].enumerated() {
                #expect(try await scene.transaction(id).expiresDate == scene.time.current)
                let news = try await scene.events(devices[index]).dropFirst(known[index])
                    .filter { $0.kind != .subscription }
                #expect(news.map(\.kind) == [.transaction] && news.first?.told?.id == id)
                // What was finished is not delivered to the app once more.
                #expect(news.first?.isFinished == true && news.first?.told?.expiresDate == scene.time.current)
            }
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("X7: A renewal that is forced cuts what the family has, and its next period follows at once")
    func renewedNow() async throws {
        try await FamilyScene.on(.memory) { family in
            let scene = family.scene
            let bought = try await scene.buy(Self.shared(), on: scene.device(family.organiser))
            try await scene.work()
            let mine = try #require(try await family.sharedWith(family.child).first)
            try await scene.pass(days: 3)
            let id = SubscriptionID(beganWith: try #require(bought.transaction))
            _ = try await SubscriptionChanges(scene.store).forceRenewal(id, family.cause)
            try await scene.work()
            #expect(try await scene.transaction(mine.id).expiresDate == scene.time.current)
            let next = try await family.sharedWith(family.child)
            #expect(next.map(\.purchaseDate) == [scene.time.current] && next.first?.originalID == mine.id)
        }
    }

    @Test("X1: The devices of those who share a subscription are told that it stands otherwise, and nobody else's")
    func standsOtherwise() async throws {
        try await FamilyScene.on(.memory) { family in
            let scene = family.scene
            let bought = try await scene.buy(Self.shared(), on: scene.device(family.organiser))
            try await scene.work()
            try await family.leave(family.adult)
            try await scene.work()
            let devices = [try await scene.device(family.child), try await scene.device(family.adult)]
            let known = [try await scene.events(devices[0]).count, try await scene.events(devices[1]).count]
            let id = SubscriptionID(beganWith: try #require(bought.transaction))
            for renews in [false, true] {
                _ = try await SubscriptionChanges(scene.store).renew(id, renews, family.cause)
            }
            let news = try await scene.events(devices[0]).dropFirst(known[0])
            #expect(news.map(\.kind) == [.subscription, .subscription] && news.allSatisfy { $0.told == nil })
            #expect(try await scene.events(devices[1]).count == known[1])
        }
    }

    @Test("R4.2: Each shared period has a number of its own as an item of an order, and what does not renew has none")
    func orderLines() async throws {
        try await FamilyScene.on(.memory) { family in
            let scene = family.scene
            let device = try await scene.device(family.organiser)
            _ = try await scene.buy(Self.shared(), on: device)
            _ = try await scene.buy(family.shared, on: device)
            try await scene.pass(days: 32)
            try await scene.work()
            let all = try await scene.store.database.read { transaction in
                try transaction.query(
                    StoreTransaction.selection + " WHERE store_transaction.kind = 'Auto-Renewable Subscription'",
                    row: StoreTransaction.init)
            }
            // Two periods, of the organiser, the adult and the child.
            #expect(all.count == 6 && Set(all.compactMap(\.webOrderLineItemID)).count == 6)
            let others = try await family.sharedWith(family.child).filter { $0.kind == .nonConsumable }
            #expect(others.map(\.webOrderLineItemID) == [nil])
        }
    }

    /// What receipts of a member tell about how a period goes on.
    private static func renewal(of mine: StoreTransaction, _ scene: SaleScene) async throws -> PendingRenewal? {
        let now = scene.time.current
        return try await scene.store.database.read { transaction in
            PendingRenewal(of: mine, try PendingRenewal.source(of: mine.id, transaction), at: now)
        }
    }
}
