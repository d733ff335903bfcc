import StoreKit

/// A call of StoreKit that a test may let fail.
public protocol FailableStoreKitAPI<Failure>: Sendable {
    /// How the call fails.
    associatedtype Failure: SKTestFailure
}

/// What a call is known by within.
protocol NamedAPI: FailableStoreKitAPI where Failure: ThrownFailure {
    static var call: FailableCall { get }
    /// What it fails with where a file does not say it.
    static var usualFailure: Failure { get }
}

extension NamedAPI where Failure: GenericFailure {
    static var usualFailure: Failure { .generic(.unknown) }
}

/// Loading products: `Product.products(for:)`, `SKProductsRequest`.
public struct StoreKitLoadProductsAPI: FailableStoreKitAPI, NamedAPI {
    /// How it fails.
    public typealias Failure = SKTestFailures.LoadProducts
    static let call = FailableCall.loadProducts

    /// Names the call.
    public init() {}
}

/// Buying: `Product.purchase(options:)`, `SKPaymentQueue.add(_:)`.
public struct StoreKitPurchaseAPI: FailableStoreKitAPI, NamedAPI {
    /// How it fails.
    public typealias Failure = SKTestFailures.Purchase
    static let call = FailableCall.purchase
    static var usualFailure: Failure { .generic(.unknown) }

    /// Names the call.
    public init() {}
}

/// Verifying what the store signed: every `VerificationResult`.
public struct StoreKitVerificationAPI: FailableStoreKitAPI, NamedAPI {
    /// How it fails.
    public typealias Failure = SKTestFailures.Verification
    static let call = FailableCall.verification
    static var usualFailure: Failure { .verification(.invalidSignature) }

    /// Names the call.
    public init() {}
}

/// `AppStore.sync()`.
public struct StoreKitAppStoreSyncAPI: FailableStoreKitAPI, NamedAPI {
    /// How it fails.
    public typealias Failure = SKTestFailures.AppStoreSync
    static let call = FailableCall.appStoreSync

    /// Names the call.
    public init() {}
}

/// Asking for the status of subscriptions: `Product.SubscriptionInfo.status`.
public struct StoreKitSubscriptionStatusAPI: FailableStoreKitAPI, NamedAPI {
    /// How it fails.
    public typealias Failure = SKTestFailures.SubscriptionStatus
    static let call = FailableCall.subscriptionStatus

    /// Names the call.
    public init() {}
}

/// Asking for the app transaction: `AppTransaction.shared`, `AppTransaction.refresh()`.
public struct StoreKitAppTransactionAPI: FailableStoreKitAPI, NamedAPI {
    /// How it fails.
    public typealias Failure = SKTestFailures.AppTransaction
    static let call = FailableCall.appTransaction

    /// Names the call.
    public init() {}
}

/// Showing the customer's subscriptions: `AppStore.showManageSubscriptions`.
public struct StoreKitManageSubscriptionsAPI: FailableStoreKitAPI, NamedAPI {
    /// How it fails.
    public typealias Failure = SKTestFailures.ManageSubscriptions
    static let call = FailableCall.manageSubscriptions

    /// Names the call.
    public init() {}
}

/// Asking for a refund: `Transaction.beginRefundRequest`.
public struct StoreKitRefundRequestAPI: FailableStoreKitAPI, NamedAPI {
    /// How it fails.
    public typealias Failure = SKTestFailures.RefundRequest
    static let call = FailableCall.refundRequest
    static var usualFailure: Failure { .generic(.unknown) }

    /// Names the call.
    public init() {}
}

/// Redeeming a code: `AppStore.presentOfferCodeRedeemSheet`.
public struct StoreKitOfferCodeRedeemAPI: FailableStoreKitAPI, NamedAPI {
    /// How it fails.
    public typealias Failure = SKTestFailures.OfferCodeRedeem
    static let call = FailableCall.offerCodeRedeem

    /// Names the call.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitLoadProductsAPI {
    /// Loading products.
    public static var loadProducts: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitPurchaseAPI {
    /// Buying.
    public static var purchase: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitVerificationAPI {
    /// Verifying what the store signed.
    public static var verification: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitAppStoreSyncAPI {
    /// Bringing back what was bought.
    public static var appStoreSync: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitSubscriptionStatusAPI {
    /// Asking for the status of subscriptions.
    public static var subscriptionStatus: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitAppTransactionAPI {
    /// Asking for the app transaction.
    public static var appTransaction: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitManageSubscriptionsAPI {
    /// Showing the customer's subscriptions.
    public static var manageSubscriptions: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitRefundRequestAPI {
    /// Asking for a refund.
    public static var refundRequest: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitOfferCodeRedeemAPI {
    /// Redeeming a code.
    public static var offerCodeRedeem: Self { Self() }
}
