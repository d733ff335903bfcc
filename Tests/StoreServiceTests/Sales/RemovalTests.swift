import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

/// What is removed after its time, and what stays for ever.
@Suite(.bounded) struct RemovalTests {
    private static let retention = Retention(
        unconfirmedPurchases: .seconds(100), idleDevices: .seconds(1000), events: .seconds(500),
        notifications: .seconds(700))

    private func remove(_ scene: SaleScene) async throws {
        let removal = Removal(Self.retention, of: scene.store.database)
        while try await removal.turn(at: scene.time.current) == scene.time.current {}
    }

    @Test(
        "X10: A purchase without a yes is removed, its key is good for nothing, and what was ordered stays",
        arguments: StoreEngine.allCases)
    func unconfirmed(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let poor = try await scene.device(scene.customer(pays: "decline"))
            let bought = try await scene.buy(.sample(.consumable), on: device)
            let declined = try await scene.buy(.sample(.consumable), on: poor)
            let stuck = try await scene.device(scene.customer(pays: "action"))
            let released = try await scene.buy(.sample(.consumable), on: stuck)
            #expect(try await scene.cancel(released.id).state == .cancelled)
            let cancelled = try await scene.open(scene.order(.sample(.consumable)), on: device)
            _ = try await scene.cancel(cancelled.id)
            let waiting = try await scene.open(scene.order(.sample(.consumable)), on: device)
            scene.time.pass(PurchaseLimits.confirmation + .seconds(99))
            try await scene.work()
            try await remove(scene)
            #expect(try await scene.count("SELECT count(*) FROM purchase") == 5)
            scene.time.pass(.seconds(2))
            try await remove(scene)
            let left = try await scene.store.database.read { transaction in
                try transaction.query("SELECT id FROM purchase ORDER BY id") { try $0.value(0, as: PurchaseID.self) }
            }
            #expect(left == [bought.id, declined.id, released.id])
            #expect(
                try await scene.count(
                    "SELECT count(*) FROM purchase_history WHERE purchase_id NOT IN (SELECT id FROM purchase)") == 0)
            let present = try #require(
                try await scene.store.database.read { try DeviceScope.of(device.device, in: $0) })
            for key in [cancelled.stored.key, waiting.stored.key] {
                let error = await #expect(throws: ServiceError.self) {
                    try await scene.store.database.read { try Purchases.require(key, of: present, in: $0) }
                }
                #expect(error?.code == .purchaseForgotten)
            }
            // A key that was never used is another matter.
            let unknown = await #expect(throws: ServiceError.self) {
                try await scene.store.database.read {
                    try Purchases.require(PurchaseKey(UUID()), of: present, in: $0)
                }
            }
            #expect(unknown?.code == .purchaseUnknown)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("X10: A device on which nobody ever signed in is removed once it is idle for long")
    func idleDevices() async throws {
        try await SaleScene.on(.memory) { scene in
            let customer = try await scene.customer()
            let used = try await scene.device(customer)
            let left = try await scene.store.database.write { try Devices.signOut(used, at: SceneTime.start, in: $0) }
            let asking = try await scene.device(nil)
            let opened = try await scene.open(scene.order(.sample(.consumable)), on: asking)
            let idle = try await scene.device(nil)
            scene.time.pass(.seconds(1001))
            let fresh = try await scene.device(nil)
            try await remove(scene)
            func there() async throws -> [DeviceID] {
                try await scene.store.database.read { transaction in
                    try transaction.query("SELECT id FROM device ORDER BY id") { try $0.value(0, as: DeviceID.self) }
                }
            }
            #expect(try await there() == [left.device, asking.device, fresh.device])
            #expect(try await scene.store.database.read { try DeviceScope.of(idle.device, in: $0) } == nil)
            // What it asked for came to nothing and is removed first.
            _ = try await scene.cancel(opened.id)
            scene.time.pass(PurchaseLimits.confirmation)
            try await remove(scene)
            try await remove(scene)
            #expect(try await there() == [left.device])
            #expect(try await scene.count("SELECT count(*) FROM forgotten_purchase") == 0)
        }
    }

    @Test(
        "X10: Events are kept for their time, older places are void, and the numbers go on",
        arguments: StoreEngine.allCases)
    func events(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let (device, elsewhere) = (try await scene.device(customer), try await scene.device(customer, app: 43))
            let first = try await scene.buy(.sample(.consumable), on: device)
            _ = try await scene.buy(.sample(.consumable), on: device)
            _ = try await scene.buy(.sample(.consumable), on: elsewhere)
            scene.time.pass(.seconds(501))
            _ = try await scene.buy(.sample(.consumable), on: device)
            try await remove(scene)
            func numbers(after number: Int64?, on scope: DeviceScope) async throws -> [Int64] {
                try await scene.store.database.read { transaction in
                    let end = try CustomerEvents.end(of: scope.requireCustomerScope(), in: transaction)
                    return try CustomerEvents.page(
                        after: number.map { EventCursor(epoch: end.epoch, customer: end.customer, number: $0) },
                        of: scope.requireCustomerScope(), on: scope.device, limit: 10, in: transaction
                    ).events.map(\.number)
                }
            }
            #expect(try await numbers(after: nil, on: device) == [3])
            #expect(try await numbers(after: 2, on: device) == [3])
            let error = await #expect(throws: ServiceError.self) { try await numbers(after: 1, on: device) }
            #expect(error?.code == .cursorVoid)
            // The last one stays, so that no number is given twice.
            #expect(try await numbers(after: nil, on: elsewhere) == [1])
            scene.time.pass(.seconds(501))
            try await remove(scene)
            _ = try await scene.buy(.sample(.consumable), on: device)
            #expect(try await numbers(after: 3, on: device) == [4])
            // The transactions are all there.
            #expect(try await scene.transaction(first.transaction).id == first.transaction)
            #expect(try await scene.count("SELECT count(*) FROM store_transaction") == 5)
        }
    }
}
