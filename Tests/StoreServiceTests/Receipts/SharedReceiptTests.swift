import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

@Suite("What receipts tell of subscriptions that a family shares (R4.2)", .bounded)
struct SharedReceiptTests {
    @Test(
        "R4.2: who has a subscription from the family is told how it renews, under an own number, until it is shared no more"
    )
    func shared() async throws {
        try await ReceiptScene.on(.memory) { scene in
            _ = try await scene.databases.catalogue.write {
                try $0.execute("UPDATE product SET is_family_shareable = 1")
            }
            try await scene.setGrace(days: 16)
            let (sale, cause) = (scene.sale, scene.sale.store.cause(.owner))
            let buyer = try await sale.customer()
            let families = FamilyMembership(sale.store)
            _ = try await families.create(by: buyer.description, cause)
            _ = try await families.add(
                scene.customer.description, as: .adult, toFamilyOf: buyer.description, cause)
            _ = try await sale.buy(ReceiptScene.plan(), on: sale.device(buyer))
            try await sale.work()
            let paid = try await sale.subscription()

            let (receipt, latest) = try await scene.verify()
            let mine = try #require(latest.transactions.first)
            #expect(receipt.purchases.count == 1 && mine.standing.ownership == .familyShared)
            let told = try await scene.renewal()
            #expect(told.original == mine.originalID && told.original != paid.original)
            #expect(told.product == mine.productID && told.nextProduct == mine.productID)
            #expect(told.status == .on && told.intent == nil && told.isRetried == nil)
            #expect(try await scene.verify(mine.id).renewal == told)

            // What only who pays is asked is not told; that a payment fails is.
            let higher = Money(minorUnits: 999, currency: .usd)
            try await sale.handle(.raised(PriceIncrease(price: higher, needsConsent: true, askedAt: sale.time.current)))
            #expect(try await scene.renewal() == told)
            try await sale.handle(.agreedToPrice)
            try await sale.addMethod("decline", to: buyer)
            try await scene.pass(days: 32)
            let failing = try await scene.renewal()
            #expect(failing.intent == .billingError && failing.isRetried == true && failing.graceEndsAt != nil)
            #expect(try await !scene.verify(mine.id).isExpired)

            try await families.remove(
                scene.customer.description, fromFamilyOf: scene.customer.description, cause)
            let lost = try await scene.renewal()
            #expect(lost.original == told.original && lost.status == .off && lost.intent == .cancelled)
            #expect(lost.isRetried == false && lost.graceEndsAt == nil)
            let old = try await scene.verify(mine.id)
            #expect(old.isExpired && old.renewal == lost)
        }
    }
}
