import Foundation
import StoreKit
import StoreKitTest
import TestSupport
import Testing

/// The pieces of the page about test sessions, as they stand there.
@Suite("The pieces of the page about testing", .bounded)
@MainActor
struct TestingYourAppTests {
    let session: SKTestSession

    init() throws {
        session = try SKTestSession(configurationFileNamed: "Monkeys")
        session.disableDialogs = true
    }

    @Test("X7: Ninety-five days are four months of a club")
    func time() throws {
        try session.buyProduct(productIdentifier: "monkeys.club")
        try session.advance(by: .seconds(95 * 86_400))
        #expect(session.allTransactions().count == 4)
    }

    @Test("X2: The errors are simulated until they are taken back")
    func errors() async throws {
        let offline = StoreKitError.networkError(URLError(.notConnectedToInternet))
        try await session.setSimulatedError(.generic(offline), forAPI: .loadProducts)
        await session.asCurrent {
            await #expect(throws: StoreKitError.self) { try await Product.products(for: ["monkeys.jungle"]) }
        }
        try await session.setSimulatedError(nil, forAPI: .loadProducts)
        try await session.asCurrent {
            let jungle = try #require(try await Product.products(for: ["monkeys.jungle"]).first)
            try await session.setSimulatedError(.purchase(.productUnavailable), forAPI: .purchase)
            await #expect(throws: Product.PurchaseError.productUnavailable) { try await jungle.purchase() }
            try await session.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
            try await session.setSimulatedError(nil, forAPI: .purchase)
            guard case .success(.unverified(_, .invalidSignature)) = try await jungle.purchase() else {
                Issue.record("verified")
                return
            }
        }
    }

    @Test("X2: A lost answer and a busy store cost one charge")
    func faults() async throws {
        try session.add(.requests("/device/v1/purchases", method: "POST", .answerLost).times(1))
        try session.add(.requests("*", .status(503)).percent(10, seed: 7))
        let shop = MonkeyShop()
        await session.asCurrent {
            shop.open()
            await shop.buy("monkeys.credits5")
            shop.close()
        }
        #expect(shop.balance == 5)
        #expect(session.allTransactions().count == 1)
    }

    @Test("X2: Another device restores what the first one has bought")
    func devices() async throws {
        try session.buyProduct(productIdentifier: "monkeys.jungle")
        let tablet = try session.addDevice()
        let observer = TellingObserver()
        tablet.asCurrent { SKPaymentQueue.default().add(observer) }
        tablet.asCurrent { SKPaymentQueue.default().restoreCompletedTransactions() }
        try await observer.until("restored jungle")
        tablet.asCurrent { SKPaymentQueue.default().remove(observer) }
    }

    @Test("X2: The backend has been told when the time of a renewal is there")
    func server() async throws {
        let backend = ClubBackend()
        try session.buyProduct(productIdentifier: "monkeys.club")
        try session.onNotification { payload in try await backend.receive(payload) }
        try session.advance(by: .seconds(32 * 86_400))
        // The backend has been told of the renewal by now.
        #expect(await backend.types.last == "DID_RENEW")
    }
}
