import Foundation
import StoreModel
import StoreService
import StoreSigning
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite("verifyReceipt of receipts in the form of iOS 6 (R4.2)")
struct VerifyTransactionReceiptTests {
    /// Not held to be SHA-1 of the identifier here, but in the tests of the receipt itself.
    private static let device = "56178b86a57fac22899a9964185c2cc96e7da589"

    @Test("Every field is a text, flat, as the transaction has it", arguments: StoreEnvironment.allCases)
    func fields(_ environment: StoreEnvironment) async throws {
        let verifying = try await VerifyingStore()
        var bought = try SampleTransaction.consumable(5)
        bought.quantity = 2
        bought.originalID = try SampleTransaction.id(4)
        bought.originalPurchaseDate = Instant(millisecondsSinceEpoch: 1_789_999_999_001)
        try await verifying.store.add([bought], in: environment)
        let answer = try await verifying.verify(
            verifying.transactionReceipt(of: bought, in: environment), to: environment)
        var expected = [
            "quantity": "2", "product_id": "com.example.monkey.coins", "transaction_id": bought.id.description,
            "original_transaction_id": bought.originalID.description,
            "purchase_date": "2027-01-15 08:00:00 Etc/GMT", "purchase_date_ms": "1800000000123",
            "purchase_date_pst": "2027-01-15 00:00:00 America/Los_Angeles",
            "original_purchase_date": "2026-09-21 14:13:19 Etc/GMT", "original_purchase_date_ms": "1789999999001",
            "original_purchase_date_pst": "2026-09-21 07:13:19 America/Los_Angeles",
            "item_id": "1001", "bid": "com.example.monkey", "bvrs": "2.1", "unique_identifier": Self.device,
            "unique_vendor_identifier": SampleStore.vendorIdentifier,
        ]
        if environment == .production {
            expected["app_item_id"] = "42"
            expected["version_external_identifier"] = "0"
        }
        #expect(try answer.receipt as? [String: String] == expected)
        #expect(try answer.status == 0)
        #expect(try Set(answer.json.keys) == ["receipt", "environment", "status"])
    }

    @Test("What was taken back is told")
    func cancelled() async throws {
        let verifying = try await VerifyingStore()
        let bought = try SampleTransaction.consumable()
        try await verifying.store.add([bought])
        try await verifying.store.revoke(bought.id, .other, at: Instant(millisecondsSinceEpoch: 1_800_500_000_000))
        let receipt = try await verifying.verify(verifying.transactionReceipt(of: bought)).receipt
        #expect(receipt["cancellation_date_pst"] as? String == "2027-01-20 18:53:20 America/Los_Angeles")
        #expect(receipt["cancellation_reason"] as? String == "0")
    }

    @Test("A subscription under way: its latest receipt and the object beside it")
    func active() async throws {
        let verifying = try await VerifyingStore()
        let first = try SampleTransaction.subscription(1)
        var renewal = try SampleTransaction.subscription(2)
        renewal.originalID = first.id
        renewal.purchaseDate = Instant(millisecondsSinceEpoch: 1_800_950_000_000)
        renewal.expiresDate = Instant(millisecondsSinceEpoch: 1_803_000_000_000)
        try await verifying.store.add([first, renewal])
        let answer = try await verifying.verify(
            verifying.transactionReceipt(of: first), password: SampleStore.secret)
        #expect(try answer.status == 0)
        let receipt = try #require(answer.receipt as? [String: String])
        #expect(receipt["transaction_id"] == first.id.description)
        #expect(receipt["expires_date"] == "1802678400123")
        #expect(receipt["expires_date_formatted"] == "2027-02-15 08:00:00 Etc/GMT")
        #expect(receipt["expires_date_formatted_pst"] == "2027-02-15 00:00:00 America/Los_Angeles")
        #expect(receipt["web_order_line_item_id"] == first.webOrderLineItemID?.description)
        #expect(receipt["is_trial_period"] == "false" && receipt["is_in_intro_offer_period"] == "false")
        #expect(receipt["subscription_group_identifier"] == "20001" && receipt["in_app_ownership_type"] == "PURCHASED")
        let latest = try #require(answer.json["latest_receipt_info"] as? [String: String])
        #expect(latest["transaction_id"] == renewal.id.description && latest["expires_date"] == "1803000000000")
        let bytes = try #require(Base64.decode(answer.json["latest_receipt"] as? String ?? ""))
        #expect(
            try SampleKeys.of(.sandbox).transactionReceiptVerifier().verify(bytes).transactionID
                == renewal.id.description)
    }

    @Test("21006: a subscription that is over, with its receipt and what came last", arguments: [0, 1])
    func expired(_ milliseconds: Int64) async throws {
        let verifying = try await VerifyingStore()
        var bought = try SampleTransaction.subscription(1)
        // What ends this very moment is over.
        bought.expiresDate = Instant(
            millisecondsSinceEpoch: VerifyingStore.now.millisecondsSinceEpoch + milliseconds)
        try await verifying.store.add([bought])
        let answer = try await verifying.verify(
            verifying.transactionReceipt(of: bought), password: SampleStore.secret)
        let isOver = milliseconds == 0
        #expect(try answer.status == (isOver ? 21006 : 0))
        #expect(answer.httpStatus == 200)
        #expect(try answer.json["environment"] as? String == "Sandbox")
        #expect(try answer.receipt["transaction_id"] as? String == bought.id.description)
        #expect(try (answer.json["latest_expired_receipt_info"] == nil) == !isOver)
        #expect(try (answer.json["latest_receipt_info"] == nil) == isOver)
    }

    @Test("21003: a receipt of which anything was changed, the certificate included")
    func altered() async throws {
        let verifying = try await VerifyingStore()
        let bought = try SampleTransaction.consumable()
        try await verifying.store.add([bought])
        let text = String(decoding: try await verifying.transactionReceipt(of: bought), as: UTF8.self)
        let lines = text.split(separator: "\n")
        let info = try #require(lines.first { $0.contains("\"purchase-info\"") })
        let value = try #require(info.split(separator: "\"").last { $0.count > 20 })
        let inner = String(decoding: try #require(Base64.decode(String(value))), as: UTF8.self)
        let forged = inner.replacing("\"quantity\" = \"1\"", with: "\"quantity\" = \"9\"")
        #expect(forged != inner)
        let receipt = text.replacing(value, with: Base64.encode(forged.utf8))
        #expect(try await verifying.verify(Array(receipt.utf8)).status == 21003)
    }
}
