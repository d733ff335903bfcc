import StoreModel
import Testing

@Suite("Named values on the wire")
struct WireValueTests {
    /// Checks that a type knows exactly these values, and passes every other one through unchanged.
    private func check<Value: WireValue>(
        _ type: Value.Type, knows values: Value.RawValue..., but unknown: Value.RawValue
    ) throws {
        #expect(Set(values.map(Value.init(rawValue:))) == Value.known, "\(type)")
        for value in values {
            #expect(Value(rawValue: value).isKnown)
        }
        let stranger = Value(rawValue: unknown)
        #expect(!stranger.isKnown)
        let json = try jsonText([stranger])
        #expect(try jsonText(try decode([Value].self, from: json)) == json)
        #expect(try decode([Value].self, from: json) == [stranger])
        #expect(stranger.description == unknown.description)
    }

    /// The lists were printed from the enumerations of `app-store-server-library` 3.1.2 for Python; free subscriptions are ours.
    @Test("Each type knows the values that Apple's library knows, and keeps all others")
    func knownValues() throws {
        let odd = "ÜNKNOWN\"\n\u{1F34E}"
        try check(WireEnvironment.self, knows: "Sandbox", "Production", "Xcode", "LocalTesting", but: "production")
        try check(
            ProductKind.self, knows: "Auto-Renewable Subscription", "Non-Consumable", "Consumable",
            "Non-Renewing Subscription",
            "Free Subscription", but: "Song")
        try check(OwnershipType.self, knows: "FAMILY_SHARED", "PURCHASED", but: odd)
        try check(TransactionReason.self, knows: "PURCHASE", "RENEWAL", but: "")
        try check(OfferType.self, knows: 1, 2, 3, 4, but: 5)
        try check(OfferDiscountType.self, knows: "FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME", but: odd)
        try check(RevocationReason.self, knows: 1, 0, but: -1)
        try check(
            RefundRequestReason.self, knows: "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE",
            "LEGAL", "OTHER", but: "other")
        try check(
            ConsumptionDeliveryStatus.self, knows: "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM",
            "UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER", but: odd)
        try check(ConsumptionRefundPreference.self, knows: "DECLINE", "GRANT_FULL", "GRANT_PRORATED", but: "")
        try check(RevocationType.self, knows: "REFUND_FULL", "REFUND_PRORATED", "FAMILY_REVOKE", but: odd)
        try check(BillingPlanType.self, knows: "BILLED_UPFRONT", "MONTHLY", but: "WEEKLY")
        try check(AutoRenewStatus.self, knows: 0, 1, but: 2)
        try check(ExtendReasonCode.self, knows: 0, 1, 2, 3, but: 4)
        try check(ExpirationIntent.self, knows: 1, 2, 3, 4, 5, but: Int.max)
        try check(PriceIncreaseStatus.self, knows: 0, 1, but: Int.min)
        try check(OriginalPlatform.self, knows: "iOS", "macOS", "tvOS", "visionOS", but: "Linux")
    }

    @Test("X3: What notifications tell, and what came of sending them, are the values of Apple's library")
    func notificationValues() throws {
        let odd = "did_renew"
        try check(
            NotificationType.self, knows: "SUBSCRIBED", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS",
            "OFFER_REDEEMED", "DID_RENEW", "EXPIRED", "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "PRICE_INCREASE",
            "REFUND", "REFUND_DECLINED", "CONSUMPTION_REQUEST", "RENEWAL_EXTENDED", "REVOKE", "TEST",
            "RENEWAL_EXTENSION", "REFUND_REVERSED", "EXTERNAL_PURCHASE_TOKEN", "ONE_TIME_CHARGE", "RESCIND_CONSENT",
            "METADATA_UPDATE", "MIGRATION", "PRICE_CHANGE",
            // Of Till's own, as its name says.
            "TILL_CONTENT_VERSION", but: odd)
        #expect(NotificationType.own.map(\.rawValue) == ["TILL_CONTENT_VERSION"])
        try check(
            NotificationSubtype.self, knows: "INITIAL_BUY", "RESUBSCRIBE", "DOWNGRADE", "UPGRADE", "AUTO_RENEW_ENABLED",
            "AUTO_RENEW_DISABLED", "VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "GRACE_PERIOD", "PENDING",
            "ACCEPTED", "BILLING_RECOVERY", "PRODUCT_NOT_FOR_SALE", "SUMMARY", "FAILURE", "UNREPORTED", but: odd)
        try check(
            SendAttemptResult.self, knows: "SUCCESS", "TIMED_OUT", "TLS_ISSUE", "CIRCULAR_REDIRECT", "NO_RESPONSE",
            "SOCKET_ISSUE", "UNSUPPORTED_CHARSET", "INVALID_RESPONSE", "PREMATURE_CLOSE",
            "UNSUCCESSFUL_HTTP_RESPONSE_CODE", "OTHER", but: odd)
        try check(WireSubscriptionStatus.self, knows: 1, 2, 3, 4, 5, but: 0)
    }

    @Test("The words of /device/v1 are those that devices of every version know")
    func deviceValues() throws {
        try check(
            PurchaseState.self, knows: "sign-in", "confirmation", "interrupted", "processing", "action", "purchased",
            "declined", "cancelled", "failed", "deferred", but: "postponed")
        try check(WireWord<OfferKind>.self, knows: "introductory", "promotional", "code", "win_back", but: "gift")
        try check(WireWord<OfferPaymentMode>.self, knows: "free", "pay_as_you_go", "pay_up_front", but: "one_time")
        try check(OfferEligibility.self, knows: "new", "existing", "expired", but: "NEW")
        try check(VisitState.self, knows: "open", "closed", "bought", "chosen", "expired", but: "CLOSED")
        try check(
            CustomerEventKind.self, knows: "transaction", "revocation", "purchase", "forgotten", "price-consent",
            "subscription", but: "message")
    }

    @Test("Only the two environments of a store are environments; local tests and other names are none (P3)")
    func environments() {
        #expect(WireEnvironment.production.environment == .production)
        #expect(WireEnvironment.sandbox.environment == .sandbox)
        #expect(WireEnvironment.xcode.environment == nil)
        #expect(WireEnvironment.localTesting.environment == nil)
        #expect(WireEnvironment(rawValue: "sandbox").environment == nil)
        for environment in StoreEnvironment.allCases {
            #expect(WireEnvironment(environment).environment == environment)
        }
    }

    @Test("Codes of currencies and storefronts lead to what is known of them")
    func codes() {
        #expect(CurrencyCode(.usd).rawValue == "USD")
        #expect(CurrencyCode(rawValue: "JPY").currency == .jpy)
        #expect(CurrencyCode(rawValue: "JPY").isKnown)
        #expect(CurrencyCode(rawValue: "QQQ").currency == nil)
        #expect(!CurrencyCode(rawValue: "QQQ").isKnown)
        #expect(CurrencyCode.known.count == Currency.all.count)
        #expect(StorefrontRecord.storefront(alpha2: "DE").map(StorefrontCode.init)?.rawValue == "DEU")
        #expect(StorefrontCode.known.count == 175)
    }

    @Test("A value of the wrong JSON type is refused")
    func wrongType() {
        #expect(throws: DecodingError.self) { try decode([OfferType].self, from: "[\"1\"]") }
        #expect(throws: DecodingError.self) { try decode([OfferType].self, from: "[1.5]") }
        #expect(throws: DecodingError.self) { try decode([OwnershipType].self, from: "[1]") }
        #expect(throws: DecodingError.self) { try decode([OwnershipType].self, from: "[null]") }
    }
}
