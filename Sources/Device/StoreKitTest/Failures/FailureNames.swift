import Foundation
import StoreKit

/// The errors of one type in the order in which `.storekit` files count them.
struct FailureNames<Failed: Error & Sendable>: Sendable {
    let type: String
    private let errors: [Failed]
    private let isSame: @Sendable (Failed, Failed) -> Bool

    func error(_ code: _SKTestFailureCode) -> Failed? {
        code.type == type && errors.indices.contains(code.index) ? errors[code.index] : nil
    }

    func code(of error: Failed) -> _SKTestFailureCode {
        _SKTestFailureCode(type: type, index: errors.firstIndex { isSame($0, error) } ?? 0)
    }
}

extension FailureNames where Failed: Equatable {
    init(_ type: String, _ errors: [Failed]) { self.init(type: type, errors: errors) { $0 == $1 } }
}

extension FailureNames where Failed == StoreKitError {
    /// What errors carry is not in the file.
    static let storeKit = FailureNames(
        type: "generic",
        errors: [
            .unknown, .userCancelled, .networkError(URLError(.notConnectedToInternet)),
            .systemError(StoreKitError.unknown), .notAvailableInStorefront, .notEntitled, .unsupported,
        ]
    ) { one, other in
        switch (one, other) {
        case (.unknown, .unknown), (.userCancelled, .userCancelled), (.networkError, .networkError),
            (.systemError, .systemError), (.notAvailableInStorefront, .notAvailableInStorefront),
            (.notEntitled, .notEntitled), (.unsupported, .unsupported):
            true
        default: false
        }
    }
}

extension FailureNames where Failed == Product.PurchaseError {
    static let purchase = FailureNames(
        "purchase",
        [
            .invalidQuantity, .productUnavailable, .purchaseNotAllowed, .ineligibleForOffer, .invalidOfferIdentifier,
            .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters,
        ])
}

extension FailureNames where Failed == VerificationResult<Any>.VerificationError {
    static let verification = FailureNames(
        "verification",
        [
            .revokedCertificate, .invalidCertificateChain, .invalidDeviceVerification, .invalidEncoding,
            .invalidSignature, .missingRequiredProperties,
        ])
}

extension FailureNames where Failed == Transaction.RefundRequestError {
    static let refundRequest = FailureNames("refundRequest", [.duplicateRequest, .failed])
}
