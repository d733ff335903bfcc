import StoreDatabase
import StoreModel
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

@Suite("What the books say of the transactions of a receipt", .bounded)
struct ReceiptAccountTests {
    @Test(
        "R4.2: of few and of many each is found, with what was taken back, and of what is in no books nothing",
        arguments: StoreEngine.allCases)
    func counts(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            var bought: [TransactionID] = []
            for _ in 1...20 {
                bought.append(try #require(await scene.buy(.sample(.consumable), on: device).transaction))
            }
            _ = try await scene.refund(bought[3])
            let names = bought.map(\.description)
            for count in [1, 2, 7, 8, 9, 16, 17, 20] {
                // Some that are nobody's, and some that are no numbers.
                for others in [[], ["1"], ["x", "", "-1"]] {
                    let asked = others + names.prefix(count)
                    let account = try await scene.store.database.read { try ReceiptAccount(of: asked, in: $0) }
                    #expect(account.customer == customer && account.app == device.app && !account.isDeleted)
                    #expect(names.prefix(count).allSatisfy { account[$0] != nil })
                    #expect(
                        names.filter { account[$0]?.revocation != nil } == names.prefix(count).filter { $0 == names[3] }
                    )
                    #expect(others.allSatisfy { account[$0] == nil })
                    #expect(names.dropFirst(count).allSatisfy { account[$0] == nil })
                }
            }
            // A handful takes one statement.
            let handful = Array(names.prefix(ReceiptAccount.handful))
            let once = try await scene.store.database.lookUpOnce { try ReceiptAccount(of: handful, in: $0) }
            #expect(once.customer == customer)
            let now = scene.store.clocks.wall()
            try await scene.store.database.write { try Customers.delete(customer, at: now, in: $0) }
            let late = try await scene.store.database.lookUpOnce { try ReceiptAccount(of: handful, in: $0) }
            #expect(late.isDeleted)
            for nobodys in [[], ["1"], (1...30).map(String.init)] {
                let account = try await scene.store.database.read { try ReceiptAccount(of: nobodys, in: $0) }
                #expect(account.customer == nil && account.app == nil)
            }
        }
    }
}
