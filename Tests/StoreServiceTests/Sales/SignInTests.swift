import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite(.bounded) struct SignInTests {
    private func signIn(
        _ customer: CustomerID, _ purchase: BoughtPurchase, item: SoldItem?, on device: DeviceScope, _ scene: SaleScene
    ) async throws -> BoughtPurchase {
        let (cause, confirmation) = (scene.cause, try Confirmation(random: scene.store.random))
        try await scene.store.database.write { transaction in
            let scope = try Devices.signIn(
                Customers.require(customer, in: transaction), on: device, at: SceneTime.start, in: transaction)
            try Purchases.signedIn(
                purchase.stored, as: scope, item: item, confirmation, cause.change(in: scope, transaction))
        }
        return try await scene.purchase(purchase.id)
    }

    @Test(
        "R1.6: Signing in puts a purchase into the storefront of the account, at its price",
        arguments: StoreEngine.allCases)
    func repriced(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(nil)
            let opened = try await scene.open(scene.order(.sample(.consumable), quantity: 3), on: device)
            #expect(opened.state == .signIn)
            #expect(
                try await scene.store.database.read { try Purchases.waitingForSignIn(on: device, in: $0) }.map(\.id)
                    == [opened.id])
            let customer = try await scene.customer(in: "JPN")
            let japanese = try SoldItem.sample(.consumable, cents: 160, currency: .jpy, storefront: "JPN")
            let waiting = try await signIn(customer, opened, item: japanese, on: device, scene)
            #expect(waiting.state == .confirmation)
            #expect(waiting.customer == customer)
            #expect(waiting.stored.item.storefront.rawValue == "JPN")
            #expect(waiting.total == Money(minorUnits: 480, currency: .jpy))
            let bought = try await scene.confirm(opened.id)
            #expect(try await scene.transaction(bought.transaction).price == waiting.total)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("What the storefront of the account does not sell is not bought")
    func notSoldThere() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(nil)
            let opened = try await scene.open(scene.order(.sample(.consumable)), on: device)
            let ended = try await signIn(scene.customer(), opened, item: nil, on: device, scene)
            #expect(ended.failure == .productUnavailable)
        }
    }

    @Test("Whoever signs in and has it unfinished gets it again without a charge", arguments: StoreEngine.allCases)
    func unfinished(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let item = try SoldItem.sample(.nonConsumable)
            let bought = try await scene.buy(item, on: scene.device(customer))
            let device = try await scene.device(nil)
            let opened = try await scene.open(scene.order(item), on: device)
            let ended = try await signIn(customer, opened, item: item, on: device, scene)
            #expect(ended.state == .purchased)
            #expect(ended.transaction == bought.transaction)
            #expect(await scene.processor.count("capture") == 1)
        }
    }

    @Test("Signing in twice takes a purchase on once, and binds it to who was first")
    func twice() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(nil)
            let opened = try await scene.open(scene.order(.sample(.consumable)), on: device)
            let (first, second) = (try await scene.customer(), try await scene.customer())
            _ = try await signIn(first, opened, item: .sample(.consumable), on: device, scene)
            let later = try await signIn(second, opened, item: .sample(.consumable), on: device, scene)
            #expect(later.customer == first)
            #expect(later.historyCount == 2)
        }
    }

    @Test("A purchase that somebody's signing in overtakes does not wait for another")
    func overtaken() async throws {
        try await SaleScene.on(.postgres) { scene in
            let (customer, device) = (try await scene.customer(), try await scene.device(nil))
            let (id, cause) = (try PurchaseID(number: await scene.store.numbers.next(.purchases)), scene.cause)
            let (order, overtaking) = (try scene.order(.sample(.consumable)), Overtaking())
            async let opened = scene.store.database.write(isolation: .snapshot) { transaction in
                let scope = try #require(try DeviceScope.of(device.device, in: transaction))
                overtaking.letBy()
                return try Purchases.open(order, as: id, in: scope, cause.change(in: scope, transaction)).state
            }
            try await overtaking.go {
                try await scene.store.database.write { transaction in
                    _ = try Devices.signIn(
                        Customers.require(customer, in: transaction), on: device, at: SceneTime.start, in: transaction)
                }
            }
            #expect(try await opened == .confirmation)
            #expect(overtaking.runs == 2)
        }
    }
}
