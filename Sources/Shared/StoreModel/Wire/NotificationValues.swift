/// What a notification to a developer's server tells: `notificationType` of App Store Server Notifications V2.
public struct NotificationType: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A subscription of a group began, or began again.
    public static let subscribed = NotificationType(rawValue: "SUBSCRIBED")
    /// The customer changed what the subscription is of, or what it renews as.
    public static let didChangeRenewalPreference = NotificationType(rawValue: "DID_CHANGE_RENEWAL_PREF")
    /// The subscription was set to renew, or not to renew.
    public static let didChangeRenewalStatus = NotificationType(rawValue: "DID_CHANGE_RENEWAL_STATUS")
    /// The customer took an offer for the subscription that runs.
    public static let offerRedeemed = NotificationType(rawValue: "OFFER_REDEEMED")
    /// Another period was paid.
    public static let didRenew = NotificationType(rawValue: "DID_RENEW")
    /// The subscription is over.
    public static let expired = NotificationType(rawValue: "EXPIRED")
    /// The next period could not be paid.
    public static let didFailToRenew = NotificationType(rawValue: "DID_FAIL_TO_RENEW")
    /// The grace period is over, and the store goes on trying to charge.
    public static let gracePeriodExpired = NotificationType(rawValue: "GRACE_PERIOD_EXPIRED")
    /// The customer was told of a higher price, or agreed to it.
    public static let priceIncrease = NotificationType(rawValue: "PRICE_INCREASE")
    /// The customer has money back for a purchase.
    public static let refund = NotificationType(rawValue: "REFUND")
    /// The store declined to refund a purchase.
    public static let refundDeclined = NotificationType(rawValue: "REFUND_DECLINED")
    /// A refund was taken back after a dispute.
    public static let refundReversed = NotificationType(rawValue: "REFUND_REVERSED")
    /// The customer asked for a refund, and the developer may say what was consumed.
    public static let consumptionRequest = NotificationType(rawValue: "CONSUMPTION_REQUEST")
    /// The date on which one subscription renews was moved.
    public static let renewalExtended = NotificationType(rawValue: "RENEWAL_EXTENDED")
    /// The renewal dates of all subscriptions of a product are being moved.
    public static let renewalExtension = NotificationType(rawValue: "RENEWAL_EXTENSION")
    /// Somebody in a family lost what was shared.
    public static let revoke = NotificationType(rawValue: "REVOKE")
    /// The developer asked for a notification.
    public static let test = NotificationType(rawValue: "TEST")
    /// A purchase outside the store was not reported; this store never sends it.
    public static let externalPurchaseToken = NotificationType(rawValue: "EXTERNAL_PURCHASE_TOKEN")
    /// Something was bought that does not renew.
    public static let oneTimeCharge = NotificationType(rawValue: "ONE_TIME_CHARGE")
    /// A guardian withdrew the consent to a child's use of the app.
    public static let rescindConsent = NotificationType(rawValue: "RESCIND_CONSENT")
    /// Of Advanced Commerce; this store never sends it.
    public static let metadataUpdate = NotificationType(rawValue: "METADATA_UPDATE")
    /// Of Advanced Commerce; this store never sends it.
    public static let migration = NotificationType(rawValue: "MIGRATION")
    /// Of Advanced Commerce; this store never sends it.
    public static let priceChange = NotificationType(rawValue: "PRICE_CHANGE")
    /// A new version of hosted content is delivered. It is of Till's own; Apple's store never sends it.
    public static let contentVersion = NotificationType(rawValue: "TILL_CONTENT_VERSION")

    /// The values that this version knows.
    public static let known: Set<NotificationType> = [
        .subscribed, .didChangeRenewalPreference, .didChangeRenewalStatus, .offerRedeemed, .didRenew, .expired,
        .didFailToRenew, .gracePeriodExpired, .priceIncrease, .refund, .refundDeclined, .refundReversed,
        .consumptionRequest, .renewalExtended, .renewalExtension, .revoke, .test, .externalPurchaseToken,
        .oneTimeCharge, .rescindConsent, .metadataUpdate, .migration, .priceChange, .contentVersion,
    ]

    /// Those of Till's own, which no receiver for Apple's store knows: only who names them gets them.
    public static let own: Set<NotificationType> = [.contentVersion]
}

