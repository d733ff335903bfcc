import StoreDatabase
import StoreModel
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("What a store for tests forgets", .bounded)
struct ForgettingTests {
    @Test("A transaction goes with all that came of it, and nothing else does", arguments: StoreEngine.allCases)
    func forgotten(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let other = try await scene.device(scene.customer())
            let kept = try await scene.buy(.sample(.nonConsumable), on: other)
            try await scene.finish(kept.transaction, on: other)
            let bought = try await scene.buy(.sample(.nonConsumable), on: device)
            try await scene.finish(bought.transaction, on: device)
            _ = try await scene.restore(device)
            let id = try #require(bought.transaction)
            _ = try await scene.refund(id, .full(.other))
            let isKnown = try await scene.store.database.write { try Transactions.forget(id, in: $0) }
            #expect(isKnown)

            let events = try await scene.events(device)
            #expect(Set(events.map(\.kind)) == [.forgotten])
            let counts = [
                try await scene.count("SELECT count(*) FROM store_transaction"),
                try await scene.count("SELECT count(*) FROM purchase"),
                try await scene.count("SELECT count(*) FROM transaction_finish"),
                try await scene.count("SELECT count(*) FROM ledger_entry"),
                try await scene.count("SELECT count(*) FROM refund"),
                try await scene.count("SELECT count(*) FROM transaction_revocation"),
            ]
            #expect(counts == [1, 1, 1, 1, 0, 0])
            let owned = try await scene.entitlements(other).map(\.id)
            #expect(owned == [kept.transaction])
            let report = try await scene.check(withProcessor: false)
            #expect(report.isInOrder, "\(report.problems)")

            let isKnownStill = try await scene.store.database.write { try Transactions.forget(id, in: $0) }
            #expect(!isKnownStill)
            // It can be bought anew, and that is a sale.
            let anew = try await scene.buy(.sample(.nonConsumable), on: device)
            let price = try await scene.transaction(anew.transaction).price
            #expect(!price.isZero)
        }
    }

    @Test("A purchase that nothing came of goes, with its history and its work", arguments: StoreEngine.allCases)
    func openPurchase(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let opened = try await scene.open(scene.order(.sample(.consumable)), on: device)
            try await scene.store.database.write { try Transactions.forget(opened.id.sale, in: $0) }
            let counts = [
                try await scene.count("SELECT count(*) FROM purchase"),
                try await scene.count("SELECT count(*) FROM purchase_history"),
            ]
            #expect(counts == [0, 0])
            try await scene.work()
        }
    }
}
