import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// What an app reads of signed values, member by member.
@Suite("The members of signed values", .bounded)
struct SignedMemberTests {
    private func date(_ milliseconds: Double) -> Date { Date(timeIntervalSince1970: milliseconds / 1000) }

    private func transaction(_ change: (inout [String: any Sendable]) -> Void = { _ in }) throws -> StoreKit.Transaction
    {
        var payload = try SignedScene.transaction()
        change(&payload)
        return StoreKit.Transaction(signed: try SignedScene().sign(payload))
    }

    @Test("X1: A transaction says what its payload says")
    func transactions() throws {
        let it = try transaction()
        #expect(it.id == 2_000_000_000_000_002 && it.originalID == 2_000_000_000_000_001)
        #expect(it.webOrderLineItemID == "2000000000000009" && it.subscriptionGroupID == "20001")
        #expect(it.productID == "com.example.monkey.monthly" && it.appBundleID == "com.example.monkey")
        #expect(it.purchaseDate == date(1_789_000_000_000) && it.originalPurchaseDate == date(1_780_000_000_000))
        #expect(it.expirationDate == date(1_791_000_000_500) && it.signedDate == SignedScene.now.date)
        #expect(it.purchasedQuantity == 1 && it.isUpgraded)
        #expect(it.productType == .autoRenewable && it.ownershipType == .familyShared && it.reason == .renewal)
        #expect(it.environment == .sandbox && it.environmentStringRepresentation == "Sandbox")
        #expect(it.storefront == Storefront(countryCode: "DEU", id: "143443") && it.storefrontCountryCode == "DEU")
        #expect(it.price == Decimal(string: "1.99") && it.currency == Locale.Currency("EUR"))
        #expect(it.currencyCode == "EUR" && it.appTransactionID == "704000000000000001")
        #expect(it.appAccountToken?.uuidString == "00000000-0000-4000-8000-0000000000FF")
        #expect(it.revocationDate == date(1_789_500_000_000) && it.revocationReason == .developerIssue)
        #expect(it.revocationType == .proratedRefund && it.revocationTypeStringRepresentation == "REFUND_PRORATED")
        #expect(it.revocationPercentage == Decimal(string: "33.333"))
        #expect(it.reasonStringRepresentation == "RENEWAL" && it.billingPlanType == .monthly)
    }

    @Test("X1: The offer and the commitment of a transaction")
    func offers() throws {
        let it = try transaction()
        #expect(it.offer?.id == "spring" && it.offer?.type == .promotional && it.offer?.paymentMode == .payAsYouGo)
        #expect(it.offer?.period == .monthly && it.offerPeriodStringRepresentation == "P1M")
        #expect(it.offerID == "spring" && it.offerType == .promotional)
        #expect(it.offerPaymentModeStringRepresentation == "PAY_AS_YOU_GO")
        #expect(it.commitmentInfo?.billingPeriodNumber == 2 && it.commitmentInfo?.totalBillingPeriods == 12)
        #expect(it.commitmentInfo?.price == Decimal(string: "23.88"))
        #expect(it.commitmentInfo?.expirationDate == date(1_800_000_000_000))
        let plain = try transaction {
            $0["offerType"] = nil
            $0["commitmentInfo"] = nil
            $0["revocationDate"] = nil
        }
        #expect(plain.offer == nil && plain.offerType == nil && plain.commitmentInfo == nil)
        #expect(plain.revocationDate == nil)
    }

    @Test("X1: What may be missing is nil, and a purchase is one unless it says otherwise")
    func optional() throws {
        let it = try transaction { payload in
            for name in [
                "webOrderLineItemId", "subscriptionGroupIdentifier", "expiresDate", "appAccountToken", "isUpgraded",
                "price", "currency", "revocationReason", "revocationType", "revocationPercentage", "transactionReason",
                "billingPlanType",
            ] { payload[name] = nil }
        }
        #expect(it.webOrderLineItemID == nil && it.subscriptionGroupID == nil && it.expirationDate == nil)
        #expect(it.appAccountToken == nil && !it.isUpgraded && it.price == nil && it.currency == nil)
        #expect(it.revocationReason == nil && it.revocationType == nil && it.revocationPercentage == nil)
        #expect(it.reason == .purchase && it.billingPlanType == nil && it.advancedCommerceInfo == nil)
    }

    @Test("X1: Words that this version does not know are kept")
    func unknown() throws {
        let it = try transaction {
            $0["type"] = "Lease"
            $0["inAppOwnershipType"] = "BORROWED"
            $0["offerType"] = 9
            $0["offerDiscountType"] = "BARTER"
        }
        #expect(it.productType.rawValue == "Lease" && it.ownershipType.rawValue == "BORROWED")
        #expect(it.offer?.type.rawValue == 9 && it.offer?.paymentMode?.rawValue == "BARTER")
        #expect(it.productType.localizedDescription == "Lease")
    }

