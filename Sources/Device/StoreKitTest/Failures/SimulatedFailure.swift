import StoreKit

/// The error that a test lets a call of StoreKit fail with.
struct SimulatedFailure: Hashable, Sendable {
    /// A value of the call's failures.
    let failure: any ThrownFailure

    var thrown: any Error { failure.thrown }

    init(_ failure: any ThrownFailure) { self.failure = failure }

    /// The failure that a file lets a call have.
    ///
    /// - Parameter code: nil for the usual one, which also stands for one that the call does not have.
    init(_ call: FailableCall, _ code: _SKTestFailureCode?) {
        func found<API: NamedAPI>(_ api: API.Type) -> any ThrownFailure {
            code.flatMap(API.Failure.init(_fromErrorCode:)) ?? API.usualFailure
        }
        failure = found(Self.api(of: call))
    }

    static func == (one: SimulatedFailure, other: SimulatedFailure) -> Bool {
        type(of: one.failure) == type(of: other.failure) && one.failure._errorCode == other.failure._errorCode
    }

    func hash(into hasher: inout Hasher) { hasher.combine(failure._errorCode) }

    private static func api(of call: FailableCall) -> any NamedAPI.Type {
        switch call {
        case .loadProducts: StoreKitLoadProductsAPI.self
        case .purchase: StoreKitPurchaseAPI.self
        case .verification: StoreKitVerificationAPI.self
        case .appStoreSync: StoreKitAppStoreSyncAPI.self
        case .subscriptionStatus: StoreKitSubscriptionStatusAPI.self
        case .appTransaction: StoreKitAppTransactionAPI.self
        case .manageSubscriptions: StoreKitManageSubscriptionsAPI.self
        case .refundRequest: StoreKitRefundRequestAPI.self
        case .offerCodeRedeem: StoreKitOfferCodeRedeemAPI.self
        }
    }

    // MARK: In the words of the original API

    /// The failure of a purchase that stands for an error of the original API.
    init(purchase code: SKError.Code) {
        let error: Product.PurchaseError? =
            switch code {
            case .invalidOfferIdentifier: .invalidOfferIdentifier
            case .invalidSignature: .invalidOfferSignature
            case .missingOfferParams: .missingOfferParameters
            case .invalidOfferPrice: .invalidOfferPrice
            case .ineligibleForOffer: .ineligibleForOffer
            case .storeProductNotAvailable: .productUnavailable
            case .paymentNotAllowed: .purchaseNotAllowed
            case .paymentInvalid: .invalidQuantity
            default: nil
            }
        if let error {
            self.init(SKTestFailures.Purchase.purchase(error))
        } else {
            self.init(SKTestFailures.Purchase.generic(code == .paymentCancelled ? .userCancelled : .unknown))
        }
    }

    /// What the original API says of it.
    var originalCode: SKError.Code {
        switch thrown {
        case let error as Product.PurchaseError:
            switch error {
            case .invalidQuantity: .paymentInvalid
            case .productUnavailable: .storeProductNotAvailable
            case .purchaseNotAllowed: .paymentNotAllowed
            case .ineligibleForOffer: .ineligibleForOffer
            case .invalidOfferIdentifier: .invalidOfferIdentifier
            case .invalidOfferPrice: .invalidOfferPrice
            case .invalidOfferSignature: .invalidSignature
            case .missingOfferParameters: .missingOfferParams
            }
        case StoreKitError.userCancelled: .paymentCancelled
        case StoreKitError.notAvailableInStorefront: .storeProductNotAvailable
        default: .unknown
        }
    }
}
