import CommandOptions
import Foundation
import StoreModel
import StoreServer
import StoreService
import Testing

@testable import till

@Suite("What sales commands tell people") struct SaleTextTests {
    private static func purchase(_ more: String) throws -> PurchaseReport {
        let text = """
            {"purchaseId": "17", "deviceId": "1001", "bundleId": "com.example.app", "productId": "credits5", "quantity": 1,
            "storefront": "USA", "unitPrice": {"amount": "0.99", "currency": "USD"},
            "total": {"amount": "0.99", "currency": "USD"}, "openedAt": 0, "changedAt": 0, "expiresAt": 0, \(more)}
            """
        return try JSONDecoder().decode(PurchaseReport.self, from: Data(text.utf8))
    }

    @Test func `a command to go on with a purchase of production names production`() throws {
        let waiting = try Self.purchase(#""state": "sign-in", "code": "BDFG-HJKM""#)
        #expect(SaleText.lines(waiting, in: .sandbox).last == "  waits for a yes: till approve BDFG-HJKM")
        #expect(
            SaleText.lines(waiting, in: .production).last
                == "  waits for a yes: till approve BDFG-HJKM --environment production")
        let voiding = try Self.purchase(#""state": "voiding""#)
        #expect(SaleText.lines(voiding, in: .sandbox).last?.hasSuffix("--because TEXT") == true)
        #expect(
            SaleText.lines(voiding, in: .production).last?.hasSuffix("--because TEXT --environment production") == true)
    }
}
