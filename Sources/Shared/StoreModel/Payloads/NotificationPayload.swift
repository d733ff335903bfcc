/// What a developer's server is told, as the store signs it: `responseBodyV2DecodedPayload` of App Store Server
/// Notifications.
///
/// It has one of ``data``, ``summary`` and ``appData``. Fields that are nil are absent on the wire, never null.
public struct NotificationPayload: Codable, Hashable, Sendable {
    /// What happened.
    public var notificationType: NotificationType
    /// What happened, more exactly.
    public var subtype: NotificationSubtype?
    /// The id of the notification, the same in every attempt to deliver it.
    public var notificationUUID: NotificationID
    /// The version of the form.
    public var version: String
    /// When it was signed.
    public var signedDate: Instant
    /// What it is about: a purchase, or the app alone.
    public var data: NotificationData?
    /// What came of moving the renewal dates of all subscribers.
    public var summary: NotificationSummaryData?
    /// What it is about where that is a customer's download of the app.
    public var appData: NotificationAppData?

    /// The version of the form that this type has.
    public static let currentVersion = "2.0"

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        notificationType: NotificationType,
        subtype: NotificationSubtype? = nil,
        notificationUUID: NotificationID,
        version: String = NotificationPayload.currentVersion,
        signedDate: Instant,
        data: NotificationData? = nil,
        summary: NotificationSummaryData? = nil,
        appData: NotificationAppData? = nil
    ) {
        self.notificationType = notificationType
        self.subtype = subtype
        self.notificationUUID = notificationUUID
        self.version = version
        self.signedDate = signedDate
        self.data = data
        self.summary = summary
        self.appData = appData
    }
}

/// What a notification is about: `data`.
public struct NotificationData: Codable, Hashable, Sendable {
    /// The number of the app; absent in the sandbox.
    public var appAppleId: AppID?
    /// The app.
    public var bundleId: BundleID
    /// The version of the app that the customer has.
    public var bundleVersion: String?
    /// The environment it happened in.
    public var environment: WireEnvironment
    /// The transaction, as a JWS of ``TransactionPayload``.
    public var signedTransactionInfo: String?
    /// What comes after the period, as a JWS of ``RenewalInfoPayload``; auto-renewable subscriptions only.
    public var signedRenewalInfo: String?
    /// How the subscription stands; auto-renewable subscriptions only.
    public var status: WireSubscriptionStatus?
    /// Why the customer asked for a refund.
    public var consumptionRequestReason: RefundRequestReason?
    /// The version of hosted content that is new; of Till's own.
    public var hostedContent: NotificationContentData?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        appAppleId: AppID? = nil,
        bundleId: BundleID,
        bundleVersion: String? = nil,
        environment: WireEnvironment,
        signedTransactionInfo: String? = nil,
        signedRenewalInfo: String? = nil,
        status: WireSubscriptionStatus? = nil,
        consumptionRequestReason: RefundRequestReason? = nil,
        hostedContent: NotificationContentData? = nil
    ) {
        self.appAppleId = appAppleId
        self.bundleId = bundleId
        self.bundleVersion = bundleVersion
        self.environment = environment
        self.signedTransactionInfo = signedTransactionInfo
        self.signedRenewalInfo = signedRenewalInfo
        self.status = status
        self.consumptionRequestReason = consumptionRequestReason
        self.hostedContent = hostedContent
    }
}

/// A version of hosted content that an environment delivers from now on: `hostedContent`, of Till's own.
public struct NotificationContentData: Codable, Hashable, Sendable {
    /// The product.
    public var productId: ProductID
    /// The version, which is above all that were delivered before.
    public var contentVersion: ContentVersion
    /// How many bytes a download of it has.
    public var contentLength: Int64

    /// Makes one from its fields.
    public init(productId: ProductID, contentVersion: ContentVersion, contentLength: Int64) {
        self.productId = productId
        self.contentVersion = contentVersion
        self.contentLength = contentLength
    }
}

/// What came of moving the renewal dates of all subscribers of a product: `summary`.
public struct NotificationSummaryData: Codable, Hashable, Sendable {
    /// The environment it happened in.
    public var environment: WireEnvironment
    /// The number of the app; absent in the sandbox.
    public var appAppleId: AppID?
    /// The app.
    public var bundleId: BundleID
    /// The product.
    public var productId: ProductID
    /// The name that the request had.
    public var requestIdentifier: String
    /// The storefronts that were named; absent for all.
    public var storefrontCountryCodes: [StorefrontCode]?
    /// How many subscriptions were extended.
    public var succeededCount: Int
    /// How many could not be.
    public var failedCount: Int

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        environment: WireEnvironment,
        appAppleId: AppID? = nil,
        bundleId: BundleID,
        productId: ProductID,
        requestIdentifier: String,
        storefrontCountryCodes: [StorefrontCode]? = nil,
        succeededCount: Int,
        failedCount: Int
    ) {
        self.environment = environment
        self.appAppleId = appAppleId
        self.bundleId = bundleId
        self.productId = productId
        self.requestIdentifier = requestIdentifier
        self.storefrontCountryCodes = storefrontCountryCodes
        self.succeededCount = succeededCount
        self.failedCount = failedCount
    }
}

/// The download of an app that a notification is about: `appData`.
public struct NotificationAppData: Codable, Hashable, Sendable {
    /// The number of the app; absent in the sandbox.
    public var appAppleId: AppID?
    /// The app.
    public var bundleId: BundleID
    /// The environment it happened in.
    public var environment: WireEnvironment
    /// The download, as a JWS of ``AppTransactionPayload``.
    public var signedAppTransactionInfo: String

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        appAppleId: AppID? = nil, bundleId: BundleID, environment: WireEnvironment, signedAppTransactionInfo: String
    ) {
        self.appAppleId = appAppleId
        self.bundleId = bundleId
        self.environment = environment
        self.signedAppTransactionInfo = signedAppTransactionInfo
    }
}
