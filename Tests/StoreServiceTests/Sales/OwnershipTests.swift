import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

/// What buying again does, for each kind (R2.1, R2.8, P8).
@Suite(.bounded) struct OwnershipTests {
    @Test(
        "R2.1: A consumable is bought again and paid again, also while one is unfinished",
        arguments: StoreEngine.allCases, [ProductKind.consumable, .nonRenewing])
    func consumable(_ engine: StoreEngine, _ kind: ProductKind) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let first = try await scene.buy(.sample(kind), on: device)
            let second = try await scene.buy(.sample(kind), on: device)
            #expect(second.state == .purchased)
            #expect(second.transaction != first.transaction)
            #expect(await scene.processor.count("capture") == 2)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test(
        "R2.1: What is owned once and unfinished is delivered again without a question or a charge",
        arguments: StoreEngine.allCases, [ProductKind.nonConsumable, .autoRenewable])
    func unfinished(_ engine: StoreEngine, _ kind: ProductKind) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let first = try await scene.buy(.sample(kind), on: device)
            let second = try await scene.open(scene.order(.sample(kind)), on: device)
            #expect(second.state == .purchased)
            #expect(second.transaction == first.transaction)
            #expect(await scene.processor.count("capture") == 1)
            #expect(try await scene.events(device).map(\.transaction) == [first.transaction, first.transaction])
        }
    }

    @Test(
        "R2.8: An owned non-consumable is free again: another transaction of the same original",
        arguments: StoreEngine.allCases)
    func ownedAgain(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let first = try await scene.buy(.sample(.nonConsumable), on: device)
            try await scene.finish(first.transaction, on: device)
            scene.time.pass(.seconds(60))
            let second = try await scene.buy(.sample(.nonConsumable), on: device)
            let (original, again) = (
                try await scene.transaction(first.transaction), try await scene.transaction(second.transaction)
            )
            #expect(again.id != original.id)
            #expect(again.originalID == original.id)
            #expect(again.originalPurchaseDate == original.purchaseDate)
            #expect(again.purchaseDate == scene.time.current)
            #expect(again.price.isZero)
            #expect(again.restoredID == nil)
            #expect(await scene.processor.count("capture") == 1)
            #expect(try await scene.entitlements(device).map(\.id) == [again.id])
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test(
        "A subscription that runs is not sold again; one that ended is, finished or not",
        arguments: StoreEngine.allCases, [true, false])
    func subscription(_ engine: StoreEngine, _ isFinished: Bool) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let first = try await scene.buy(.sample(.autoRenewable), on: device)
            if isFinished { try await scene.finish(first.transaction, on: device) }
            #expect(try await scene.buy(.sample(.autoRenewable), on: device).transaction == first.transaction)
            scene.time.pass(.seconds(32 * 24 * 60 * 60))
            #expect(try await scene.entitlements(device).isEmpty)
            let second = try await scene.buy(.sample(.autoRenewable), on: device)
            #expect(second.transaction != first.transaction)
            #expect(await scene.processor.count("capture") == 2)
            #expect(try await scene.entitlements(device).map(\.id) == [second.transaction])
        }
    }

    @Test(
        "What runs counts, whatever number it has: numbers of several processes are not in the order of time",
        arguments: StoreEngine.allCases)
    func numbersOutOfOrder(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let item = try SoldItem.sample(.autoRenewable)
            // Another process had a later range, and sold the first period.
            var ended = try SampleTransaction.subscription(5000)
            ended.customerID = customer
            ended.appID = device.app
            ended.itemID = item.id
            ended.orderID = nil
            ended.price = .zero(.usd)
            ended.purchaseDate = SceneTime.start - .seconds(90 * 24 * 60 * 60)
            ended.expiresDate = SceneTime.start - .seconds(60 * 24 * 60 * 60)
            let old = ended
            try await scene.store.database.write { try old.insert(in: $0) }
            let first = try await scene.buy(item, on: device)
            #expect(try #require(first.transaction) < old.id)
            #expect(try await scene.entitlements(device).map(\.id) == [first.transaction])
            #expect(try await scene.buy(item, on: device).transaction == first.transaction)
            #expect(await scene.processor.count("capture") == 1)
        }
    }

    @Test(
        "Of what is owned once, one purchase is paid at a time; the other fails at once",
        arguments: StoreEngine.allCases)
    func beingPaid(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer(pays: "action"))
            let item = try SoldItem.sample(.nonConsumable)
            let (first, second) = (
                try await scene.open(scene.order(item), on: device), try await scene.open(scene.order(item), on: device)
            )
            #expect(try await scene.confirm(first.id).charge?.state == .action)
            #expect(try await scene.confirm(second.id).failure == .beingPaid)
        }
    }

    @Test("Two who say yes at once to what is owned once are charged once", arguments: StoreEngine.allCases)
    func race(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let item = try SoldItem.sample(.nonConsumable)
            var opened: [PurchaseID] = []
            for _ in 0..<6 { opened.append(try await scene.open(scene.order(item), on: scene.device(customer)).id) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in opened { group.addTask { _ = try await scene.confirm(id) } }
                try await group.waitForAll()
            }
            #expect(await scene.processor.count("capture") == 1)
            #expect(try await scene.count("SELECT count(*) FROM store_transaction WHERE price > 0") == 1)
            #expect(try await scene.check().isInOrder)
        }
    }

    // One writer at a time is all that SQLite has, so nothing overtakes there.
    @Test("A yes that another purchase of the same overtakes, up to its payment, charges nothing")
    func overtaken() async throws {
        try await SaleScene.on(.postgres) { scene in
            let customer = try await scene.customer()
            let item = try SoldItem.sample(.nonConsumable)
            let slow = try await scene.open(scene.order(item), on: scene.device(customer)).id
            let quick = try await scene.open(scene.order(item), on: scene.device(customer)).id
            let overtaking = Overtaking()
            async let late = scene.checkout.confirm(slow.sale, scene.cause) { _, _ in
                overtaking.letBy()
                return true
            }
            try await overtaking.go { _ = try await scene.confirm(quick) }
            #expect(try await scene.purchase(quick).state == .purchased)
            #expect(try await late.state == .purchased)
            #expect(overtaking.runs == 2)
            #expect(await scene.processor.count("capture") == 1)
            #expect(try await scene.count("SELECT count(*) FROM charge") == 1)
            #expect(try await scene.check().isInOrder)
        }
    }
}
