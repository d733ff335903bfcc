public import Foundation
import StoreFoundation

// What each error says to a person is in the language of the device; the texts of the original API serve where they mean the same.

extension StoreKitError: CustomDebugStringConvertible {
    /// The error with what it holds.
    public var debugDescription: String {
        switch self {
        case .unknown: "StoreKitError.unknown"
        case .userCancelled: "StoreKitError.userCancelled"
        case .networkError(let error): "StoreKitError.networkError(\(error))"
        case .systemError(let error): "StoreKitError.systemError(\(error))"
        case .notAvailableInStorefront: "StoreKitError.notAvailableInStorefront"
        case .notEntitled: "StoreKitError.notEntitled"
        case .unsupported: "StoreKitError.unsupported"
        }
    }
}

extension Product.PurchaseError: LocalizedError {
    /// What happened, in a sentence for the person before the screen.
    public var errorDescription: String? {
        switch self {
        case .invalidQuantity: CurrentSession.texts("error.quantity_out_of_range")
        case .productUnavailable: CurrentSession.texts("error.product_unavailable")
        case .purchaseNotAllowed: CurrentSession.texts("error.4")
        case .ineligibleForOffer: CurrentSession.texts("error.18")
        case .invalidOfferIdentifier: CurrentSession.texts("error.11")
        case .invalidOfferPrice: CurrentSession.texts("error.14")
        case .invalidOfferSignature: CurrentSession.texts("error.12")
        case .missingOfferParameters: CurrentSession.texts("error.13")
        }
    }

    /// Why it happened; nothing is known that the description does not say.
    public var failureReason: String? { nil }

    /// What can be done about it; nothing is known that the description does not say.
    public var recoverySuggestion: String? { nil }
}

extension VerificationResult.VerificationError: LocalizedError {
    /// What happened, in a sentence for the person before the screen.
    public var errorDescription: String? { CurrentSession.texts("error.unverified") }

    /// Why it happened, in English for logs.
    public var failureReason: String? {
        switch self {
        case .revokedCertificate: "A certificate of its chain was revoked."
        case .invalidCertificateChain: "Its certificates do not lead to a root of the app's provisioning profile."
        case .invalidDeviceVerification: "It was signed for another device."
        case .invalidEncoding: "It is no JWS with JSON in it."
        case .invalidSignature: "Its signature does not belong to what it says."
        case .missingRequiredProperties: "It lacks what it must say, or is of another app or environment."
        }
    }

    /// What can be done about it; nothing is known that the description does not say.
    public var recoverySuggestion: String? { nil }
}

extension Transaction {
    /// Why a refund was not requested.
    public enum RefundRequestError: Error, Equatable, Hashable, Sendable, LocalizedError {
        /// One was requested before.
        case duplicateRequest
        /// The request did not reach the store, or the store refused it.
        case failed

        /// What happened, in a sentence for the person before the screen.
        public var errorDescription: String? {
            switch self {
            case .duplicateRequest: CurrentSession.texts("error.refund_repeated")
            case .failed: CurrentSession.texts("error.refund_failed")
            }
        }

        /// Why it happened; nothing is known that the description does not say.
        public var failureReason: String? { nil }

        /// What can be done about it; nothing is known that the description does not say.
        public var recoverySuggestion: String? { nil }
    }
}

extension PaymentMethodBinding.PaymentMethodBindingError: LocalizedError {
    /// What happened, in a sentence for the person before the screen.
    public var errorDescription: String? {
        switch self {
        case .notEligible: CurrentSession.texts("error.19")
        case .invalidPinningID: CurrentSession.texts("error.3")
        case .failed: CurrentSession.texts("error.other")
        }
    }
}
