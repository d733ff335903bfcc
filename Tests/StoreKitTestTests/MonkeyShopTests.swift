import StoreKit
import StoreKitTest
import TestSupport
import Testing

/// What a developer writes who tests an app.
@Suite("A shop under a test session", .bounded)
@MainActor
struct MonkeyShopTests {
    let session: SKTestSession
    let shop = MonkeyShop()

    init() throws {
        session = try SKTestSession(configurationFileNamed: "Monkeys")
        session.disableDialogs = true
    }

    @Test("Credits that are bought are delivered, finished and paid once")
    func buysCredits() async throws {
        await session.asCurrent {
            shop.open()
            await shop.buy("monkeys.credits5", quantity: 3)
            shop.close()
        }
        #expect(shop.balance == 15)
        let bought = session.allTransactions()
        #expect(bought.map(\.productIdentifier) == ["monkeys.credits5"])
        #expect(bought.map(\.state) == [.purchased])
    }

    @Test("A purchase that fails changes no balance")
    func fails() async throws {
        session.failTransactionsEnabled = true
        await session.asCurrent {
            shop.open()
            await shop.buy("monkeys.credits5")
            shop.close()
        }
        #expect(shop.balance == 0)
        #expect(shop.failures == [.unknown])
        #expect(session.allTransactions().isEmpty)
    }
}
