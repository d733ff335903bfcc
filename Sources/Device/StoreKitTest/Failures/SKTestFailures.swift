public import StoreKit

/// An error that a test lets a call of StoreKit fail with.
public protocol SKTestFailure: Equatable, Sendable {
    /// The failure that a file names in this way; nil if the call has none of that name.
    init?(_fromErrorCode: _SKTestFailureCode)

    /// How files name the failure.
    var _errorCode: _SKTestFailureCode { get }
}

/// How a `.storekit` file names a failure: `{ "type": "generic", "index": 4 }`.
public struct _SKTestFailureCode: Hashable, Sendable {
    /// The name of the case of ``SKTestFailures``.
    let type: String
    /// The place of the error among those of its type.
    let index: Int
}

extension SKTestFailure {
    /// Whether two failures are of the same error, whatever it carries.
    public static func == (one: Self, other: Self) -> Bool { one._errorCode == other._errorCode }
}

/// A failure that can be thrown.
protocol ThrownFailure: SKTestFailure {
    /// What the call of StoreKit throws.
    var thrown: any Error { get }
}

/// The failures of each call of StoreKit that can fail.
public enum SKTestFailures {
    /// How loading products fails.
    public enum LoadProducts: SKTestFailure, GenericFailure {
        /// With an error of StoreKit.
        case generic(StoreKitError)
    }

    /// How a purchase fails.
    public enum Purchase: SKTestFailure, ThrownFailure {
        /// With an error of StoreKit; `userCancelled` makes it a purchase that the customer has cancelled.
        case generic(StoreKitError)
        /// With an error of purchases.
        case purchase(Product.PurchaseError)
    }

    /// Why what the store signed is not believed.
    public enum Verification: SKTestFailure, ThrownFailure {
        /// With an error of the verification.
        case verification(VerificationResult<Any>.VerificationError)
    }

    /// How `AppStore.sync()` fails.
    public enum AppStoreSync: SKTestFailure, GenericFailure {
        /// With an error of StoreKit.
        case generic(StoreKitError)
    }

    /// How asking for the status of subscriptions fails.
    public enum SubscriptionStatus: SKTestFailure, GenericFailure {
        /// With an error of StoreKit.
        case generic(StoreKitError)
    }

    /// How asking for the app transaction fails.
    public enum AppTransaction: SKTestFailure, GenericFailure {
        /// With an error of StoreKit.
        case generic(StoreKitError)
    }

    /// How showing the customer's subscriptions fails.
    public enum ManageSubscriptions: SKTestFailure, GenericFailure {
        /// With an error of StoreKit.
        case generic(StoreKitError)
    }

    /// How asking for a refund fails.
    public enum RefundRequest: SKTestFailure, ThrownFailure {
        /// With an error of StoreKit.
        case generic(StoreKitError)
        /// With an error of refunds.
        case refundRequest(Transaction.RefundRequestError)
    }

    /// How redeeming a code fails.
    public enum OfferCodeRedeem: SKTestFailure, GenericFailure {
        /// With an error of StoreKit.
        case generic(StoreKitError)
    }
}

/// A failure that an error of StoreKit alone can be.
protocol GenericFailure: ThrownFailure {
    static func generic(_ error: StoreKitError) -> Self
    var error: StoreKitError { get }
}

extension GenericFailure {
    var thrown: any Error { error }

    /// The failure that a file names in this way.
    public init?(_fromErrorCode code: _SKTestFailureCode) {
        guard let error = FailureNames.storeKit.error(code) else { return nil }
        self = .generic(error)
    }

    /// How files name the failure.
    public var _errorCode: _SKTestFailureCode { FailureNames.storeKit.code(of: error) }
}

extension SKTestFailures.LoadProducts {
    var error: StoreKitError {
        switch self {
        case .generic(let error): error
        }
    }
}
extension SKTestFailures.AppStoreSync {
    var error: StoreKitError {
        switch self {
        case .generic(let error): error
        }
    }
}
extension SKTestFailures.SubscriptionStatus {
    var error: StoreKitError {
        switch self {
        case .generic(let error): error
        }
    }
}
extension SKTestFailures.AppTransaction {
    var error: StoreKitError {
        switch self {
        case .generic(let error): error
        }
    }
}
extension SKTestFailures.ManageSubscriptions {
    var error: StoreKitError {
        switch self {
        case .generic(let error): error
        }
    }
}
extension SKTestFailures.OfferCodeRedeem {
    var error: StoreKitError {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.Purchase {
    /// The failure that a file names in this way.
    public init?(_fromErrorCode code: _SKTestFailureCode) {
        if let error = FailureNames.storeKit.error(code) {
            self = .generic(error)
        } else if let error = FailureNames.purchase.error(code) {
            self = .purchase(error)
        } else {
            return nil
        }
    }

    /// How files name the failure.
    public var _errorCode: _SKTestFailureCode {
        switch self {
        case .generic(let error): FailureNames.storeKit.code(of: error)
        case .purchase(let error): FailureNames.purchase.code(of: error)
        }
    }

    var thrown: any Error {
        switch self {
        case .generic(let error): error
        case .purchase(let error): error
        }
    }
}

extension SKTestFailures.Verification {
    /// The failure that a file names in this way.
    public init?(_fromErrorCode code: _SKTestFailureCode) {
        guard let error = FailureNames.verification.error(code) else { return nil }
        self = .verification(error)
    }

    /// How files name the failure.
    public var _errorCode: _SKTestFailureCode {
        switch self {
        case .verification(let error): FailureNames.verification.code(of: error)
        }
    }

    var thrown: any Error {
        switch self {
        case .verification(let error): error
        }
    }
}

extension SKTestFailures.RefundRequest {
    /// The failure that a file names in this way.
    public init?(_fromErrorCode code: _SKTestFailureCode) {
        if let error = FailureNames.storeKit.error(code) {
            self = .generic(error)
        } else if let error = FailureNames.refundRequest.error(code) {
            self = .refundRequest(error)
        } else {
            return nil
        }
    }

    /// How files name the failure.
    public var _errorCode: _SKTestFailureCode {
        switch self {
        case .generic(let error): FailureNames.storeKit.code(of: error)
        case .refundRequest(let error): FailureNames.refundRequest.code(of: error)
        }
    }

    var thrown: any Error {
        switch self {
        case .generic(let error): error
        case .refundRequest(let error): error
        }
    }
}
