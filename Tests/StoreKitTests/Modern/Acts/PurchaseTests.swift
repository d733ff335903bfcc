import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// What a call of `purchase(options:)` comes to.
@Suite("X1: Purchases of the modern API", .bounded)
struct ModernPurchaseTests {
    @Test("A purchase returns a verified transaction, which is unfinished until it is finished")
    func success() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withApp { _ in
            let token = UUID()
            let product = try await bench.product(SessionStore.credits)
            let bought = try await product.purchase(options: [.quantity(3), .appAccountToken(token)]).bought()
            #expect(bought.productID == SessionStore.credits)
            #expect(bought.purchasedQuantity == 3)
            #expect(bought.appAccountToken == token)
            #expect(await Transaction.unfinished.ids == [bought.id])
            #expect(await Transaction.all.ids == [bought.id])
            #expect(await Transaction.currentEntitlements.ids == [])
            await bought.finish()
            #expect(await Transaction.unfinished.ids == [])
            // A consumable is no history once the customer has it.
            #expect(await Transaction.all.ids == [])
            await bought.finish()
        }
        #expect(bench.store.processor.charges == [1])
    }

    @Test("A no is a result, and leaves nothing behind")
    func cancelled() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withApp(prompt: ScriptedPrompt([.cancelled])) { client in
            let result = try await bench.product(SessionStore.credits).purchase()
            #expect(result.word == "cancelled")
            #expect(client.session.entries == [])
            #expect(try client.session.journal.payments() == [])
        }
        #expect(bench.store.processor.charges == [])
    }

    @Test(
        "P11: What somebody else decides is pending; a yes comes by updates, and a no by nothing",
        arguments: [true, false])
    func askToBuy(_ isApproved: Bool) async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withApp { client in
            let result = try await bench.product(SessionStore.credits)
                .purchase(options: [.simulatesAskToBuyInSandbox(true)])
            #expect(result.word == "pending")
            var updates = Transaction.updates.makeAsyncIterator()
            try await bench.decide(isApproved ? "consent" : "refusal")
            if isApproved {
                #expect(try await updates.next()?.payloadValue.productID == SessionStore.credits)
            } else {
                try await client.session.journal.until { try $0.payments().isEmpty }
                #expect(await Transaction.unfinished.ids == [])
            }
        }
        #expect(bench.store.processor.charges == (isApproved ? [1] : []))
    }

    @Test("What is wrong with a purchase is thrown before anything is asked")
    func wrong() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withApp { client in
            let (credits, jungle) = (
                try await bench.product(SessionStore.credits), try await bench.product(SessionStore.jungle)
            )
            for quantity in [0, 11, -1] {
                await #expect(throws: Product.PurchaseError.invalidQuantity) {
                    try await credits.purchase(options: [.quantity(quantity)])
                }
            }
            await #expect(throws: Product.PurchaseError.invalidQuantity) {
                try await jungle.purchase(options: [.quantity(2)])
            }
            let empty = Product.SubscriptionOffer.Signature(keyID: "", nonce: UUID(), timestamp: 0, signature: Data())
            await #expect(throws: Product.PurchaseError.missingOfferParameters) {
                try await jungle.purchase(options: [.promotionalOffer(offerID: "x", signature: empty)])
            }
            bench.preferences.set(DevicePreferences(purchasesAllowed: false))
            await #expect(throws: Product.PurchaseError.purchaseNotAllowed) { try await credits.purchase() }
            #expect(try client.session.journal.payments() == [])
        }
    }

    @Test("A store that cannot be reached is an error of the network")
    func unreachable() async throws {
        let bench = try await SessionBench(SessionStore())
        let isCut = Shared(false)
        let connection = SteeredConnection.before(bench.connection) { _ in
            if isCut.value { throw CancellationError() }
        }
        try await bench.withApp(connection: connection) { client in
            let product = try await bench.product(SessionStore.credits)
            isCut.set(true)
            await #expect {
                try await product.purchase()
            } throws: { error in
                guard case StoreKitError.networkError = error else { return false }
                return true
            }
            await #expect {
                try await Product.products(for: [SessionStore.jungle])
            } throws: { error in
                guard case StoreKitError.networkError = error else { return false }
                return true
            }
            #expect(try client.session.journal.payments() == [])
        }
    }

    @Test("What is owned is returned again as it was bought, without a charge")
    func owned() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withApp { _ in
            let product = try await bench.product(SessionStore.jungle)
            let first = try await product.purchase().bought()
            await first.finish()
            bench.store.time.pass(.seconds(60))
            let second = try await product.purchase().bought()
            #expect(second.id == first.id)
            #expect(second.purchaseDate == first.purchaseDate)
            #expect(await Transaction.currentEntitlements.ids == [first.id])
            #expect(try await Transaction.latest(for: product.id)?.payloadValue.id == first.id)
        }
        #expect(bench.store.processor.charges == [1])
    }

    @Test("Unknown ids are left out; no ids ask nothing; a cancelled task gets none")
    func products() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withApp { _ in
            let found = try await Product.products(for: [SessionStore.credits, "com.example.unknown"])
            #expect(found.map(\.id) == [SessionStore.credits])
            #expect(try await Product.products(for: [String]()).isEmpty)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await Product.products(for: [SessionStore.credits])
            }
            #expect(try await task.value.isEmpty)
        }
    }
}