/// What a notification tells more exactly, where its type has several forms: `subtype`.
public struct NotificationSubtype: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// For the first time in the group.
    public static let initialBuy = NotificationSubtype(rawValue: "INITIAL_BUY")
    /// Again, after an end.
    public static let resubscribe = NotificationSubtype(rawValue: "RESUBSCRIBE")
    /// To a lower service, or another period, at the next renewal.
    public static let downgrade = NotificationSubtype(rawValue: "DOWNGRADE")
    /// To a higher service, at once.
    public static let upgrade = NotificationSubtype(rawValue: "UPGRADE")
    /// It renews again.
    public static let autoRenewEnabled = NotificationSubtype(rawValue: "AUTO_RENEW_ENABLED")
    /// It does not renew any more.
    public static let autoRenewDisabled = NotificationSubtype(rawValue: "AUTO_RENEW_DISABLED")
    /// The customer did not let it renew.
    public static let voluntary = NotificationSubtype(rawValue: "VOLUNTARY")
    /// The store gave up trying to charge.
    public static let billingRetry = NotificationSubtype(rawValue: "BILLING_RETRY")
    /// The customer did not consent to a higher price.
    public static let priceIncrease = NotificationSubtype(rawValue: "PRICE_INCREASE")
    /// The customer keeps the service for a while.
    public static let gracePeriod = NotificationSubtype(rawValue: "GRACE_PERIOD")
    /// The customer has not answered.
    public static let pending = NotificationSubtype(rawValue: "PENDING")
    /// The customer agreed, or did not have to.
    public static let accepted = NotificationSubtype(rawValue: "ACCEPTED")
    /// What could not be paid was paid at last.
    public static let billingRecovery = NotificationSubtype(rawValue: "BILLING_RECOVERY")
    /// The product was not sold when it was to renew.
    public static let productNotForSale = NotificationSubtype(rawValue: "PRODUCT_NOT_FOR_SALE")
    /// All are done.
    public static let summary = NotificationSubtype(rawValue: "SUMMARY")
    /// One could not be done.
    public static let failure = NotificationSubtype(rawValue: "FAILURE")
    /// Of purchases outside the store.
    public static let unreported = NotificationSubtype(rawValue: "UNREPORTED")

    /// The values that this version knows.
    public static let known: Set<NotificationSubtype> = [
        .initialBuy, .resubscribe, .downgrade, .upgrade, .autoRenewEnabled, .autoRenewDisabled, .voluntary,
        .billingRetry, .priceIncrease, .gracePeriod, .pending, .accepted, .billingRecovery, .productNotForSale,
        .summary, .failure, .unreported,
    ]
}

/// What a notification tells in the older form: `notification_type` of App Store Server Notifications V1.
public struct NotificationTypeV1: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A subscription was bought for the first time.
    public static let initialBuy = NotificationTypeV1(rawValue: "INITIAL_BUY")
    /// The customer bought another period, or another plan.
    public static let interactiveRenewal = NotificationTypeV1(rawValue: "INTERACTIVE_RENEWAL")
    /// Another period was paid.
    public static let didRenew = NotificationTypeV1(rawValue: "DID_RENEW")
    /// What could not be paid was paid at last.
    public static let didRecover = NotificationTypeV1(rawValue: "DID_RECOVER")
    /// The next period could not be paid.
    public static let didFailToRenew = NotificationTypeV1(rawValue: "DID_FAIL_TO_RENEW")
    /// The customer changed what the subscription renews as.
    public static let didChangeRenewalPreference = NotificationTypeV1(rawValue: "DID_CHANGE_RENEWAL_PREF")
    /// The subscription was set to renew, or not to renew.
    public static let didChangeRenewalStatus = NotificationTypeV1(rawValue: "DID_CHANGE_RENEWAL_STATUS")
    /// A subscription was taken back, or an upgrade took its place.
    public static let cancel = NotificationTypeV1(rawValue: "CANCEL")
    /// The customer has money back for a purchase that does not renew.
    public static let refund = NotificationTypeV1(rawValue: "REFUND")
    /// Somebody in a family lost what was shared.
    public static let revoke = NotificationTypeV1(rawValue: "REVOKE")
    /// The customer asked for a refund of a consumable.
    public static let consumptionRequest = NotificationTypeV1(rawValue: "CONSUMPTION_REQUEST")
    /// The customer was told of a higher price that needs consent.
    public static let priceIncreaseConsent = NotificationTypeV1(rawValue: "PRICE_INCREASE_CONSENT")

    /// The values that this version knows.
    public static let known: Set<NotificationTypeV1> = [
        .initialBuy, .interactiveRenewal, .didRenew, .didRecover, .didFailToRenew, .didChangeRenewalPreference,
        .didChangeRenewalStatus, .cancel, .refund, .revoke, .consumptionRequest, .priceIncreaseConsent,
    ]
}

/// What came of an attempt to send a notification: `sendAttemptResult` of the App Store Server API.
public struct SendAttemptResult: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The server has it.
    public static let success = SendAttemptResult(rawValue: "SUCCESS")
    /// There was no answer in time.
    public static let timedOut = SendAttemptResult(rawValue: "TIMED_OUT")
    /// There was no secure connection.
    public static let tlsIssue = SendAttemptResult(rawValue: "TLS_ISSUE")
    /// The server sends on to itself.
    public static let circularRedirect = SendAttemptResult(rawValue: "CIRCULAR_REDIRECT")
    /// The connection ended before an answer.
    public static let noResponse = SendAttemptResult(rawValue: "NO_RESPONSE")
    /// There was no connection.
    public static let socketIssue = SendAttemptResult(rawValue: "SOCKET_ISSUE")
    /// The answer is in characters that are not supported.
    public static let unsupportedCharset = SendAttemptResult(rawValue: "UNSUPPORTED_CHARSET")
    /// What came is no HTTP.
    public static let invalidResponse = SendAttemptResult(rawValue: "INVALID_RESPONSE")
    /// The connection ended within the answer.
    public static let prematureClose = SendAttemptResult(rawValue: "PREMATURE_CLOSE")
    /// The answer has another status than 200 to 206.
    public static let unsuccessfulResponseCode = SendAttemptResult(rawValue: "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
    /// Any other reason.
    public static let other = SendAttemptResult(rawValue: "OTHER")

    /// The values that this version knows.
    public static let known: Set<SendAttemptResult> = [
        .success, .timedOut, .tlsIssue, .circularRedirect, .noResponse, .socketIssue, .unsupportedCharset,
        .invalidResponse, .prematureClose, .unsuccessfulResponseCode, .other,
    ]
}
