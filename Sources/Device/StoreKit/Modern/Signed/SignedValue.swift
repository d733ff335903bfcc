import Foundation

/// What the store signs for an app: transactions, what comes after a period, the download of the app.
protocol SignedValue: Sendable {
    init(_ signed: SignedText)

    var signed: SignedText { get }
    /// Whether the payload is JSON.
    var isReadable: Bool { get }
    /// Whether the payload has all that each of them has.
    var isComplete: Bool { get }
    /// The app that it is of; nil where the payload does not say.
    var app: String? { get }
    var environment: AppStore.Environment { get }
    var deviceVerification: Data { get }
    var deviceVerificationNonce: UUID { get }
    var signedDate: Date { get }
}

extension Transaction: SignedValue {
    var app: String? { appBundleID }
}

extension Product.SubscriptionInfo.RenewalInfo: SignedValue {
    var isReadable: Bool { content.isReadable }
    var isComplete: Bool { content.isComplete }
    var app: String? { nil }
}

extension AppTransaction: SignedValue {
    var isReadable: Bool { content.isReadable }
    var isComplete: Bool { content.isComplete }
    var app: String? { bundleID }
}
