import Foundation
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite("The answer of verifyReceipt to an app receipt (R4.2, P19)")
struct VerifyReceiptAnswerTests {
    @Test("The receipt says everything, in the types of JSON that clients know, and dates in three forms")
    func receipt() async throws {
        let verifying = try await VerifyingStore()
        let answer = try await verifying.verify(verifying.appReceipt())
        // Written by hand; the dates by GNU date: TZ=America/Los_Angeles date -d @1800900000, and so on.
        let expected = """
            {"receipt":{"receipt_type":"ProductionSandbox","adam_id":0,"app_item_id":0,\
            "bundle_id":"com.example.monkey","application_version":"2.1","download_id":0,\
            "version_external_identifier":0,\
            "receipt_creation_date":"2027-01-25 18:00:00 Etc/GMT","receipt_creation_date_ms":"1800900000000",\
            "receipt_creation_date_pst":"2027-01-25 10:00:00 America/Los_Angeles",\
            "request_date":"2027-01-26 21:46:40 Etc/GMT","request_date_ms":"1801000000789",\
            "request_date_pst":"2027-01-26 13:46:40 America/Los_Angeles",\
            "original_purchase_date":"2013-08-01 07:00:00 Etc/GMT","original_purchase_date_ms":"1375340400000",\
            "original_purchase_date_pst":"2013-08-01 00:00:00 America/Los_Angeles",\
            "original_application_version":"1.0","in_app":[]},"environment":"Sandbox","status":0}
            """
        #expect(answer.text == expected)
    }

    @Test("Numbers of production are its own")
    func production() async throws {
        let verifying = try await VerifyingStore()
        let receipt = try await verifying.verify(
            verifying.appReceipt(in: .production), to: .production
        ).receipt
        #expect(receipt["receipt_type"] as? String == "Production")
        #expect(receipt["adam_id"] as? Int == 42 && receipt["app_item_id"] as? Int == 42)
        #expect(receipt["download_id"] as? Int64 == AppTransactionID.numbers(in: .production).lowerBound + 3)
        #expect(receipt["version_external_identifier"] as? Int == 0)
        #expect(receipt["original_purchase_date_ms"] as? String == "1795000000000")
        #expect(receipt["original_application_version"] as? String == "1.4")
    }

