/// A customer's download of an app, as the store signs it: `AppTransaction` of StoreKit and of the App Store Server
/// API.
///
/// The environment stands under the key `receiptType`.
public struct AppTransactionPayload: Codable, Hashable, Sendable {
    /// The environment it was made in.
    public var receiptType: WireEnvironment
    /// The app.
    public var bundleId: BundleID
    /// The version of the app that is installed.
    public var applicationVersion: String
    /// The version that was downloaded first; 1.0 in the sandbox.
    public var originalApplicationVersion: String
    /// When the app was downloaded first.
    public var originalPurchaseDate: Instant
    /// When the payload was signed.
    public var receiptCreationDate: Instant
    /// The number of the app; absent in the sandbox.
    public var appAppleId: AppID?
    /// The number of the version.
    public var versionExternalIdentifier: AppVersionID?
    /// When the device asked for it.
    public var requestDate: Instant?
    /// When the app was ordered before it appeared.
    public var preorderDate: Instant?
    /// Base64 that ties the payload to a device; only in payloads that a device received.
    public var deviceVerification: String?
    /// The UUID hashed into the verification.
    public var deviceVerificationNonce: DeviceVerificationNonce?
    /// The id of the download.
    public var appTransactionId: AppTransactionID?
    /// The platform on which the app was downloaded first.
    public var originalPlatform: OriginalPlatform?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        receiptType: WireEnvironment,
        bundleId: BundleID,
        applicationVersion: String,
        originalApplicationVersion: String,
        originalPurchaseDate: Instant,
        receiptCreationDate: Instant,
        appAppleId: AppID? = nil,
        versionExternalIdentifier: AppVersionID? = nil,
        requestDate: Instant? = nil,
        preorderDate: Instant? = nil,
        deviceVerification: String? = nil,
        deviceVerificationNonce: DeviceVerificationNonce? = nil,
        appTransactionId: AppTransactionID? = nil,
        originalPlatform: OriginalPlatform? = nil
    ) {
        self.receiptType = receiptType
        self.bundleId = bundleId
        self.applicationVersion = applicationVersion
        self.originalApplicationVersion = originalApplicationVersion
        self.originalPurchaseDate = originalPurchaseDate
        self.receiptCreationDate = receiptCreationDate
        self.appAppleId = appAppleId
        self.versionExternalIdentifier = versionExternalIdentifier
        self.requestDate = requestDate
        self.preorderDate = preorderDate
        self.deviceVerification = deviceVerification
        self.deviceVerificationNonce = deviceVerificationNonce
        self.appTransactionId = appTransactionId
        self.originalPlatform = originalPlatform
    }
}
