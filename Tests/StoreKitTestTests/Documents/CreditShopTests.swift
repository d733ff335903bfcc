import StoreKit
import StoreKitTest
import TestSupport
import Testing

/// The page "From StoreKit 1 to StoreKit 2": its class, and what it says of both APIs in one app.
@Suite("A shop that goes over to StoreKit 2", .bounded)
@MainActor
struct CreditShopTests {
    let session: SKTestSession
    let shop = CreditShop()

    init() throws {
        session = try SKTestSession(configurationFileNamed: "Monkeys")
        session.disableDialogs = true
    }

    @Test("X1: Credits that are bought are delivered, finished and paid once")
    func buys() async throws {
        await session.asCurrent {
            shop.open()
            await shop.buy("monkeys.credits5", quantity: 3)
            shop.close()
            for await _ in Transaction.unfinished { Issue.record("not finished") }
        }
        #expect(shop.balance == 15)
        #expect(session.allTransactions().count == 1)
    }

    @Test("X1: A purchase that fails changes no balance, and is thrown")
    func fails() async throws {
        session.failTransactionsEnabled = true
        await session.asCurrent { await shop.buy("monkeys.credits5") }
        #expect(shop.balance == 0 && shop.failures.count == 1)
    }

    @Test("X1: What the queue has bought is owned by StoreKit 2, with nothing to carry over")
    func carriesNothingOver() async throws {
        try session.buyProduct(productIdentifier: "monkeys.jungle")
        try await session.asCurrent {
            let owned = try #require(await Transaction.latest(for: "monkeys.jungle"))
            try await owned.payloadValue.finish()
            #expect(SKPaymentQueue.default().transactions.isEmpty)
        }
    }
}
