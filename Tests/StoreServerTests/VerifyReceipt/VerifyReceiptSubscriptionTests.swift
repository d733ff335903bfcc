import Foundation
import StoreDatabase
import StoreModel
import StoreService
import StoreSigning
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite("verifyReceipt of auto-renewable subscriptions (R4.2)")
struct VerifyReceiptSubscriptionTests {
    private func store() async throws -> VerifyingStore {
        let verifying = try await VerifyingStore()
        try await verifying.store.add([SampleTransaction.consumable(1), SampleTransaction.subscription(2)])
        return verifying
    }

    @Test("21004: the password is missing or wrong; that of the app and the primary one open the receipt")
    func password() async throws {
        let verifying = try await store()
        let receipts = [
            try await verifying.appReceipt(),
            try await verifying.transactionReceipt(of: SampleTransaction.subscription(2)),
        ]
        for receipt in receipts {
            let missing = try await verifying.verify(receipt)
            #expect(missing.text == #"{"status":21004}"#)
            #expect(missing.reason?.hasPrefix("password is missing") == true)
            let long = String(repeating: "x", count: 300)
            for wrong in ["", SampleStore.secret.uppercased(), SampleStore.primarySecret, long] {
                let answer = try await verifying.verify(receipt, password: wrong)
                #expect(answer.text == #"{"status":21004}"#)
                #expect(
                    answer.reason
                        == "password is neither the shared secret of this app nor the primary one in the sandbox")
            }
            #expect(try await verifying.verify(receipt, password: SampleStore.secret).status == 0)
        }
        try await verifying.store.setPrimarySecret()
        for receipt in receipts {
            #expect(try await verifying.verify(receipt, password: SampleStore.primarySecret).status == 0)
            #expect(try await verifying.verify(receipt, password: SampleStore.secret).status == 0)
        }
    }

    @Test("Each environment takes its own secrets only, and tells of a wrong environment before it asks for one")
    func ownSecrets() async throws {
        let verifying = try await store()
        try await verifying.store.add(
            [SampleTransaction.consumable(1), SampleTransaction.subscription(2)], in: .production)
        try await verifying.store.setPrimarySecret(in: .production)
        for environment in StoreEnvironment.allCases {
            let other: StoreEnvironment = environment == .sandbox ? .production : .sandbox
            let receipt = try await verifying.appReceipt(in: environment)
            let own = SampleStore.secret(of: environment)
            #expect(try await verifying.verify(receipt, password: own, to: environment).status == 0)
            let foreign = SampleStore.secret(of: other)
            #expect(try await verifying.verify(receipt, password: foreign, to: environment).status == 21004)
            let primary = try await verifying.verify(receipt, password: SampleStore.primarySecret, to: environment)
            #expect(try primary.status == (environment == .production ? 0 : 21004))
            for password in [nil, own, foreign] {
                let sent = try await verifying.verify(receipt, password: password, to: other)
                #expect(try sent.status == (environment == .sandbox ? 21007 : 21008))
            }
        }
    }

    @Test("The password of another app opens nothing, and nothing needs one that has no subscription")
    func otherApp() async throws {
        let verifying = try await store()
        let foreign = try await verifying.appReceipt { $0.bundleID = "com.example.other" }
        let answer = try await verifying.verify(foreign, password: SampleStore.secret)
        #expect(try answer.status == 21004)
        #expect(answer.reason == "password cannot match: this app has no shared secret in the sandbox yet")
        let plain = try await verifying.appReceipt { $0.purchases.removeLast() }
        #expect(try await verifying.verify(plain, password: "wrong").status == 0)
    }

    @Test("A period has its fields in in_app, and in latest_receipt_info its group besides")
    func fields() async throws {
        let verifying = try await store()
        let answer = try await verifying.verify(verifying.appReceipt(), password: SampleStore.secret)
        let bought = try SampleTransaction.subscription(2)
        let inApp = try #require(answer.purchases.last as? [String: String])
        let expected = [
            "quantity": "1", "product_id": "com.example.monkey.monthly", "transaction_id": bought.id.description,
            "original_transaction_id": bought.id.description,
            "purchase_date": "2027-01-15 08:00:00 Etc/GMT", "purchase_date_ms": "1800000000000",
            "purchase_date_pst": "2027-01-15 00:00:00 America/Los_Angeles",
            "original_purchase_date": "2027-01-15 08:00:00 Etc/GMT", "original_purchase_date_ms": "1800000000000",
            "original_purchase_date_pst": "2027-01-15 00:00:00 America/Los_Angeles",
            "expires_date": "2027-02-15 08:00:00 Etc/GMT", "expires_date_ms": "1802678400000",
            "expires_date_pst": "2027-02-15 00:00:00 America/Los_Angeles",
            "web_order_line_item_id": bought.webOrderLineItemID?.description, "is_trial_period": "false",
            "is_in_intro_offer_period": "false", "in_app_ownership_type": "PURCHASED",
            "app_account_token": "00000000-0000-4000-8000-0000000000ff",
        ]
        #expect(inApp == expected)
        let latest = try #require(answer.json["latest_receipt_info"] as? [[String: String]])
        #expect(
            latest.map { $0["transaction_id"] } == [bought.id.description, try SampleTransaction.id(1).description])
        #expect(latest[0] == expected.merging(["subscription_group_identifier": "20001"]) { $1 })
        #expect(latest[1]["is_in_intro_offer_period"] == nil && latest[1]["expires_date"] == nil)
        #expect((try answer.json["pending_renewal_info"] as? [Any])?.isEmpty == true)
    }

    @Test("Periods that differ from those beside them in product, group or token are told with their own")
    func neighbours() async throws {
        let verifying = try await VerifyingStore()
        let tokens = ["00000000-0000-4000-8000-0000000000ff", "00000000-0000-4000-8000-0000000000fe"]
        let told: [(product: String, group: String?, token: String?)] = [
            ("com.example.monkey.monthly", "20001", tokens[0]), ("com.example.monkey.monthly", "20001", tokens[0]),
            ("com.example.monkey.monthly", "20001", nil), ("com.example.monkey.monthly", "20001", tokens[0]),
            ("com.example.monkey.coins", nil, nil), ("com.example.monkey.monthly", "20001", tokens[1]),
            ("com.example.monkey.monthlx", "20002", tokens[0]), ("com.example.monkey.coins", nil, tokens[1]),
        ]
        let bought = try told.enumerated().map { index, told in
            let number = Int64(index + 1)
            var transaction =
                try told.group == nil ? SampleTransaction.consumable(number) : SampleTransaction.subscription(number)
            transaction.productID = try ProductID(parsing: told.product)
            transaction.groupID = try told.group.map { try SubscriptionGroupID(parsing: $0) }
            transaction.accountToken = try told.token.map { try AppAccountToken(parsing: $0) }
            transaction.purchaseDate = Instant(millisecondsSinceEpoch: 1_800_000_000_000 + number * 1000)
            return transaction
        }
        try await verifying.store.add(bought)
        let answer = try await verifying.verify(verifying.appReceipt(), password: SampleStore.secret)
        let latest = try #require(answer.json["latest_receipt_info"] as? [[String: String]])
        #expect(latest.map { $0["transaction_id"] } == bought.reversed().map(\.id.description))
        #expect(latest.map { $0["product_id"] } == told.reversed().map(\.product))
        #expect(latest.map { $0["subscription_group_identifier"] } == told.reversed().map(\.group))
        #expect(latest.map { $0["app_account_token"] } == told.reversed().map(\.token))
    }

    @Test("latest_receipt is a receipt of today for the same device, which verifies")
    func latestReceipt() async throws {
        let verifying = try await store()
        let old = try await verifying.appReceipt()
        var renewal = try SampleTransaction.subscription(3)
        renewal.originalID = try SampleTransaction.id(2)
        renewal.purchaseDate = Instant(millisecondsSinceEpoch: 1_800_950_000_000)
        try await verifying.store.add([renewal])
        let answer = try await verifying.verify(old, password: SampleStore.secret)
        #expect(try answer.purchases.count == 2)
        let text = try #require(answer.json["latest_receipt"] as? String)
        let bytes = try #require(Base64.decode(text))
        let latest = try SampleKeys.of(.sandbox).receiptVerifier().verify(bytes).receipt
        #expect(latest.creationDate.millisecondsSinceEpoch / 1000 == VerifyingStore.now.millisecondsSinceEpoch / 1000)
        #expect(try latest.belongs(toDevice: SampleStore.deviceIdentifier))
        #expect(
            latest.purchases.map(\.transactionID).sorted()
                == (try (1...3).map { try SampleTransaction.id($0).description }))
        #expect(try await verifying.verify(bytes, password: SampleStore.secret).purchases.count == 3)
    }

    @Test("exclude-old-transactions leaves the newest of each subscription, and all else")
    func excluding() async throws {
        let verifying = try await store()
        for number in 3...5 {
            var renewal = try SampleTransaction.subscription(Int64(number))
            renewal.originalID = try SampleTransaction.id(number == 5 ? 5 : 2)
            renewal.purchaseDate = Instant(millisecondsSinceEpoch: 1_800_000_000_000 + Int64(number) * 1000)
            try await verifying.store.add([renewal])
        }
        let receipt = try await verifying.appReceipt()
        func told(_ excluding: Bool?) async throws -> [String?] {
            let answer = try await verifying.verify(
                receipt, password: SampleStore.secret, excludingOld: excluding)
            let latest = try #require(answer.json["latest_receipt_info"] as? [[String: String]])
            return latest.map { $0["transaction_id"].map { String($0.suffix(1)) } }
        }
        #expect(try await told(true) == ["5", "4", "1"])
        #expect(try await told(false) == ["5", "4", "3", "2", "1"])
        #expect(try await told(nil) == ["5", "4", "3", "2", "1"])
    }
}
