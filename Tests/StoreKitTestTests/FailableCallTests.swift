import StoreKit
import TestSupport
import Testing

@testable import StoreKitTest

@Suite("Calls of StoreKit 2 that fail", .bounded)
struct FailableCallTests {
    /// A call, and a failure that it has.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let set: @Sendable (SKTestSession, Bool) async throws -> Void
        let call: @Sendable (SKTestSession) async throws -> Void
        let isExpected: @Sendable (any Error) -> Bool

        init<API: FailableStoreKitAPI>(
            _ name: String, _ api: API, _ failure: API.Failure, _ isExpected: @escaping @Sendable (any Error) -> Bool,
            call: @escaping @Sendable (SKTestSession) async throws -> Void
        ) {
            testDescription = name
            set = { session, fails in try await session.setSimulatedError(fails ? failure : nil, forAPI: api) }
            self.isExpected = isExpected
            self.call = call
        }
    }

    private static func bought(_ session: SKTestSession) async throws -> Transaction {
        try await session.buyProduct(identifier: "monkeys.club")
    }

    static let cases: [Case] = [
        Case(
            "loadProducts", .loadProducts, .generic(.notEntitled), { ($0 as? StoreKitError).isNotEntitled },
            call: { _ in
                _ = try await Product.products(for: ["monkeys.club"])
            }),
        Case(
            "purchase", .purchase, .purchase(.ineligibleForOffer),
            { $0 as? Product.PurchaseError == .ineligibleForOffer },
            call: { _ in
                _ = try await Product.products(for: ["monkeys.hat"]).first?.purchase()
            }),
        Case(
            "verification", .verification, .verification(.revokedCertificate),
            { $0 as? VerificationResult<Transaction>.VerificationError == .revokedCertificate },
            call: { session in
                _ = try await bought(session)
                _ = try await Transaction.latest(for: "monkeys.club")?.payloadValue
            }),
        Case(
            "appStoreSync", .appStoreSync, .generic(.notEntitled), { ($0 as? StoreKitError).isNotEntitled },
            call: { _ in
                try await AppStore.sync()
            }),
        Case(
            "subscriptionStatus", .subscriptionStatus, .generic(.notEntitled), { ($0 as? StoreKitError).isNotEntitled },
            call: { session in
                _ = try await bought(session)
                _ = try await Product.products(for: ["monkeys.club"]).first?.subscription?.status
            }),
        Case(
            "appTransaction", .appTransaction, .generic(.notEntitled), { ($0 as? StoreKitError).isNotEntitled },
            call: { _ in
                _ = try await AppTransaction.shared
            }),
        Case(
            "refundRequest", .refundRequest, .refundRequest(.duplicateRequest),
            { $0 as? Transaction.RefundRequestError == .duplicateRequest },
            call: { session in
                _ = try await bought(session).beginRefundRequest()
            }),
        Case(
            "manageSubscriptions", .manageSubscriptions, .generic(.notEntitled),
            { ($0 as? StoreKitError).isNotEntitled },
            call: { _ in
                try await AppStore.showManageSubscriptions()
            }),
        Case(
            "offerCodeRedeem", .offerCodeRedeem, .generic(.notEntitled), { ($0 as? StoreKitError).isNotEntitled },
            call: { _ in
                try await AppStore.presentOfferCodeRedeemSheet()
            }),
    ]

    @Test("X2: Each call fails with the error that was set, and works without it", arguments: cases)
    func fails(_ one: Case) async throws {
        let session = try Bench().session
        try await session.asCurrent {
            try await one.set(session, true)
            do {
                try await one.call(session)
                Issue.record("it did not fail")
            } catch {
                #expect(one.isExpected(error), "\(error)")
            }
            try await one.set(session, false)
            try await one.call(session)
        }
    }

    @Test("X2: A purchase that is not verified is a success to be looked at, which stays unfinished")
    func unverifiedPurchase() async throws {
        let session = try Bench().session
        try await session.asCurrent {
            let product = try #require(await Product.products(for: ["monkeys.hat"]).first)
            try await session.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
            guard case .success(.unverified(let bought, .invalidSignature)) = try await product.purchase() else {
                Issue.record("it is verified, or no success")
                return
            }
            try await session.setSimulatedError(nil, forAPI: .verification)
            var unfinished = Transaction.unfinished.makeAsyncIterator()
            #expect(try await unfinished.next()?.payloadValue.id == bought.id)
        }
    }
}

extension StoreKitError? {
    fileprivate var isNotEntitled: Bool { if case .notEntitled? = self { true } else { false } }
}
