/// What errors say to a person.
enum SKErrorText {
    /// The sentence for a code, also for the two that have no name.
    static func sentence(of code: Int) -> String {
        named[code] ?? "Something unexpected happened. Please try again later."
    }

    private static let named: [Int: String] = [
        SKErrorCode.unknown.rawValue: "Cannot connect to the store. Please try again later.",
        SKErrorCode.clientInvalid.rawValue: "This app is not allowed to make this purchase.",
        SKErrorCode.paymentCancelled.rawValue: "The purchase was cancelled. Nothing was charged.",
        SKErrorCode.paymentInvalid.rawValue: "This purchase is not known to the store. Nothing was charged.",
        SKErrorCode.paymentNotAllowed.rawValue: "In-app purchases are not allowed on this device.",
        SKErrorCode.storeProductNotAvailable.rawValue: "This product is not available in your country or region.",
        SKErrorCode.cloudServicePermissionDenied.rawValue: "The app has no permission to use the cloud service.",
        SKErrorCode.cloudServiceNetworkConnectionFailed.rawValue: "The cloud service cannot be reached.",
        SKErrorCode.cloudServiceRevoked.rawValue: "The permission to use the cloud service was taken back.",
        SKErrorCode.privacyAcknowledgementRequired.rawValue: "Please agree to the store's privacy policy first.",
        SKErrorCode.unauthorizedRequestData.rawValue: "This app is not allowed to add data to a payment.",
        SKErrorCode.invalidOfferIdentifier.rawValue: "This offer does not exist or has ended. Nothing was charged.",
        SKErrorCode.invalidSignature.rawValue: "This offer could not be verified. Nothing was charged.",
        SKErrorCode.missingOfferParams.rawValue: "This offer is incomplete. Nothing was charged.",
        SKErrorCode.invalidOfferPrice.rawValue: "The price of this offer has changed. Nothing was charged.",
        SKErrorCode.overlayCancelled.rawValue: "The page of the store was closed.",
        SKErrorCode.overlayInvalidConfiguration.rawValue: "The page of the store cannot be shown.",
        SKErrorCode.overlayTimeout.rawValue: "The page of the store took too long to load.",
        SKErrorCode.ineligibleForOffer.rawValue: "This offer is not for your account. Nothing was charged.",
        SKErrorCode.unsupportedPlatform.rawValue: "This is not possible on this system.",
        SKErrorCode.overlayPresentedInBackgroundScene.rawValue: "The page of the store is shown by the app in front.",
        5002: "An unknown error has occurred.",
        5020: "Forget Your Password?",
    ]
}
