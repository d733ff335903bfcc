public import Foundation

/// The customer's download of the app, as the store signed it.
public struct AppTransaction: Sendable {
    let content: AppTransactionContent

    /// Reads what the store signed, whether it is good or not.
    package init(signed jws: String) {
        self.init(SignedText(jws))
    }

    init(_ signed: SignedText) {
        content = AppTransactionContent(signed)
    }

    var signed: SignedText { content.signed }

    /// The payload as the store signed it.
    public var jsonRepresentation: Data { Data(content.signed.payload) }

    /// The number of the app; nil in the sandbox.
    public var appID: UInt64? { content.appID }

    /// The version of the app that is installed.
    public var appVersion: String { content.appVersion }

    /// The number of that version; nil in the sandbox.
    public var appVersionID: UInt64? { content.appVersionID }

    /// The app.
    public var bundleID: String { content.bundleID }

    /// The environment of the store that it was made in.
    public var environment: AppStore.Environment { content.environment }

    /// The version of the app that was got first; `1.0` in the sandbox.
    public var originalAppVersion: String { content.originalAppVersion }

    /// When the app was got first.
    public var originalPurchaseDate: Date { content.originalPurchaseDate }

    /// When the app was ordered, before it appeared.
    public var preorderDate: Date? { content.preorderDate }

    /// The number of the download, which stays the same as long as the customer does.
    public var appTransactionID: String { content.appTransactionID }

    /// The platform on which the app was got first.
    public var originalPlatform: AppStore.Platform { content.originalPlatform }

    /// The platform on which the app was got first, as the store writes it.
    public var originalPlatformStringRepresentation: String { content.originalPlatform.rawValue }

    /// When the download was taken back.
    public var revocationDate: Date? { content.revocationDate }

    /// Ties it to the device that got it.
    public var deviceVerification: Data { content.deviceVerification }

    /// What ``deviceVerification`` was made with.
    public var deviceVerificationNonce: UUID { content.deviceVerificationNonce }

    /// When the store signed it.
    public var signedDate: Date { content.signedDate }
}

extension AppTransaction: Equatable, Hashable {
    /// Whether both say the same.
    public static func == (first: AppTransaction, second: AppTransaction) -> Bool {
        first.content === second.content || first.signed == second.signed
    }

    /// Hashes what it says.
    public func hash(into hasher: inout Hasher) { hasher.combine(signed) }
}

extension AppTransaction: CustomDebugStringConvertible {
    /// The payload as text.
    public var debugDescription: String { signed.debugText }
}

/// What a signed download says, read once.
final class AppTransactionContent: Sendable {
    let signed: SignedText
    let isReadable: Bool
    /// Whether the payload has all that each of them has.
    let isComplete: Bool
    let appID: UInt64?
    let appVersion: String
    let appVersionID: UInt64?
    let bundleID: String
    let environment: AppStore.Environment
    let originalAppVersion: String
    let originalPurchaseDate: Date
    let preorderDate: Date?
    let appTransactionID: String
    let originalPlatform: AppStore.Platform
    let revocationDate: Date?
    let deviceVerification: Data
    let deviceVerificationNonce: UUID
    let signedDate: Date

    init(_ signed: SignedText) {
        self.signed = signed
        var claims = SignedClaims(signed.payload)
        // The sandbox may write 0 for an app that has no number.
        appID = claims.identifier("appAppleId").flatMap { $0 == 0 ? nil : $0 }
        appVersion = claims.required(claims.text("applicationVersion"), or: "")
        appVersionID = claims.identifier("versionExternalIdentifier").flatMap { $0 == 0 ? nil : $0 }
        bundleID = claims.required(claims.text("bundleId"), or: "")
        environment = .init(rawValue: claims.required(claims.text("receiptType"), or: ""))
        originalAppVersion = claims.required(claims.text("originalApplicationVersion"), or: "")
        originalPurchaseDate = claims.required(claims.date("originalPurchaseDate"), or: .missing)
        preorderDate = claims.date("preorderDate")
        appTransactionID = claims.identifierText("appTransactionId") ?? ""
        originalPlatform = .init(rawValue: claims.text("originalPlatform") ?? "")
        revocationDate = claims.date("revocationDate")
        deviceVerification = claims.data("deviceVerification") ?? Data()
        deviceVerificationNonce = claims.uuid("deviceVerificationNonce") ?? .missing
        signedDate = claims.required(claims.date("receiptCreationDate"), or: .missing)
        isReadable = claims.isReadable
        isComplete = claims.isComplete
    }
}
