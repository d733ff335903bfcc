import Foundation
import StoreModel
import StoreSigning
import TestSupport
import Testing

@testable import StoreKit

/// What the sandbox makes of the properties of `SKReceiptRefreshRequest`.
@Suite("Receipts with properties", .bounded)
struct SandboxReceiptTests {
    private func receipt(_ app: SessionClient, _ bench: SessionBench) throws -> AppReceipt {
        let file = try #require(app.session.receiptURL)
        return try bench.profile.receipts.verify(Array(Data(contentsOf: file))).receipt
    }

    private func withPurchase(
        _ environment: StoreEnvironment, _ body: (SessionClient, SessionBench) async throws -> Void
    ) async throws {
        let bench = try await SessionBench(SessionStore(environment))
        try await bench.withSession { app in
            if environment == .sandbox {
                app.attach()
                app.buy(SessionStore.jungle)
                try await app.until("purchased jungle")
            }
            try await body(app, bench)
        }
    }

    @Test("Each property alters the receipt in its own way, until it is renewed once more")
    func properties() async throws {
        try await withPurchase(.sandbox) { app, bench in
            for (properties, type) in [
                (ReceiptProperties(), ReceiptType.sandbox),
                (ReceiptProperties(isExpired: true), .volumePurchaseSandbox),
                (ReceiptProperties(isRevoked: true), .sandbox),
                (ReceiptProperties(isVolumePurchase: true), .volumePurchaseSandbox), (ReceiptProperties(), .sandbox),
            ] {
                try await app.session.receipt.renew(properties)
                let found = try receipt(app, bench)
                #expect(found.type == type)
                #expect((found.expirationDate != nil) == properties.isExpired)
                if let expiry = found.expirationDate { #expect(expiry < found.creationDate) }
                #expect(found.purchases.count == 1)
                #expect(found.purchases.allSatisfy { ($0.cancellationDate != nil) == properties.isRevoked })
            }
        }
    }

    @Test("Production makes only receipts that are true")
    func production() async throws {
        try await withPurchase(.production) { app, bench in
            try await app.session.receipt.renew(
                ReceiptProperties(isExpired: true, isRevoked: true, isVolumePurchase: true))
            let found = try receipt(app, bench)
            #expect(found.type == .production)
            #expect(found.expirationDate == nil)
        }
    }
}
