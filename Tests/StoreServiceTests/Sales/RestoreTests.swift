import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@Suite(.bounded) struct RestoreTests {
    @Test(
        "R3.1: R3.4 A restore brings back what is owned and runs, with its original; consumables it does not",
        arguments: StoreEngine.allCases)
    func kinds(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let owned = try await scene.buy(.sample(.nonConsumable, 1), on: device)
            let running = try await scene.buy(.sample(.autoRenewable, 2), on: device)
            _ = try await scene.buy(.sample(.consumable, 3), on: device)
            _ = try await scene.buy(.sample(.nonRenewing, 4), on: device)
            scene.time.pass(.seconds(5))
            // R3.3: on another device.
            let other = try await scene.device(customer)
            let restored = try await scene.restore(other)
            #expect(restored.map(\.restoredID) == [owned.transaction, running.transaction])
            #expect(restored.map(\.originalID) == [owned.transaction, running.transaction])
            #expect(
                restored.allSatisfy { $0.price.isZero && $0.orderID == nil && $0.purchaseDate == scene.time.current }
            )
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("R1.2, R3.1: A free subscription runs without a charge until it is ended, and is restored until then")
    func freeSubscription() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            let begun = try await scene.buy(.sample(.freeSubscription, cents: 0), on: device)
            #expect(await scene.processor.count("capture") == 0)
            try await scene.finish(begun.transaction, on: device)
            scene.time.pass(.seconds(400 * 24 * 60 * 60))
            #expect(try await scene.entitlements(device).map(\.id) == [begun.transaction])
            #expect(try await scene.restore(device).map(\.originalID) == [begun.transaction])
            _ = try await scene.revoke(#require(begun.transaction))
            #expect(try await scene.restore(device).isEmpty)
        }
    }

    @Test(
        "R3.1: Restoring twice changes no entitlement, and makes nothing twice that waits",
        arguments: StoreEngine.allCases)
    func twice(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            _ = try await scene.buy(.sample(.nonConsumable), on: device)
            let before = try await scene.entitlements(device)
            let first = try await scene.restore(device)
            #expect(first.count == 1)
            // What the device has not finished is brought back once more; afterwards, and elsewhere, it is another.
            #expect(try await scene.restore(device).map(\.id) == first.map(\.id))
            let other = try await scene.device(customer)
            #expect(try await scene.restore(other).map(\.id) != first.map(\.id))
            try await scene.finish(first.first?.id, on: device)
            let second = try await scene.restore(device)
            #expect(second.count == 1 && second.map(\.id) != first.map(\.id))
            #expect(try await scene.entitlements(device) == before)
        }
    }

    @Test(
        "R3.1: Of what was got once more for nothing, the purchase that was paid comes back, until it is refunded"
    )
    func original() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            let paid = try await scene.buy(.sample(.nonConsumable), on: device)
            try await scene.finish(paid.transaction, on: device)
            scene.time.pass(.seconds(60))
            let free = try await scene.buy(.sample(.nonConsumable), on: device)
            #expect(free.transaction != paid.transaction)
            let restored = try #require(try await scene.restore(device).first)
            #expect(restored.restoredID == paid.transaction)
            #expect(restored.originalID == paid.transaction)
            _ = try await scene.refund(paid.transaction)
            #expect(try await scene.restore(device).isEmpty)
        }
    }

    @Test(
        "R3.1, R1.1: Every period of a subscription comes back as a transaction of its own: over, upgraded or running, but none that was refunded",
        arguments: StoreEngine.allCases)
    func periods(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterPlans()
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            _ = try await scene.buy(SaleScene.plan(1001, level: 2), on: device)
            try await scene.pass(days: 70)
            let past = try await scene.periods()
            #expect(past.count == 3)
            _ = try await scene.buy(SaleScene.plan(1002, level: 1, cents: 999), on: device)
            let upgrade = try #require(try await scene.periods().last)
            #expect(try await scene.periods().count { $0.upgradedAt != nil } == 1)
            _ = try await scene.refund(past[0].id)
            let other = try await scene.device(customer)
            let (entitled, receipt) = (try await scene.entitlements(other), try await scene.receiptIDs(other))
            for _ in 1...2 {
                let restored = try await scene.restore(other)
                #expect(restored.map(\.restoredID) == [past[1].id, past[2].id, upgrade.id])
                #expect(restored.allSatisfy { $0.originalID == past[0].id && $0.purchaseDate == scene.time.current })
                #expect(restored.map(\.expiresDate) == [past[1], past[2], upgrade].map(\.expiresDate))
            }
            #expect(try await scene.entitlements(other) == entitled)
            #expect(try await scene.receiptIDs(other) == receipt)
            // Over for long, it comes back all the same.
            try await scene.handle(.turnedOff)
            try await scene.pass(days: 400)
            #expect(try await scene.entitlements(other).isEmpty)
            #expect(try await scene.restore(other).count == 3)
        }
    }

    @Test("R3.1: A thousand periods come back in pages, each once", arguments: StoreEngine.allCases)
    func pages(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterPlans()
            let (device, token) = try await scene.registered(scene.customer())
            let first = try await scene.transaction(scene.buy(SaleScene.plan(), on: device).transaction)
            let numbers = try await scene.store.numbers.next(999, of: .transactions(of: .sandbox))
            try await scene.store.database.write { transaction in
                for number in numbers {
                    var period = first
                    (period.id, period.orderID) = (try TransactionID(number: number), nil)
                    try period.insert(in: transaction)
                }
            }
            var (ids, next, count): ([TransactionID], TransactionID?, Int) = ([], nil, 0)
            repeat {
                let page = try await Restorations(scene.store).restore(after: next, as: token)
                #expect(page.restored.count <= Restorations.page)
                ids += page.restored.map(\.original.id)
                (next, count) = (page.next, count + 1)
            } while next != nil
            #expect(ids.count == 1000 && Set(ids).count == 1000)
            #expect(count == 10)
        }
    }

    @Test("R3.2: With nothing to restore nothing comes back, and nobody is told")
    func nothing() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            #expect(try await scene.restore(device).isEmpty)
            #expect(try await scene.events(device).isEmpty)
        }
    }

    @Test(
        "What was taken back or belongs to another app or account is not restored",
        arguments: StoreEngine.allCases)
    func notMine(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let bought = try await scene.buy(.sample(.nonConsumable, 1), on: device)
            _ = try await scene.refund(bought.transaction, .full(.other))
            #expect(try await scene.restore(device).isEmpty)
            let kept = try await scene.buy(.sample(.nonConsumable, 3), on: device)
            #expect(try await scene.restore(scene.device(customer, app: 43)).isEmpty)
            #expect(try await scene.restore(scene.device(scene.customer())).isEmpty)
            #expect(try await scene.restore(device).map(\.restoredID) == [kept.transaction])
        }
    }

    @Test(
        "A restored transaction is told to the customer's devices, and listed where it was asked for",
        arguments: StoreEngine.allCases)
    func listed(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let (device, other) = (try await scene.device(customer), try await scene.device(customer))
            _ = try await scene.buy(.sample(.nonConsumable), on: device)
            let copy = try #require(try await scene.restore(other).first)
            #expect(try await scene.events(other).last?.transaction == copy.id)
            func ids(_ scope: DeviceScope) async throws -> [TransactionID] {
                try await scene.store.database.read { transaction in
                    try Transactions.list(
                        .all, of: scope.requireCustomerScope(), on: scope.device, silentSince: SceneTime.start,
                        after: nil, limit: 10,
                        in: transaction
                    ).map(\.transaction.id)
                }
            }
            #expect(try await ids(other).contains(copy.id))
            #expect(try await !ids(device).contains(copy.id))
        }
    }
}

extension SaleScene {
    /// What the receipt of the app lists on a device.
    fileprivate func receiptIDs(_ scope: DeviceScope) async throws -> [String?] {
        let now = time.current
        return try await store.database.read { transaction in
            try Receipts.appReceipt(
                of: scope.device, in: .sandbox, opaqueValue: Array(repeating: 1, count: Receipts.opaqueBytes), at: now,
                in: transaction
            ).purchases.map(\.transactionID)
        }
    }
}
