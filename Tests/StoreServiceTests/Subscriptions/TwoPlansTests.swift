import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

/// Two plans of a group that are wanted at once: which of them runs is judged where it changes, by how things stand then.
@Suite(.bounded) struct TwoPlansTests {
    /// The better plan is of level 1.
    private static func plan(_ level: Int) throws -> SoldItem {
        try SaleScene.plan(1000 + Int64(level), level: level, cents: 1000 - 300 * Int64(level))
    }

    /// Purchases of plans on devices of their own, which nobody has confirmed.
    private static func open(_ levels: [Int], _ scene: SaleScene) async throws -> [PurchaseID] {
        try await scene.enterPlans()
        let customer = try await scene.customer()
        var opened: [PurchaseID] = []
        for level in levels {
            opened.append(try await scene.open(scene.order(plan(level)), on: scene.device(customer)).id)
        }
        return opened
    }

    @Test(
        "X7: While one plan is being paid another of its group is not, in either order",
        arguments: StoreEngine.allCases, [[1, 2], [2, 1]])
    func beingPaid(_ engine: StoreEngine, _ levels: [Int]) async throws {
        try await SaleScene.on(engine) { scene in
            let opened = try await Self.open(levels, scene)
            let (drawn, cause) = (try await scene.store.draw(), scene.cause)
            // The processor is not asked yet.
            try await scene.store.database.write(isolation: .snapshot) { transaction in
                let purchase = try Purchases.require(opened[0], in: transaction)
                _ = try Purchases.confirm(purchase, drawn, cause.change(of: purchase.customer, in: transaction))
            }
            #expect(try await scene.confirm(opened[1]).failure == .beingPaid)
            scene.time.pass(ChargeLimits.inquiry)
            try await scene.work()
            #expect(try await scene.purchase(opened[0]).state == .purchased)
            #expect(try await scene.subscription().rules.plan == Self.plan(levels[0]).plan)
            #expect(await (scene.processor.count("capture"), scene.processor.count("refund")) == (1, 0))
            #expect(try await scene.check().isInOrder)
        }
    }

    // One writer at a time is all that SQLite has, so nothing overtakes there.
    @Test("X7: A plan that was judged before another was paid is judged again", arguments: [[1, 2], [2, 1]])
    func overtaken(_ levels: [Int]) async throws {
        try await SaleScene.on(.postgres) { scene in
            let opened = try await Self.open(levels, scene)
            let overtaking = Overtaking()
            async let late = scene.checkout.confirm(opened[1].sale, scene.cause) { _, transaction in
                _ = try transaction.value("SELECT count(*) FROM subscription", as: Int.self)
                overtaking.letBy()
                return true
            }
            try await overtaking.go { _ = try await scene.confirm(opened[0]) }
            #expect(try await late.state == .purchased)
            #expect(overtaking.runs == 2)
            let rules = try await scene.subscription().rules
            // The lower one waits; the higher one begins.
            #expect(try rules.plan == Self.plan(1).plan)
            #expect(try rules.next == (levels[0] == 1 ? Self.plan(2).plan : nil))
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("X7: A lower plan that was paid beside a higher one follows it, and takes nothing away", arguments: [1, 2])
    func paid(_ first: Int) async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.enterPlans()
            let device = try await scene.device(scene.customer())
            var charges: [StoredCharge] = []
            for level in [first, 3 - first] { charges.append(try await Self.charge(Self.plan(level), device, scene)) }
            for charge in charges { _ = try await scene.charges.drive(charge, isFirst: true, scene.cause) }
            let periods = try await scene.periods()
            let end = SceneTime.start.adding(.oneMonth)
            if first == 1 {
                #expect(periods.map(\.purchaseDate) == [SceneTime.start, end])
                #expect(periods.allSatisfy { $0.upgradedAt == nil })
                #expect(try await scene.count("SELECT count(*) FROM refund") == 0)
            } else {
                #expect(periods.map(\.purchaseDate) == [SceneTime.start, SceneTime.start])
                #expect(periods.map { $0.upgradedAt != nil } == [true, false])
            }
            let rules = try await scene.subscription().rules
            #expect(rules.renews && rules.state == .active && rules.plan.level == 3 - first)
            try await scene.pass(days: 40)
            #expect(try await scene.subscription().rules.plan.level == 3 - first)
            #expect(try await scene.check().isInOrder)
        }
    }

    /// Opens the charge of a plan, without asking whether it is to be paid.
    private static func charge(
        _ item: SoldItem, _ device: DeviceScope, _ scene: SaleScene
    ) async throws -> StoredCharge {
        let (store, owner) = (scene.store, try device.requireCustomerScope())
        let id = try SaleID(number: await store.numbers.next(.purchases))
        let (drawn, cause) = (try await store.draw(), store.cause(.owner))
        return try await store.database.write { transaction in
            let change = try cause.change(of: owner.customer, in: transaction)
            let order = try SaleOrder(
                id, .operator, of: item, quantity: 1, to: owner, commission: drawn.commission,
                orderLine: drawn.orderLine, at: change.commerce)
            try order.insert(change)
            let method = try #require(try Customers.paymentMethods(of: owner.customer, in: transaction).last)
            return try Charges.open(order, paidWith: method, isAttended: true, change)
        }
    }

    // MARK: While the clock moves

