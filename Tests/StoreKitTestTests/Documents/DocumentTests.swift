import Foundation
import StoreKit
import StoreKitTest
import TestSupport
import Testing

/// The classes that the reference documents print, run against a store in a test session.
@Suite("The classes of the documents", .bounded)
@MainActor
struct DocumentTests {
    let session: SKTestSession
    let goods = PurchasedGoods()

    init() throws {
        session = try SKTestSession(configurationFileNamed: "Monkeys")
        session.disableDialogs = true
    }

    /// Runs an app under the session.
    private func run(_ app: @MainActor (InAppPurchases) async throws -> Void) async throws {
        try await session.asCurrent {
            let manager = InAppPurchases(goods)
            defer { manager.close() }
            try await app(manager)
        }
    }

    /// Does something and gives what is posted for it.
    private func posted<Value: Sendable>(
        _ name: Notification.Name, by manager: InAppPurchases,
        _ value: @escaping @Sendable (Notification) -> Value,
        after action: () -> Void
    ) async throws -> Value {
        let found = Observed<Value?>(nil)
        let listener = NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { note in
            found.update { $0 = value(note) }
        }
        defer { NotificationCenter.default.removeObserver(listener) }
        action()
        return try #require(await found.wait { $0 != nil })
    }

    private func products(
        _ identifiers: [String], _ manager: InAppPurchases
    ) async throws -> [String: SKProduct] {
        try await posted(
            InAppPurchases.productsFetched, by: manager,
            { $0.userInfo as? [String: SKProduct] ?? [:] },
            after: { manager.requestProductData(identifiers) })
    }

    private func buy(
        _ product: SKProduct?, quantity: Int = 1, _ manager: InAppPurchases,
        until name: Notification.Name = InAppPurchases.transactionSucceeded
    ) async throws {
        let product = try #require(product)
        _ = try await posted(
            name, by: manager, { _ in true }, after: { manager.purchaseProduct(product, quantity: quantity) })
    }

    @Test("R1.6, R2.1: What is asked for is shown with its price, and what is misspelt is listed")
    func shows() async throws {
        try await run { manager in
            #expect(manager.canMakePayments())
            let found = try await products(["monkeys.credits5", "monkeys.jungle", "monkeys.jungel"], manager)
            #expect(found.mapValues(\.localizedTitle) == ["monkeys.credits5": "5 Credits", "monkeys.jungle": "Jungle"])
            #expect(found.mapValues(\.localizedPrice) == ["monkeys.credits5": "$0.99", "monkeys.jungle": "$2.99"])
            #expect(manager.invalidProducts == ["monkeys.jungel"])
        }
    }

    @Test("R2.4: Credits are delivered in the quantity that was bought, and finished")
    func buysCredits() async throws {
        try await run { manager in
            let credits = try await products(["monkeys.credits5"], manager)["monkeys.credits5"]
            try await buy(credits, quantity: 4, manager)
            try await buy(credits, manager)
        }
        #expect(goods.balance == 25)
        #expect(session.allTransactions().map(\.state) == [.purchased, .purchased])
    }

    @Test("R2.5: What fails delivers nothing, is finished, and says whether the customer called it off")
    func fails() async throws {
        session.failTransactionsEnabled = true
        try await run { manager in
            let credits = try await products(["monkeys.credits5"], manager)["monkeys.credits5"]
            for code in [SKError.paymentCancelled, .unknown] {
                session.failureError = code
                try await buy(credits, manager, until: InAppPurchases.transactionFailed)
            }
            #expect(SKPaymentQueue.default().transactions.isEmpty)
        }
        #expect(goods.failures == [2, 0])
        #expect(goods.balance == 0)
        #expect(session.allTransactions().isEmpty)
    }

    @Test("R3.1, R3.4: A new installation gets the filters back, and no credits")
    func restores() async throws {
        try await run { manager in
            manager.restore()
            try await ended(1)
            #expect(goods.filters.isEmpty)
            let found = try await products(["monkeys.jungle", "monkeys.credits5"], manager)
            try await buy(found["monkeys.jungle"], manager)
            try await buy(found["monkeys.credits5"], manager)
        }
        (goods.filters, goods.balance) = ([], 0)
        try await run { manager in
            manager.restore()
            try await ended(2)
        }
        #expect(goods.filters == ["monkeys.jungle"])
        #expect(goods.balance == 0)
        #expect(goods.endsOfRestores == ["finished", "finished"])
    }

    /// Returns when so many restores have ended.
    private func ended(_ count: Int) async throws {
        while goods.endsOfRestores.count < count {
            try Task.checkCancellation()
            await mainQueueDrained()
        }
    }
}
