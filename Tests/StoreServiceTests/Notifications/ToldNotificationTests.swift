import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

/// The notifications that lives in a store come to, as rows.
@Suite("What developers' servers are told", .bounded)
struct ToldNotificationTests {
    @Test(
        "X7: The life of a subscription is told in its order, each with how it stood", arguments: StoreEngine.allCases)
    func life(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterPlans()
            try await scene.setAddress()
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            _ = try await scene.buy(SaleScene.plan(level: 2), on: device)
            try await scene.pass(days: 32)
            // Charged a day ahead: told then.
            #expect(try await scene.told() == ["SUBSCRIBED/INITIAL_BUY 1", "DID_RENEW 1"])
            try await scene.addMethod("decline", to: customer)
            try await scene.pass(days: 30)
            try await scene.addMethod("approve", to: customer)
            try await scene.pass(days: 3)
            #expect(try await scene.told(after: 2) == ["DID_FAIL_TO_RENEW 3", "DID_RENEW/BILLING_RECOVERY 1"])
            _ = try await scene.buy(SaleScene.plan(1002, level: 1, cents: 999), on: device)
            try await scene.handle(.turnedOff)
            try await scene.pass(days: 40)
            #expect(
                try await scene.told(after: 4) == [
                    "DID_CHANGE_RENEWAL_PREF/UPGRADE 1", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1",
                    "EXPIRED/VOLUNTARY 2",
                ])
            _ = try await scene.buy(SaleScene.plan(level: 2), on: device)
            let latest = try await scene.subscription().latest
            let refund = try await scene.refund(latest)
            try await scene.reverse(refund)
            #expect(
                try await scene.told(after: 7) == ["SUBSCRIBED/RESUBSCRIBE 1", "REFUND 5", "REFUND_REVERSED 1"])
            let all = try await scene.notifications()
            #expect(all.map(\.number) == Array(1...10) && Set(all.map(\.uuid)).count == 10)
            #expect(all.allSatisfy { $0.state == .waiting && $0.customer == customer && $0.version == 2 })
        }
    }

    @Test("X7: A notification has the transaction and the renewal as they were then, whatever becomes of them")
    func snapshot() async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.enterPlans()
            try await scene.setAddress()
            let device = try await scene.device(scene.customer())
            let start = scene.time.current
            let bought = try await scene.transaction(scene.buy(SaleScene.plan(), on: device).transaction)
            try await scene.pass(days: 3)
            _ = try await scene.refund(bought.id)
            let all = try await scene.notifications()
            let signer = NotificationSigner(scene.store)
            let verifier = scene.store.signers.jwsVerifier
            func read<Payload: Decodable>(_ jws: String?, as type: Payload.Type = Payload.self) throws -> Payload {
                try verifier.verify(#require(jws)).decode()
            }
            let (first, again): (NotificationPayload, NotificationPayload) = try (
                read(signer.signedPayload(of: all[0])), read(signer.signedPayload(of: all[0]))
            )
            #expect(first.notificationUUID == again.notificationUUID && first.notificationUUID == all[0].uuid)
            #expect(first.signedDate == start && first.data?.environment == .sandbox)
            #expect(first.data?.bundleVersion == "1.0" && first.data?.appAppleId == nil)
            let told: TransactionPayload = try read(first.data?.signedTransactionInfo)
            #expect(told.transactionId == bought.id && told.revocationDate == nil && told.signedDate == start)
            #expect(told.appTransactionId != nil && told.price == 4990)
            let renewal: RenewalInfoPayload = try read(first.data?.signedRenewalInfo)
            #expect(renewal.renewalDate == bought.expiresDate && renewal.autoRenewStatus == .on)
            #expect(renewal.renewalPrice == 4990 && renewal.currency?.rawValue == "USD")
            #expect(renewal.recentSubscriptionStartDate == start && renewal.isInBillingRetryPeriod == nil)
            let refunded: NotificationPayload = try read(signer.signedPayload(of: all[1]))
            let taken: TransactionPayload = try read(refunded.data?.signedTransactionInfo)
            #expect(taken.revocationDate == scene.time.current && taken.revocationType == .fullRefund)
            let over: RenewalInfoPayload = try read(refunded.data?.signedRenewalInfo)
            #expect(over.autoRenewStatus == .off && refunded.data?.status == .revoked)
        }
    }

    @Test("X7: What does not renew is told when it is bought, asked back, declined and refunded, and copies are not")
    func oneTime() async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.setAddress()
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let coins = try await scene.buy(.sample(.consumable, 1001), on: device).transaction
            let book = try await scene.buy(.sample(.nonConsumable, 1002), on: device).transaction
            try await scene.finish(book, on: device)
            // Owned already, and restored: neither is a charge.
            _ = try await scene.buy(.sample(.nonConsumable, 1002), on: device)
            _ = try await scene.restore(device)
            #expect(try await scene.told() == ["ONE_TIME_CHARGE", "ONE_TIME_CHARGE"])
            let decisions = RefundDecisions(scene.store)
            for id in [coins, book] {
                let asked = try await decisions.request(
                    #require(id), for: customer.description, because: .legal, note: nil, scene.cause)
                _ = try await decisions.decline(asked.request.id, because: "No", scene.store.cause(.owner))
            }
            // A part that leaves the customer the coins is not told.
            _ = try await scene.refund(
                coins,
                .amount(Money(minorUnits: 50, currency: .usd), key: PurchaseKey(UUID()), reason: .other))
            _ = try await scene.refund(book)
            #expect(
                try await scene.told(after: 2) == [
                    "CONSUMPTION_REQUEST", "REFUND_DECLINED", "REFUND_DECLINED", "REFUND",
                ])
            let asked = try await scene.notifications()[2].told
            #expect(asked.consumptionRequestReason == .legal && asked.status == nil && asked.renewalInfo == nil)
        }
    }

    @Test("X7: Members of a family are told of in streams of their own: of what they get, its renewal and its loss")
    func family() async throws {
        try await FamilyScene.on(.memory) { family in
            let scene = family.scene
            try await scene.setAddress()
            let device = try await scene.device(family.organiser)
            let bought = try await scene.buy(SaleScene.plan(7003), on: device).transaction
            _ = try await scene.buy(.sample(.nonConsumable, 7001), on: device)
            try await scene.work()
            #expect(try await scene.told(of: family.child) == ["SUBSCRIBED/INITIAL_BUY 1", "ONE_TIME_CHARGE"])
            let streams = try await Set(scene.notifications().map(\.stream))
            // Each of three has the subscription and the book.
            #expect(streams.count == 6)
            try await scene.handle(.turnedOff)
            _ = try await scene.refund(bought)
            #expect(try await scene.told(of: family.child).dropFirst(2) == ["REVOKE 5"])
            #expect(
                try await scene.told(of: family.organiser).dropFirst(2) == [
                    "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1", "REFUND 5",
                ])
            let lost = try #require(try await scene.notifications().last { $0.customer == family.child }).told
            #expect(lost.transaction?.inAppOwnershipType == .familyShared && lost.renewalInfo?.renewalPrice == nil)
        }
    }

    @Test("X7: Nothing is kept for nobody: without an address, and for types that the address does not want")
    func unwanted() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            _ = try await scene.buy(.sample(.consumable), on: device)
            try await scene.setAddress(types: "REFUND TEST")
            let bought = try await scene.buy(.sample(.consumable), on: device).transaction
            #expect(try await scene.told() == [])
            _ = try await scene.refund(bought)
            #expect(try await scene.told() == ["REFUND"])
            // A listener hears all, and the address gets no more than it wants.
            let until = scene.time.current + .seconds(60)
            try await scene.store.database.write { transaction in
                try transaction.insert(
                    into: "notification_listener",
                    ["id": 1, "actor": "owner", "begun_at": until, "leased_until": until])
            }
            _ = try await scene.buy(.sample(.consumable), on: device)
            #expect(try await scene.notifications().map(\.state) == [.waiting, .unaddressed])
            #expect(try await scene.count("SELECT count(*) FROM notification_for_listener") == 1)
            try await scene.store.database.write { transaction in
                let id = try #require(bought)
                #expect(try Transactions.forget(id, in: transaction))
            }
            #expect(try await scene.told() == ["ONE_TIME_CHARGE"])
        }
    }
}

