package import StoreModel

/// What an app receipt says: which app, which device, and what was bought.
package struct AppReceipt: Hashable, Sendable {
    package var type: ReceiptType
    package var bundleID: String
    /// `CFBundleVersion` of the app.
    package var applicationVersion: String
    /// When the receipt was made; its certificates are judged at this moment.
    package var creationDate: Instant
    /// The app's numeric store id; 0 in the sandbox.
    package var appID: Int64
    package var downloadID: Int64
    package var versionExternalIdentifier: Int64
    /// 16 random bytes that go into the device hash.
    package var opaqueValue: [UInt8]
    /// Ties the receipt to one device, see ``DeviceHash``.
    package var deviceHash: [UInt8]
    package var ageRating: String
    package var originalPurchaseDate: Instant?
    package var originalApplicationVersion: String?
    /// Volume purchases only.
    package var expirationDate: Instant?
    package var preorderDate: Instant?
    package var purchases: [PurchaseReceipt]
    /// Attributes that have no name here, in the order in which they were found.
    package var otherAttributes: [ReceiptAttribute] = []

    /// A receipt without purchases.
    package init(
        type: ReceiptType, bundleID: String, applicationVersion: String, creationDate: Instant, appID: Int64 = 0,
        opaqueValue: [UInt8], deviceHash: [UInt8]
    ) {
        self.type = type
        self.bundleID = bundleID
        self.applicationVersion = applicationVersion
        self.creationDate = creationDate
        self.appID = appID
        downloadID = 0
        versionExternalIdentifier = 0
        self.opaqueValue = opaqueValue
        self.deviceHash = deviceHash
        ageRating = "4+"
        purchases = []
    }

    /// Whether the receipt was made for the device with this identifier.
    package func belongs(toDevice identifier: [UInt8]) throws -> Bool {
        let expected = try DeviceHash.compute(identifier: identifier, opaqueValue: opaqueValue, bundleID: bundleID)
        return expected == deviceHash
    }
}
