import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("Codes of offers", .bounded)
struct OfferCodeTests {
    @Test("X7: A code is redeemed by an ordinary purchase at the offer's price, with its name in the transaction")
    func redeemed() async throws {
        try await OfferScene.on(.memory) { shop in
            let customer = try await shop.scene.customer()
            let device = try await shop.device(customer)
            let (batch, codes) = try await shop.codes(count: 3)
            #expect(codes.allSatisfy { $0.count == 18 })
            #expect(Set(codes).count == 3)
            #expect(batch.expiresAt == SceneTime.start.adding(.oneMonth, times: 6))
            let found = try await OfferCodeBatches(shop.store).lookUp(codes[0].lowercased(), as: device)
            #expect(found.product.text == OfferScene.silver)
            let opened = try await shop.open(OfferScene.silver, .code(codes[0]), on: device)
            #expect(opened.purchase.total.minorUnits == 200)
            #expect(try await shop.used(batch) == 0)
            let bought = try await shop.confirm(opened)
            let transaction = try await shop.scene.transaction(bought.transaction)
            #expect(transaction.offer?.type == .offerCode)
            #expect(transaction.offer?.id == "gift")
            #expect(try await shop.used(batch) == 1)
            // Another of the batch is not for the same customer.
            await expect(.codeSpent, "has redeemed") {
                _ = try await shop.open(OfferScene.silver, .code(codes[1]), on: device)
            }
        }
    }

    @Test("X7: Of two customers who redeem the last of a code at once, one gets it", arguments: StoreEngine.allCases)
    func exhausted(_ engine: StoreEngine) async throws {
        try await OfferScene.on(engine) { shop in
            let (batch, _) = try await shop.codes(custom: "Spring24", count: 1)
            #expect(batch.code == "SPRING24")
            var opened: [Checkout.Answer] = []
            for _ in 0..<2 {
                let device = try await shop.device(try await shop.scene.customer())
                opened.append(try await shop.open(OfferScene.silver, .code("spring24"), on: device))
            }
            let (first, second) = (opened[0], opened[1])
            async let a = shop.confirm(first)
            async let b = shop.confirm(second)
            let ended = try await [a, b]
            #expect(ended.filter { $0.state == .purchased }.count == 1)
            #expect(ended.compactMap(\.failure) == [.codeSpent])
            #expect(try await shop.used(batch) == 1)
        }
    }

    @Test("X7: A code whose payment is declined can be redeemed again")
    func released() async throws {
        try await OfferScene.on(.memory) { shop in
            let customer = try await shop.scene.customer(pays: "decline")
            let device = try await shop.device(customer)
            let (batch, codes) = try await shop.codes()
            #expect(try await shop.buy(OfferScene.silver, .code(codes[0]), on: device).state == .declined)
            #expect(try await shop.used(batch) == 0)
            try await shop.scene.addMethod("approve", to: customer)
            #expect(try await shop.buy(OfferScene.silver, .code(codes[0]), on: device).state == .purchased)
            #expect(try await shop.used(batch) == 1)
        }
    }

    @Test("X7: For who subscribes already a code applies at the next renewal, and nothing is charged now")
    func atRenewal() async throws {
        try await OfferScene.on(.memory) { shop in
            let customer = try await shop.scene.customer()
            let device = try await shop.device(customer)
            try await shop.buy(on: device)
            let (batch, codes) = try await shop.codes()
            let bought = try await shop.buy(OfferScene.silver, .code(codes[0]), on: device)
            #expect(bought.state == .purchased)
            #expect(bought.charge == nil)
            #expect(try await shop.used(batch) == 1)
            try await shop.pass(days: 10)
            #expect(try await shop.prices(of: customer) == [0, 200])
            #expect(try await shop.subscription(of: customer).rules.offer?.kind == .code)
        }
    }

    @Test("X7: A code that is stackable lets the introductory offer go first")
    func stacked() async throws {
        try await OfferScene.on(.memory) { shop in
            let customer = try await shop.scene.customer()
            let device = try await shop.device(customer)
            let (batch, codes) = try await shop.codes("stacked")
            let bought = try await shop.buy(OfferScene.silver, .code(codes[0]), on: device)
            #expect(bought.total.isZero)
            #expect(try await shop.used(batch) == 1)
            try await shop.pass(days: 130)
            #expect(try await shop.prices(of: customer).prefix(3) == [0, 200, 999])
        }
    }

    @Test("X7: Codes that are unknown, of another product or deactivated are refused, and too many guesses as well")
    func refusals() async throws {
        try await OfferScene.on(.memory) { shop in
            let customer = try await shop.scene.customer()
            let device = try await shop.device(customer)
            let (batch, codes) = try await shop.codes(count: 2)
            await expect(.invalidOfferIdentifier, "is for com.example.silver") {
                _ = try await shop.open(OfferScene.gold, .code(codes[0]), on: device)
            }
            await expect(.codeUnknown, "no such code") {
                _ = try await OfferCodeBatches(shop.store).redeem(
                    "none", for: customer.description, app: shop.sample.app.bundleID, key: nil,
                    shop.store.cause(.owner))
            }
            _ = try await OfferCodeBatches(shop.store).deactivate(
                batch.id, app: shop.sample.app.bundleID, shop.store.cause(.owner))
            await expect(.codeExpired, "deactivated") {
                _ = try await OfferCodeBatches(shop.store).lookUp(codes[0], as: device)
            }
            for _ in 0..<10 {
                _ = try? await OfferCodeBatches(shop.store).lookUp("NOSUCHCODE", as: device)
            }
            await expect(.tooMany) { _ = try await OfferCodeBatches(shop.store).lookUp("NOSUCHCODE", as: device) }
            await expect(.nameTaken) {
                _ = try await shop.codes(custom: "ONE", count: 5)
                _ = try await shop.codes(custom: "one", count: 5)
            }
            await expect(.valueInvalid) { _ = try await shop.codes(custom: "not good!", count: 5) }
        }
    }
}
