import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

/// Purchases whose money the processor does not let go of.
@Suite(.bounded) struct SettlementTests {
    /// A purchase whose money cannot be taken, and is not let go of.
    private func stuck(_ scene: SaleScene, refusals: Int) async throws -> BoughtPurchase {
        for _ in 0..<refusals { await scene.processor.plan("void", .refused(.refused)) }
        let device = try await scene.device(scene.customer(pays: "worthless"))
        let purchase = try await scene.buy(.sample(.consumable), on: device)
        #expect(purchase.charge?.state == .voiding)
        return purchase
    }

    @Test("The operator ends one, with a reason that stays", arguments: StoreEngine.allCases)
    func settled(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let purchase = try await stuck(scene, refusals: 5)
            scene.time.pass(ChargeLimits.inquiry)
            try await scene.work()
            #expect(try await scene.purchase(purchase.id).charge?.state == .voiding)
            let ended = try await scene.settleAsVoided(purchase.id, because: "lapsed, says the bank", request: "r-1")
            #expect(ended.state == .failed && ended.failure?.isOfProcessor == true)
            let history = try await scene.history(purchase.id)
            #expect(history.suffix(2).map(\.event) == [.settledAsVoided, .voided])
            #expect(history.suffix(2).first?.detail == "lapsed, says the bank")
            #expect(history.map(\.number) == Array(1...Int64(history.count)))
            #expect(history.suffix(2).allSatisfy { $0.request == "r-1" })
            // Nothing is left to do, and the books are as they were.
            #expect(try await scene.count("SELECT count(*) FROM work") == 0)
            #expect(try await scene.count("SELECT count(*) FROM ledger_entry") == 0)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("P8: A capture without an answer is called off by the operator's word", arguments: StoreEngine.allCases)
    func silentCapture(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            for step in ["capture", "lookup", "void"] {
                for _ in 0..<9 { await scene.processor.plan(step, .lostBefore) }
            }
            let device = try await scene.device(scene.customer())
            let purchase = try await scene.buy(.sample(.consumable), on: device)
            #expect(purchase.charge?.state == .capturing)
            let early = await #expect(throws: ServiceError.self) {
                try await scene.settleAsVoided(purchase.id, because: "it was not taken", request: nil)
            }
            #expect(early?.code == .tooLate)
            scene.time.pass(ChargeLimits.inquiry)
            let ended = try await scene.settleAsVoided(purchase.id, because: "it was not taken", request: nil)
            #expect(ended.state == .failed && ended.charge?.state == .released)
            #expect(try await scene.count("SELECT count(*) FROM work") == 0)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("A capture that was carried out after all is delivered, whatever the operator says")
    func takenCapture() async throws {
        try await SaleScene.on(.memory) { scene in
            for _ in 0..<2 { await scene.processor.plan("capture", .lostAfter) }
            let device = try await scene.device(scene.customer())
            let purchase = try await scene.buy(.sample(.consumable), on: device)
            scene.time.pass(ChargeLimits.inquiry)
            await #expect(throws: ServiceError.self) {
                try await scene.settleAsVoided(purchase.id, because: "it was not taken", request: nil)
            }
            let sold = try await scene.purchase(purchase.id)
            #expect(sold.state == .purchased)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("What the processor lets go of at last needs nobody's word")
    func letGo() async throws {
        try await SaleScene.on(.memory) { scene in
            let purchase = try await stuck(scene, refusals: 1)
            let error = await #expect(throws: ServiceError.self) {
                try await scene.settleAsVoided(purchase.id, because: "it lapsed", request: nil)
            }
            #expect(error?.code == .tooLate)
            #expect(try await scene.purchase(purchase.id).state == .failed)
            let history = try await scene.history(purchase.id)
            #expect(!history.contains { $0.event == .settledAsVoided })
            #expect(await scene.processor.held == 0)
        }
    }

    @Test(
        "P8: Failing at the bank while calling the purchase off leaves nothing waiting", arguments: StoreEngine.allCases
    )
    func failedWhileCancelled(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer(pays: "action"))
            let item = try SoldItem.sample(.nonConsumable)
            let purchase = try await scene.buy(item, on: device)
            await scene.processor.act(try #require(purchase.authorisation), succeeds: false)
            // The store does not know of that yet.
            let ended = try await scene.cancel(purchase.id)
            #expect(ended.state == .cancelled)
            #expect(try await scene.count("SELECT count(*) FROM work") == 0)
            #expect(try await scene.buy(item, on: device).charge?.state == .action)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("One that is paid, open or over is not settled that way, and nothing is written")
    func others() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            let paid = try await scene.buy(.sample(.consumable), on: device)
            let open = try await scene.open(scene.order(.sample(.consumable)), on: device)
            for purchase in [paid, open] {
                let error = await #expect(throws: ServiceError.self) {
                    try await scene.settleAsVoided(purchase.id, because: "I say so", request: nil)
                }
                #expect(error?.code == .tooLate)
                #expect(try await scene.purchase(purchase.id) == purchase)
            }
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test(
        "Without a reason, or with one too long, nothing happens", arguments: ["", String(repeating: "x", count: 401)])
    func reasons(reason: String) async throws {
        try await SaleScene.on(.memory) { scene in
            let purchase = try await stuck(scene, refusals: 5)
            await #expect(throws: InvalidValue.self) {
                try await scene.settleAsVoided(purchase.id, because: reason, request: nil)
            }
            #expect(try await scene.purchase(purchase.id).charge?.state == .voiding)
        }
    }

    @Test("What waits for a bank is not settled: whoever looks after the store is told how to play the bank")
    func bank() async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.enterShop()
            let customer = try await scene.customer(pays: "action")
            let (sold, _) = try await scene.checkout.sell(
                .init(product: "com.example.shop.coins", quantity: 1, accountToken: nil), to: customer.description,
                app: BundleID(parsing: "com.example.shop"), key: nil, scene.store.cause(.owner))
            #expect(sold.state == .action)
            let (name, reference) = (sold.id.description, try #require(sold.charge?.rules.authorisation))
            let settled = await #expect(throws: ServiceError.self) {
                try await scene.checkout.settleInterruption(of: name, scene.store.cause(.owner))
            }
            let cancelled = await #expect(throws: ServiceError.self) {
                try await scene.checkout.cancel(named: name, scene.store.cause(.owner))
            }
            for (refusal, word) in [(settled, "settled"), (cancelled, "cancelled")] {
                #expect(refusal?.message.contains("cannot be \(word)") == true)
                #expect(refusal?.message.hasSuffix(": till processor act \(reference)") == true)
            }
        }
    }
}