    @Test("P12: A refund is another revision of the same transaction: equal in id, not in value")
    func equality() throws {
        let (first, again) = (try transaction(), try transaction())
        #expect(first == again && first.hashValue == again.hashValue)
        let refunded = try transaction { $0["revocationReason"] = 0 }
        #expect(first != refunded && first.id == refunded.id)
        #expect(first.debugDescription == String(decoding: first.jsonRepresentation, as: UTF8.self))
    }

    @Test("X1: What comes after a period says what its payload says")
    func renewals() throws {
        let it = SubscriptionRenewalInfo(signed: try SignedScene().sign(SignedScene.renewal()))
        #expect(it.originalTransactionID == 2_000_000_000_000_001)
        #expect(it.currentProductID == "com.example.monkey.monthly" && it.willAutoRenew)
        #expect(it.autoRenewPreference == "com.example.monkey.yearly" && it.expirationReason == .billingError)
        #expect(it.priceIncreaseStatus == .pending && it.isInBillingRetry)
        #expect(it.gracePeriodExpirationDate == date(1_792_000_000_000))
        #expect(it.offer?.id == "back" && it.offerType == .winBack && it.offer?.paymentMode == .freeTrial)
        #expect(it.offer?.period == .everyTwoWeeks && it.offerPeriodStringRepresentation == "P2W")
        #expect(it.recentSubscriptionStartDate == date(1_780_000_000_000))
        #expect(it.renewalDate == date(1_791_000_000_000) && it.renewalPrice == Decimal(string: "19.99"))
        #expect(it.currency == Locale.Currency("EUR") && it.eligibleWinBackOfferIDs == ["back", "again"])
        #expect(it.appTransactionID == "704000000000000001" && it.environment == .sandbox)
        #expect(it.renewalBillingPlanType == .upFront && it.commitmentInfo?.willAutoRenew == true)
        #expect(it.commitmentInfo?.autoRenewPreference == "com.example.monkey.yearly")
        #expect(it.commitmentInfo?.renewalPrice == Decimal(string: "23.88"))
    }

    @Test("X1: A subscription that is cancelled prefers no product")
    func cancelled() throws {
        var payload = try SignedScene.renewal()
        payload["autoRenewStatus"] = 0
        payload["priceIncreaseStatus"] = nil
        let it = SubscriptionRenewalInfo(signed: try SignedScene().sign(payload))
        #expect(!it.willAutoRenew && it.autoRenewPreference == nil && it.priceIncreaseStatus == .noIncreasePending)
        payload["priceIncreaseStatus"] = 1
        #expect(SubscriptionRenewalInfo(signed: try SignedScene().sign(payload)).priceIncreaseStatus == .agreed)
    }

    @Test("X1: The download of the app says what its payload says; number 0 is none")
    func downloads() throws {
        let it = AppTransaction(signed: try SignedScene().sign(SignedScene.download()))
        #expect(it.appID == 42 && it.appVersionID == 7 && it.appVersion == "2.1" && it.originalAppVersion == "1.0")
        #expect(it.bundleID == "com.example.monkey" && it.environment == .sandbox && it.originalPlatform == .macOS)
        #expect(it.originalPurchaseDate == date(1_375_340_400_000) && it.preorderDate == date(1_370_000_000_000))
        #expect(it.signedDate == SignedScene.now.date && it.appTransactionID == "704000000000000001")
        #expect(it.originalPlatformStringRepresentation == "macOS" && it.revocationDate == nil)
        var payload = try SignedScene.download()
        payload["appAppleId"] = 0
        payload["versionExternalIdentifier"] = nil
        let none = AppTransaction(signed: try SignedScene().sign(payload))
        #expect(none.appID == nil && none.appVersionID == nil && none != it)
    }

    @Test("X1: What a server describes of its products is read")
    func advancedCommerce() throws {
        let text = """
            {"advancedCommerceInfo": {"descriptors": {"description": "Films", "displayName": "Cinema"},
            "estimatedTax": 500, "period": "P1M", "requestReferenceId": "r1", "taxCode": "C003",
            "taxExclusivePrice": 4490, "taxRate": "0.19", "items": [{"SKU": "film", "description": "A film",
            "displayName": "Film", "price": 4990, "offer": {"period": "P1W", "periodCount": 2, "price": 990,
            "reason": "ACQUISITION"}, "refunds": [{"refundAmount": 990, "refundDate": 1789000000000,
            "refundReason": "OTHER", "refundType": "CUSTOM"}]}]}}
            """
        let it = StoreKit.Transaction(SignedText("", payload: Array(text.utf8)))
        let info = try #require(it.advancedCommerceInfo)
        #expect(info.displayName == "Cinema" && info.description == "Films" && info.period == .monthly)
        #expect(info.estimatedTax == Decimal(string: "0.5") && info.taxRate == Decimal(string: "0.19"))
        #expect(info.items.first?.details.sku == "film" && info.items.first?.details.offer?.periodCount == 2)
        #expect(info.items.first?.refunds?.first?.amount == Decimal(string: "0.99"))
    }
}
