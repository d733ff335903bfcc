import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite(.bounded) struct PurchaseOpeningTests {
    @Test("A repeated request gives the same purchase, and charges once", arguments: StoreEngine.allCases)
    func repeated(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let key = PurchaseKey(UUID())
            let first = try await scene.open(scene.order(.sample(.consumable), key: key, quantity: 4), on: device)
            let bought = try await scene.confirm(first.id)
            let again = try await scene.open(scene.order(.sample(.consumable), key: key, quantity: 4), on: device)
            #expect(again.id == first.id)
            #expect(again.transaction == bought.transaction)
            let transaction = try await scene.transaction(bought.transaction)
            #expect(transaction.quantity == 4)
            #expect(transaction.price == Money(minorUnits: 796, currency: .usd))
            #expect(await scene.processor.count("capture") == 1)
        }
    }

    @Test(
        "A repeated request adds a secret to a purchase that waits for a yes; the last four confirm it, as long as it waits",
        arguments: StoreEngine.allCases)
    func repeatedSecrets(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let key = PurchaseKey(UUID())
            let orders = try (0..<6).map { _ in try scene.order(.sample(.consumable), key: key) }
            func confirming(_ id: PurchaseID) async throws -> [Bool] {
                try await scene.store.database.read { transaction in
                    let purchase = try Purchases.require(id, in: transaction)
                    return try orders.map { try purchase.isConfirmed(by: $0.confirmation.token) }
                }
            }
            let device = try await scene.device(scene.customer())
            let first = try await scene.open(orders[0], on: device)
            #expect(try await confirming(first.id) == [true, false, false, false, false, false])
            #expect(try await scene.open(orders[1], on: device).code == first.code)
            // An answer may overtake that of a former request: either secret is good.
            #expect(try await confirming(first.id) == [true, true, false, false, false, false])
            for order in orders[2...4] { _ = try await scene.open(order, on: device) }
            #expect(try await confirming(first.id) == [false, true, true, true, true, false])
            #expect(try await scene.confirm(first.id).state == .purchased)
            _ = try await scene.open(orders[5], on: device)
            #expect(try await confirming(first.id) == [false, false, false, false, false, false])
        }
    }

    @Test("A key with other parameters is refused and changes nothing", arguments: StoreEngine.allCases)
    func keyReused(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let key = PurchaseKey(UUID())
            _ = try await scene.open(scene.order(.sample(.consumable), key: key), on: device)
            for order in [
                try scene.order(.sample(.consumable, 1002), key: key),
                try scene.order(.sample(.consumable), key: key, quantity: 2),
            ] {
                let error = await #expect(throws: ServiceError.self) { try await scene.open(order, on: device) }
                #expect(error?.code == .keyReused)
            }
            #expect(try await scene.count("SELECT count(*) FROM purchase") == 1)
        }
    }

    @Test("Many repeats at once open one purchase", arguments: StoreEngine.allCases)
    func concurrentRepeats(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let key = PurchaseKey(UUID())
            let ids = try await withThrowingTaskGroup(of: PurchaseID.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        let opened = try await scene.open(scene.order(.sample(.consumable), key: key), on: device)
                        return opened.id
                    }
                }
                return try await group.reduce(into: Set<PurchaseID>()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
            #expect(try await scene.count("SELECT count(*) FROM purchase") == 1)
        }
    }

    @Test(
        "A purchase is not there for the next account on the device, not even by its key",
        arguments: StoreEngine.allCases)
    func anotherAccount(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let key = PurchaseKey(UUID())
            _ = try await scene.open(scene.order(.sample(.consumable), key: key), on: device)
            let other = try await scene.customer()
            let (next, signedOut) = try await scene.store.database.write { transaction in
                let signedOut = try Devices.signOut(device, at: SceneTime.start, in: transaction)
                return (
                    try Devices.signIn(
                        Customers.require(other, in: transaction), on: device, at: SceneTime.start, in: transaction),
                    signedOut
                )
            }
            for scope in [next, signedOut] {
                #expect(try await scene.store.database.read { try Purchases.find(key, of: scope, in: $0) } == nil)
                let error = await #expect(throws: ServiceError.self) {
                    try await scene.open(scene.order(.sample(.consumable), key: key), on: scope)
                }
                #expect(error?.code == .keyReused)
            }
        }
    }

    @Test("R2.7: A device or an account that may not buy gets a purchase that failed", arguments: StoreEngine.allCases)
    func notAllowed(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let restricted = try await scene.store.database.write { transaction in
                try Devices.set(purchasesAllowed: false, language: nil, of: device, in: transaction)
            }
            let first = try await scene.open(scene.order(.sample(.consumable)), on: restricted)
            #expect(first.state == .failed)
            #expect(first.failure == .notAllowed)
            try await scene.store.database.write { transaction in
                _ = try Devices.set(purchasesAllowed: true, language: nil, of: device, in: transaction)
                try Customers.setPurchasesAllowed(false, of: customer, in: transaction)
            }
            #expect(try await scene.open(scene.order(.sample(.consumable)), on: device).failure == .notAllowed)
        }
    }

    @Test("What was forbidden after it was opened is not confirmed", arguments: [true, false])
    func forbiddenMeanwhile(_ isDevice: Bool) async throws {
        try await SaleScene.on(.memory) { scene in
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let opened = try await scene.open(scene.order(.sample(.consumable)), on: device)
            try await scene.store.database.write { transaction in
                if isDevice {
                    _ = try Devices.set(purchasesAllowed: false, language: nil, of: device, in: transaction)
                } else {
                    try Customers.setPurchasesAllowed(false, of: customer, in: transaction)
                }
            }
            #expect(try await scene.confirm(opened.id).failure == .notAllowed)
            #expect(await scene.processor.calls.isEmpty)
        }
    }

    @Test("An account without a means of payment, or deleted, cannot buy what costs something")
    func noMeans() async throws {
        try await SaleScene.on(.memory) { scene in
            let poor = try await scene.device(scene.customer(pays: nil))
            #expect(try await scene.buy(.sample(.consumable), on: poor).failure == .noPaymentMethod)
            #expect(try await scene.buy(.sample(.consumable, 1002, cents: 0), on: poor).state == .purchased)
            let customer = try await scene.customer()
            let opened = try await scene.open(scene.order(.sample(.consumable)), on: scene.device(customer))
            let now = scene.time.current
            try await scene.store.database.write { try Customers.delete(customer, at: now, in: $0) }
            #expect(try await scene.confirm(opened.id).failure == .accountGone)
        }
    }

    @Test("A device with as many purchases waiting as may wait opens no other", arguments: [StoreEngine.memory])
    func room(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            var first: BoughtPurchase?
            for _ in 0..<PurchaseLimits.openPurchases {
                let opened = try await scene.open(scene.order(.sample(.consumable)), on: device)
                first = first ?? opened
            }
            let error = await #expect(throws: ServiceError.self) {
                try await scene.open(scene.order(.sample(.consumable)), on: device)
            }
            #expect(error?.code == .tooMany)
            _ = try await scene.confirm(#require(first).id)
            #expect(try await scene.open(scene.order(.sample(.consumable)), on: device).state == .confirmation)
        }
    }

    @Test("Looking for room and for sign-ins reads what waits, not all that a device ever bought")
    func waitingIndex() async throws {
        try await SaleScene.on(.memory) { scene in
            let plan = try await scene.store.database.read { transaction in
                try transaction.query(
                    """
                    EXPLAIN QUERY PLAN SELECT 1 FROM purchase
                    WHERE device_id = 7 AND state IN ('sign-in', 'confirmation', 'interrupted', 'approval', 'charging')
                    """
                ) { try $0.value(3, as: String.self) }
            }
            #expect(plan.contains { $0.contains("purchase_waiting") })
        }
    }

    @Test("A recovery reads what is under way, not all that was ever bought")
    func underWayIndex() async throws {
        try await SaleScene.on(.memory) { scene in
            let plan = try await scene.store.database.read { transaction in
                try transaction.query("EXPLAIN QUERY PLAN \(Charges.awaitingProcessor)", 0, 10) {
                    try $0.value(3, as: String.self)
                }
            }
            #expect(plan.contains { $0.contains("charge_under_way") })
        }
    }

    @Test("A purchase that nobody confirms is over after half an hour, also for who is late by a second")
    func expires() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            let (ended, late) = (
                try await scene.open(scene.order(.sample(.consumable)), on: device),
                try await scene.open(scene.order(.sample(.consumable)), on: device)
            )
            scene.time.pass(PurchaseLimits.confirmation - .seconds(1))
            try await scene.work()
            #expect(try await scene.purchase(ended.id).state == .confirmation)
            scene.time.pass(.seconds(1))
            // Nobody has ended it yet.
            #expect(try await scene.confirm(late.id).failure == .expired)
            try await scene.work()
            let purchase = try await scene.purchase(ended.id)
            #expect(purchase.state == .failed)
            #expect(purchase.failure == .expired)
            #expect(purchase.code == nil)
            let error = await #expect(throws: ServiceError.self) { try await scene.confirm(ended.id) }
            #expect(error?.code == .tooLate)
            #expect(await scene.processor.calls.isEmpty)
        }
    }

    @Test("The secret confirms only the purchase it was made for, and as long as that waits")
    func secret() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            let (order, other) = (try scene.order(.sample(.consumable)), try scene.order(.sample(.consumable)))
            let opened = try await scene.open(order, on: device)
            _ = try await scene.open(other, on: device)
            func confirms(_ token: String) async throws -> Bool {
                try await scene.store.database.read { transaction in
                    try Purchases.require(opened.id, in: transaction).isConfirmed(by: token)
                }
            }
            #expect(try await confirms(order.confirmation.token))
            #expect(try await !confirms(other.confirmation.token))
            _ = try await scene.confirm(opened.id)
            #expect(try await !confirms(order.confirmation.token))
        }
    }
}
