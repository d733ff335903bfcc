// Without @testable: what tests of apps import has these names. That this file compiles is the test.
import Foundation
import StoreKitTest
import Testing

/// Every declaration of Apple's StoreKitTest for simulated errors and purchases, as public code writes it.
@Suite("X2: The surface of StoreKitTest")
struct TestingSurface {
    func everyToken(_ session: SKTestSession) async throws {
        let offline = StoreKitError.networkError(URLError(.notConnectedToInternet))
        try await session.setSimulatedError(.generic(offline), forAPI: .loadProducts)
        try await session.setSimulatedError(.generic(.unknown), forAPI: .purchase)
        try await session.setSimulatedError(SKTestFailures.Purchase.purchase(.productUnavailable), forAPI: .purchase)
        try await session.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
        try await session.setSimulatedError(.generic(.notEntitled), forAPI: .appStoreSync)
        try await session.setSimulatedError(.generic(.unsupported), forAPI: .subscriptionStatus)
        try await session.setSimulatedError(.generic(.unknown), forAPI: .appTransaction)
        try await session.setSimulatedError(.generic(.unknown), forAPI: .manageSubscriptions)
        try await session.setSimulatedError(.refundRequest(.duplicateRequest), forAPI: .refundRequest)
        try await session.setSimulatedError(.generic(.userCancelled), forAPI: .offerCodeRedeem)
        try await session.setSimulatedError(nil, forAPI: .offerCodeRedeem)
        let known: SKTestFailures.LoadProducts? = await session.simulatedError(forAPI: .loadProducts)
        let named: SKTestFailures.Purchase? = await session.simulatedError(forAPI: StoreKitPurchaseAPI())
        _ = (known, named)
    }

    func everyPurchase(_ session: SKTestSession) async throws {
        try await session.buyProduct(identifier: "a")
        let options: Set<Product.PurchaseOption> = [
            .promotionalOffer(id: "spring"), .codeOffer(referenceName: "code"), .purchaseDate(.now),
            .purchaseDate(.now, renewalBehavior: .cancelImmediately), .quantity(2), .appAccountToken(UUID()),
        ]
        let transaction: Transaction = try await session.buyProduct(identifier: "a", options: options)
        _ = transaction.id
    }

    func generic<API: FailableStoreKitAPI>(_ api: API, _ session: SKTestSession) async -> API.Failure? {
        await session.simulatedError(forAPI: api)
    }

    @Test("A failure is equal to itself and goes through the form of files, and a behaviour through JSON")
    func values() throws {
        let failure = SKTestFailures.RefundRequest.refundRequest(.failed)
        #expect(SKTestFailures.RefundRequest(_fromErrorCode: failure._errorCode) == failure)
        #expect(SKTestFailures.LoadProducts(_fromErrorCode: failure._errorCode) == nil)
        #expect(failure != .generic(.unknown))
        for behaviour in [
            Product.PurchaseOption.SubscriptionRenewalBehavior.renewUntilNow, .cancelImmediately,
        ] {
            let text = try JSONEncoder().encode([behaviour])
            let read = try JSONDecoder().decode([Product.PurchaseOption.SubscriptionRenewalBehavior].self, from: text)
            #expect(read == [behaviour])
        }
    }
}
