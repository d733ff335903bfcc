import Foundation
import StoreKit
import TestSupport
import Testing

@testable import StoreKitTest

@Suite("Simulated errors of a test session", .bounded)
struct FailureTests {
    /// A failure of each call, by the form that files have for it.
    static let named: [(name: String, type: String, index: Int)] = [
        ("Load Products", "generic", 2), ("Purchase", "purchase", 1), ("Verification", "verification", 0),
        ("App Store Sync", "generic", 4), ("Subscription Status", "generic", 5), ("App Transaction", "generic", 0),
        ("Manage Subscriptions Sheet", "generic", 6), ("Refund Request Sheet", "refundRequest", 0),
        ("Offer Code Redeem Sheet", "generic", 1),
    ]

    @Test("X2: A file names the error of every call", arguments: named)
    func files(name: String, type: String, index: Int) async throws {
        let call = try #require(FailableCall(rawValue: name))
        let bench = try Bench(
            settings: """
                "_storeKitErrors" : [{"name":"\(name)","enabled":true,"current":{"type":"\(type)","index":\(index)}}]
                """)
        let failure = try #require(bench.session.values.current.failure(of: call))
        #expect(failure.failure._errorCode == _SKTestFailureCode(type: type, index: index))
        #expect(bench.session.parts.scene.device.session.simulatedFailure(of: call) != nil)
        #expect(FailableCall.allCases.filter { bench.session.values.current.failure(of: $0) != nil } == [call])
        #expect(bench.session.parts.configuration.settings.unknownErrors.isEmpty)
    }

    @Test("X2: An error is what was set, until it is taken back or the session is reset")
    func set() async throws {
        let session = try Bench().session
        let offline = StoreKitError.networkError(URLError(.notConnectedToInternet))
        try await session.setSimulatedError(.generic(offline), forAPI: .loadProducts)
        try await session.setSimulatedError(.verification(.revokedCertificate), forAPI: .verification)
        try await session.setSimulatedError(.refundRequest(.duplicateRequest), forAPI: .refundRequest)
        #expect(await session.simulatedError(forAPI: .loadProducts) == .generic(offline))
        #expect(await session.simulatedError(forAPI: .verification) == .verification(.revokedCertificate))
        #expect(await session.simulatedError(forAPI: .refundRequest) == .refundRequest(.duplicateRequest))
        #expect(await session.simulatedError(forAPI: .appStoreSync) == nil)
        try await session.setSimulatedError(nil, forAPI: .loadProducts)
        #expect(await session.simulatedError(forAPI: .loadProducts) == nil)
        session.resetToDefaultState()
        #expect(await session.simulatedError(forAPI: .verification) == nil)
    }

    static let originalCodes: [(SKTestFailures.Purchase, SKError.Code)] = [
        (.purchase(.productUnavailable), .storeProductNotAvailable),
        (.purchase(.purchaseNotAllowed), .paymentNotAllowed),
        (.purchase(.invalidOfferSignature), .invalidSignature), (.generic(.userCancelled), .paymentCancelled),
        (.generic(.unknown), .unknown),
    ]

    @Test("X2: The original API fails with the code that stands for the error", arguments: originalCodes)
    func original(failure: SKTestFailures.Purchase, code: SKError.Code) async throws {
        let bench = try Bench()
        try await bench.session.setSimulatedError(failure, forAPI: .purchase)
        try await bench.run { observer in
            Bench.add("monkeys.hat")
            try await observer.until("failed \(code.rawValue) hat")
            await #expect(throws: (any Error).self) { try await bench.session.buyProduct(identifier: "monkeys.hat") }
            #expect(bench.session.allTransactions().isEmpty)
            try await bench.session.setSimulatedError(nil, forAPI: .purchase)
            Bench.add("monkeys.hat")
            try await observer.until("purchased hat")
        }
    }

    @Test("The switch of old and the error of purchases are one")
    func switches() async throws {
        let session = try Bench().session
        session.failTransactionsEnabled = true
        session.failureError = .invalidOfferPrice
        #expect(await session.simulatedError(forAPI: .purchase) == .purchase(.invalidOfferPrice))
        try await session.setSimulatedError(nil, forAPI: .purchase)
        #expect(!session.failTransactionsEnabled)
        try await session.setSimulatedError(.generic(.unknown), forAPI: .purchase)
        session.failTransactionsEnabled = false
        #expect(await session.simulatedError(forAPI: .purchase) == nil)
    }
}