extension SaleScene {
    /// Gives the app 42 an address for its notifications.
    func setAddress(types: String? = nil) async throws {
        let now = time.current
        try await store.database.write { transaction in
            try transaction.insert(
                into: "notification_setting",
                [
                    "app_id": 42, "url": "https://example.com/notifications", "version": 2, "types": types,
                    "retries": false, "set_at": now, "actor": "owner",
                ])
        }
    }

    /// All notifications in the order in which they were written.
    func notifications() async throws -> [StoredNotification] {
        try await store.database.read { transaction in
            try transaction.query(
                "SELECT \(StoredNotification.table.columns) FROM notification ORDER BY written_at, number, stream",
                row: StoredNotification.init)
        }
    }

    /// What is told, and the status of a subscription: of a customer, or of all, without those that are known.
    func told(of customer: CustomerID? = nil, after known: Int = 0) async throws -> [String] {
        try await notifications().filter { customer == nil || $0.customer == customer }.dropFirst(known).map {
            let type = SubscriptionNotice($0.type, $0.subtype).description
            return try $0.told.status.map { "\(type) \($0)" } ?? type
        }
    }

    /// The bank decides for the store.
    fileprivate func reverse(_ refund: StoredRefund) async throws {
        let entry = try LedgerEntryID(number: await store.numbers.next(.ledgerEntries))
        let cause = cause
        try await store.database.write { transaction in
            _ = try Refunds.handle(
                .reversed, of: Refunds.require(refund.id, in: transaction), ledgerEntry: entry,
                cause.change(of: refund.customer, in: transaction))
        }
    }
}