    @Test("A purchase has what its transaction has, every value a text", arguments: [false, true])
    func purchase(_ isProduction: Bool) async throws {
        let environment: StoreEnvironment = isProduction ? .production : .sandbox
        let verifying = try await VerifyingStore()
        var bought = try SampleTransaction.consumable(5)
        bought.originalID = try SampleTransaction.id(4)
        bought.originalPurchaseDate = Instant(millisecondsSinceEpoch: 1_789_999_999_000)
        bought.quantity = 3
        bought.accountToken = try AppAccountToken(parsing: "00000000-0000-4000-8000-0000000000ff")
        try await verifying.store.add([bought], in: environment)
        let answer = try await verifying.verify(verifying.appReceipt(in: environment), to: environment)
        let purchase = try #require(answer.purchases.first as? [String: String])
        #expect(
            purchase == [
                "quantity": "3", "product_id": bought.productID.text, "transaction_id": bought.id.description,
                "original_transaction_id": bought.originalID.description,
                "purchase_date": "2027-01-15 08:00:00 Etc/GMT", "purchase_date_ms": "1800000000000",
                "purchase_date_pst": "2027-01-15 00:00:00 America/Los_Angeles",
                "original_purchase_date": "2026-09-21 14:13:19 Etc/GMT",
                "original_purchase_date_ms": "1789999999000",
                "original_purchase_date_pst": "2026-09-21 07:13:19 America/Los_Angeles",
                "is_trial_period": "false", "in_app_ownership_type": "PURCHASED",
                "app_account_token": "00000000-0000-4000-8000-0000000000ff",
            ])
        #expect(try answer.json["latest_receipt"] == nil && answer.json["latest_receipt_info"] == nil)
    }

    @Test("What was taken back after the receipt was made is told all the same")
    func cancelled() async throws {
        let verifying = try await VerifyingStore()
        let (kept, taken) = try (SampleTransaction.consumable(1), SampleTransaction.consumable(2))
        try await verifying.store.add([kept, taken])
        let receipt = try await verifying.appReceipt()
        // The receipt is known by now, and the books are asked all the same.
        #expect(try await verifying.verify(receipt).purchases[1]["cancellation_date"] == nil)
        try await verifying.store.revoke(taken.id, .appIssue, at: Instant(millisecondsSinceEpoch: 1_800_500_000_999))
        let fresh = try await verifying.appReceipt()
        for receipt in [receipt, fresh] {
            let purchases = try await verifying.verify(receipt).purchases
            #expect(purchases[0]["cancellation_date"] == nil && purchases[0]["cancellation_reason"] == nil)
            #expect(purchases[1]["cancellation_date"] as? String == "2027-01-21 02:53:20 Etc/GMT")
            #expect(purchases[1]["cancellation_date_ms"] as? String == "1800500000000")
            #expect(purchases[1]["cancellation_reason"] as? String == "1")
        }
    }

    @Test("A consumable that was finished since stays in the answer to the old receipt, and in no new one")
    func finished() async throws {
        let verifying = try await VerifyingStore()
        try await verifying.store.add([SampleTransaction.consumable(1)])
        let receipt = try await verifying.appReceipt()
        try await verifying.store.finish(SampleTransaction.id(1))
        #expect(try await verifying.verify(receipt).purchases.count == 1)
        #expect(try await verifying.verify(verifying.appReceipt()).purchases.count == 0)
    }

    @Test("Many purchases are each joined with what the books say of them", arguments: [2, 16, 17, 40])
    func many(_ count: Int) async throws {
        let verifying = try await VerifyingStore()
        var all: [String: String] = [:]
        for number in 1...Int64(count) {
            var one = try SampleTransaction.consumable(number)
            one.accountToken = try AppAccountToken(
                parsing: "00000000-0000-4000-8000-" + String(1_000_000_000_000 + number).dropFirst())
            all[one.id.description] = one.accountToken?.description
            try await verifying.store.add([one])
        }
        let purchases = try await verifying.verify(verifying.appReceipt()).purchases
        let told = purchases.map { ($0["transaction_id"] as? String ?? "", $0["app_account_token"] as? String ?? "") }
        #expect(Dictionary(told) { first, _ in first } == all)
    }

    @Test(
        "Dates in the time of California change with its clocks",
        arguments: [
            // GNU date: the seconds before and after both changes of 2026.
            (1_772_963_999, "2026-03-08 01:59:59"), (1_772_964_000, "2026-03-08 03:00:00"),
            (1_793_523_599, "2026-11-01 01:59:59"), (1_793_523_600, "2026-11-01 01:00:00"),
        ])
    func summer(_ seconds: Int64, _ text: String) async throws {
        let verifying = try await VerifyingStore()
        var bought = try SampleTransaction.consumable()
        bought.purchaseDate = Instant(millisecondsSinceEpoch: seconds * 1000)
        try await verifying.store.add([bought])
        let purchase = try await verifying.verify(verifying.appReceipt()).purchases[0]
        #expect(purchase["purchase_date_pst"] as? String == text + " America/Los_Angeles")
        #expect(purchase["purchase_date_ms"] as? String == "\(seconds)000")
    }

    @Test("What a text needs escaped, is")
    func escaped() async throws {
        let verifying = try await VerifyingStore()
        let answer = try await verifying.verify(
            verifying.appReceipt { $0.applicationVersion = "1 \"beta\" \\ \n é" })
        #expect(try answer.receipt["application_version"] as? String == "1 \"beta\" \\ \n é")
    }
}
