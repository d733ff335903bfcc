import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite("Notifications of version 1") struct NotificationForm1Tests {
    /// A notification about a subscription of customer 7, as a server gets it.
    private func body(
        _ type: NotificationType, _ subtype: NotificationSubtype? = nil, in verifying: VerifyingStore,
        renewal change: (inout RenewalInfoPayload) -> Void = { _ in }
    ) async throws -> [String: Any]? {
        let store = try EnvironmentStore.sample(
            of: verifying.store.databases, processor: ApprovingProcessor(), wall: { VerifyingStore.now })
        let bought = try SampleTransaction.subscription(2)
        var content = NotificationContent(bundleId: bought.bundleID)
        content.bundleVersion = "2.1"
        content.transaction = bought.payload(in: .sandbox, appTransaction: nil, signedAt: VerifyingStore.now)
        var renewal = RenewalInfoPayload(
            originalTransactionId: bought.originalID, productId: bought.productID, autoRenewProductId: bought.productID,
            autoRenewStatus: .on, environment: .sandbox, signedDate: VerifyingStore.now)
        change(&renewal)
        content.renewalInfo = renewal
        let (cause, told) = (store.cause(.store), content)
        let written = try await store.database.write { transaction in
            try transaction.execute("DELETE FROM notification_setting")
            try transaction.insert(
                into: "notification_setting",
                [
                    "app_id": 42, "url": "https://shop.example", "version": 1, "types": String?.none, "retries": false,
                    "set_at": 0, "actor": "owner",
                ])
            return try Notifications.append(
                type, subtype, about: NotificationSubject(bought), cause.change(of: bought.customerID, in: transaction)
            ) { told }
        }
        let forms = NotificationForms(store, receipt: VerifyReceiptAnswer.unified)
        guard let bytes = try await forms.body(of: #require(written)) else { return nil }
        return try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private func verifyingStore() async throws -> VerifyingStore {
        let verifying = try await VerifyingStore()
        try await verifying.store.add([SampleTransaction.consumable(1), SampleTransaction.subscription(2)])
        return verifying
    }

    /// An object with its members in order.
    private func text(_ value: Any?) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: #require(value), options: [.sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }

    @Test("X7: The password, the names and the types of members are those that servers of version 1 read")
    func members() async throws {
        let verifying = try await verifyingStore()
        let sent = try #require(
            try await body(.didChangeRenewalStatus, .autoRenewDisabled, in: verifying) {
                $0.autoRenewStatus = .off
                $0.expirationIntent = .cancelled
            })
        let bought = try SampleTransaction.subscription(2)
        let texts = sent.compactMapValues { $0 as? String }
        #expect(
            texts == [
                "notification_type": "DID_CHANGE_RENEWAL_STATUS", "password": SampleStore.secret,
                "environment": "Sandbox", "bid": SampleStore.bundle, "bvrs": "2.1",
                "auto_renew_product_id": "com.example.monkey.monthly", "auto_renew_status": "false",
                "web_order_line_item_id": bought.webOrderLineItemID?.description ?? "",
                "auto_renew_status_change_date": "2027-01-26 21:46:40 Etc/GMT",
                "auto_renew_status_change_date_ms": "1801000000000",
                "auto_renew_status_change_date_pst": "2027-01-26 13:46:40 America/Los_Angeles",
            ])
        #expect(sent["original_transaction_id"] as? Int64 == bought.originalID.number)
        #expect(sent["expiration_intent"] as? Int == 1)
        let unified = try #require(sent["unified_receipt"] as? [String: Any])
        #expect(
            Set(unified.keys) == [
                "status", "environment", "latest_receipt", "latest_receipt_info", "pending_renewal_info",
            ])
        #expect(unified["status"] as? Int == 0 && unified["environment"] as? String == "Sandbox")
    }

    @Test("X7: The receipt says what verifyReceipt says of it, to the letter")
    func unifiedReceipt() async throws {
        let verifying = try await verifyingStore()
        let sent = try #require(try await body(.didRenew, in: verifying))
        #expect(sent["notification_type"] as? String == "DID_RENEW")
        let unified = try #require(sent["unified_receipt"] as? [String: Any])
        let encoded = try #require(unified["latest_receipt"] as? String)
        let receipt = try #require(Base64.decode(encoded))
        let verified = try await verifying.verify(receipt, password: sent["password"] as? String)
        #expect(try verified.status == 0)
        for name in ["latest_receipt_info", "pending_renewal_info"] {
            #expect(try text(unified[name]) == text(verified.json[name]), "\(name)")
        }
        #expect((unified["latest_receipt_info"] as? [Any])?.count == 2)
    }

    @Test("X7: It tells of a hundred transactions at most, the newest first")
    func hundred() async throws {
        let verifying = try await verifyingStore()
        try await verifying.store.add(
            (3...140).map { number in
                var renewal = try SampleTransaction.subscription(Int64(number))
                renewal.originalID = try SampleTransaction.id(2)
                renewal.purchaseDate = Instant(millisecondsSinceEpoch: 1_800_000_000_000 + Int64(number) * 1000)
                return renewal
            })
        let sent = try #require(try await body(.didRenew, in: verifying))
        let unified = try #require(sent["unified_receipt"] as? [String: Any])
        let told = try #require(unified["latest_receipt_info"] as? [[String: String]])
        #expect(told.count == 100)
        #expect(told.first?["transaction_id"] == (try SampleTransaction.id(140).description))
        #expect(told.last?["transaction_id"] == (try SampleTransaction.id(41).description))
    }

    @Test("X7: What version 1 has no form of is not sent")
    func none() async throws {
        let verifying = try await verifyingStore()
        #expect(try await body(.expired, .voluntary, in: verifying) == nil)
        #expect(try await body(.renewalExtended, in: verifying) == nil)
    }
}
