import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

@Suite("By which clock receipts are verified (R4.2)", .bounded)
struct ReceiptTimeTests {
    @Test(
        "R4.2: How a tester's subscription stands is told by the tester's own clock, in both forms of receipts",
        arguments: StoreEngine.allCases)
    func tester(_ engine: StoreEngine) async throws {
        try await ReceiptScene.on(engine) { scene in
            let bought = try await scene.buy(ReceiptScene.plan())
            try await scene.sale.handle(.turnedOff)
            let (clocks, cause) = (Clocks(scene.sale.store), scene.sale.store.cause(.owner))
            _ = try await clocks.advance(
                scene.customer.description, to: SceneTime.start.adding(.oneMonth).adding(milliseconds: 1), cause)
            let own = try await clocks.show(scene.customer.description).time
            let old = try await scene.verified(bought)
            #expect(old.latest?.isExpired == true)
            #expect(old.at == own)
            let app = try await scene.verified()
            #expect(app.at == own)
            #expect(app.latest?.renewals.first?.intent == .cancelled)
        }
    }

    @Test("R4.2: A request is not dated before the receipt, also where no customer is known by it")
    func empty() async throws {
        try await ReceiptScene.on(.memory) { scene in
            let later = SceneTime.start.adding(.oneYear)
            _ = try await Clocks(scene.sale.store).advance(
                scene.customer.description, to: later, scene.sale.store.cause(.owner))
            let app = try await scene.verified(at: later)
            #expect(app.receipt.purchases.isEmpty && app.receipt.creationDate == later)
            #expect(app.at == later)
        }
    }
}