    @Test("X4: A yes to a subscription waits for the end of an advance, and is refused if that takes long")
    func advancing() async throws {
        try await StoreEngine.memory.withStore { databases in
            try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("first", in: $0) }
            let scene = try SaleScene(databases, waiters: SignalWaiters(pause: { _ in }))
            let opened = try await Self.open([1], scene)
            let advance = ClockState.Advance(
                goal: SceneTime.start + .seconds(60), since: SceneTime.start, lease: "another",
                leasedUntil: SceneTime.start + .seconds(60))
            func set(_ advance: ClockState.Advance?) async throws {
                let clock = CustomerClock(wall: SceneTime.start, shown: SceneTime.start, rate: 1000)
                try await databases.sandbox.write {
                    try ClockState(clock: clock, tester: nil, isSet: true, advance: advance).write(in: $0)
                }
            }
            try await set(advance)
            let refusal = await #expect(throws: ServiceError.self) { try await scene.confirm(opened[0]) }
            #expect(refusal?.code == .clockBusy)
            let (drawn, cause) = (try await scene.store.draw(), scene.cause)
            let state = try await scene.store.afterAdvance {
                do {
                    return try await databases.sandbox.write(isolation: .snapshot) { transaction in
                        let purchase = try Purchases.require(opened[0], in: transaction)
                        let change = try cause.change(of: purchase.customer, in: transaction)
                        return try Purchases.confirm(purchase, drawn, change).state
                    }
                } catch let error as AdvancingClock {
                    try await set(nil)
                    throw error
                }
            }
            #expect(state == .charging)
        }
    }

    @Test("X7: What has ended ahead of the clock does not run, so that it is bought anew")
    func ended() async throws {
        try await SaleScene.on(.memory) { scene in
            let opened = try await Self.open([1], scene)
            let bought = try await scene.confirm(opened[0])
            try await scene.handle(.turnedOff)
            try await scene.pass(days: 40)
            #expect(try await scene.subscription().state == .expired)
            let scope = try bought.stored.requireScope()
            let terms = try await scene.store.database.read {
                try Subscriptions.terms(of: Self.plan(1), for: scope, at: SceneTime.start, in: $0)
            }
            #expect(terms == nil)
        }
    }

    @Test(
        "X7 X4: Two devices want plans at once while the clock moves: one runs at a time, and none loses to a lower one"
    )
    func random() async throws {
        var random = RandomizedRun.generator(named: "two plans")
        for _ in 0..<RandomizedRun.cases(4) {
            try await StoreEngine.memory.withStore { databases in
                try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("first", in: $0) }
                let waiters = SignalWaiters(pause: { _ in try await Task.sleep(for: .milliseconds(2)) })
                let scene = try SaleScene(databases, waiters: waiters)
                try await scene.enterPlans()
                let customer = try await scene.customer()
                let devices = [try await scene.device(customer), try await scene.device(customer)]
                for _ in 0..<10 {
                    try await Self.round(on: devices, scene, &random)
                    try await Self.check(scene)
                }
                try await scene.work()
                #expect(await scene.processor.held == 0)
            }
        }
    }

    /// Plans are wanted on the devices, and confirmed at once, perhaps while the clock is advanced.
    private static func round(on devices: [DeviceScope], _ scene: SaleScene, _ random: inout SplitMix64) async throws {
        var acts: [@Sendable () async throws -> Void] = []
        for device in devices {
            let wanted = try plan(Int(random.next() % 3) + 1)
            let opened = try await scene.open(scene.order(wanted), on: device)
            if opened.state == .confirmation { acts.append { _ = try await scene.confirm(opened.id) } }
        }
        let step = ClockStep(.seconds(Int64(random.next() % 40 + 1) * 86_400))
        acts.append { _ = try await Clocks(scene.store).advance(nil, by: step, scene.store.cause(.owner)) }
        let turns = try await scene.count("SELECT count(*) FROM subscription") == 1 && random.next() % 4 == 0
        if turns {
            let (id, renews) = (try await scene.subscription().id, random.next() % 2 == 0)
            acts.append {
                _ = try await SubscriptionChanges(scene.store).renew(id, renews, scene.store.cause(.owner))
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for act in acts {
                let delay = Int(random.next() % 8)
                group.addTask {
                    await RandomizedRun.giveWay(delay)
                    do {
                        try await act()
                    } catch is ServiceError {
                        // It is refused with a reason.
                    } catch {
                        Issue.record("\(error)")
                    }
                }
            }
        }
    }

    private static func check(_ scene: SaleScene) async throws {
        let report = try await scene.check()
        #expect(report.isInOrder, "\(report.problems)")
        guard try await scene.count("SELECT count(*) FROM subscription") == 1 else { return }
        let (periods, now) = (try await scene.periods(), scene.store.clocks.commerce())
        let levels = Dictionary(uniqueKeysWithValues: periods.map { ($0.id, String($0.productID.text.suffix(1))) })
        let replaced = try await scene.store.database.read { transaction in
            try transaction.query("SELECT transaction_id, upgraded_to FROM transaction_upgrade") { row in
                try (row.value(0, as: TransactionID.self), row.value(1, as: TransactionID.self))
            }
        }
        for (old, new) in replaced {
            #expect(try #require(levels[old]) >= #require(levels[new]), "\(old) was replaced by \(new)")
        }
        let running = periods.filter {
            $0.purchaseDate <= now && $0.expiresDate.map { $0 > now } ?? true && $0.upgradedAt == nil
                && $0.revocation == nil
        }
        #expect(running.count <= 1, "\(running.map(\.id))")
    }
}
