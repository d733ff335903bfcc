import StoreDatabase
import StoreModel
import StoreService
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

    @Test("R3.1: Restoring twice changes no entitlement", arguments: StoreEngine.allCases)
    func twice(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            _ = try await scene.buy(.sample(.nonConsumable), on: device)
            let before = try await scene.entitlements(device)
            #expect(try await scene.restore(device).count == 1)
            #expect(try await scene.restore(device).count == 1)
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

    @Test("R3.2: With nothing to restore nothing comes back, and nobody is told")
    func nothing() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            #expect(try await scene.restore(device).isEmpty)
            #expect(try await scene.events(device).isEmpty)
        }
    }

    @Test(
        "What was taken back, has ended or belongs to another app or account is not restored",
        arguments: StoreEngine.allCases)
    func notMine(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let bought = try await scene.buy(.sample(.nonConsumable, 1), on: device)
            _ = try await scene.buy(.sample(.autoRenewable, 2), on: device)
            _ = try await scene.refund(bought.transaction, .full(.other))
            scene.time.pass(.seconds(40 * 24 * 60 * 60))
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
