import StoreKit

/// Every declaration of errors with its type: what is missing or different does not compile.
enum ErrorSurface {
    static func errors(_ error: SKError) {
        let _: any CustomNSError & Hashable & Sendable = error
        let _: String = SKErrorDomain
        let _: String = SKError.errorDomain
        let _: KeyPath<SKError, SKError.Code> = \.code
        let _: KeyPath<SKError, Int> = \.errorCode
        let _: KeyPath<SKError, [String: Any]> = \.errorUserInfo
        let _: KeyPath<SKError, [String: Any]> = \.userInfo
        let _: KeyPath<SKError, String> = \.localizedDescription
        let _: (SKError.Code, [String: Any]) -> SKError = SKError.init(_:userInfo:)
        let _: SKError = SKError(.unknown)
        let _: (NSError) -> SKError = SKError.init(_nsError:)
        let _: KeyPath<SKError, NSError> = \._nsError
        let _: (Int) -> SKError.Code? = SKError.Code.init(rawValue:)
    }

    static let codes: [(SKError.Code, SKError.Code, Int)] = [
        (.unknown, SKError.unknown, 0),
        (.clientInvalid, SKError.clientInvalid, 1),
        (.paymentCancelled, SKError.paymentCancelled, 2),
        (.paymentInvalid, SKError.paymentInvalid, 3),
        (.paymentNotAllowed, SKError.paymentNotAllowed, 4),
        (.storeProductNotAvailable, SKError.storeProductNotAvailable, 5),
        (.cloudServicePermissionDenied, SKError.cloudServicePermissionDenied, 6),
        (.cloudServiceNetworkConnectionFailed, SKError.cloudServiceNetworkConnectionFailed, 7),
        (.cloudServiceRevoked, SKError.cloudServiceRevoked, 8),
        (.privacyAcknowledgementRequired, SKError.privacyAcknowledgementRequired, 9),
        (.unauthorizedRequestData, SKError.unauthorizedRequestData, 10),
        (.invalidOfferIdentifier, SKError.invalidOfferIdentifier, 11),
        (.invalidSignature, SKError.invalidSignature, 12),
        (.missingOfferParams, SKError.missingOfferParams, 13),
        (.invalidOfferPrice, SKError.invalidOfferPrice, 14),
        (.overlayCancelled, SKError.overlayCancelled, 15),
        (.overlayInvalidConfiguration, SKError.overlayInvalidConfiguration, 16),
        (.overlayTimeout, SKError.overlayTimeout, 17),
        (.ineligibleForOffer, SKError.ineligibleForOffer, 18),
        (.unsupportedPlatform, SKError.unsupportedPlatform, 19),
        (.overlayPresentedInBackgroundScene, SKError.overlayPresentedInBackgroundScene, 20),
    ]
}
