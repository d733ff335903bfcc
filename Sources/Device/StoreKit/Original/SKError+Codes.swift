extension SKError {
    /// Something unexpected happened, or the store cannot be reached.
    public static var unknown: Code { .unknown }

    /// The app may not ask this of the store.
    public static var clientInvalid: Code { .clientInvalid }

    /// The person cancelled the payment.
    public static var paymentCancelled: Code { .paymentCancelled }

    /// The store does not recognise a part of the payment, the product for example.
    public static var paymentInvalid: Code { .paymentInvalid }

    /// Payments are not allowed on this device or to this person.
    public static var paymentNotAllowed: Code { .paymentNotAllowed }

    /// The storefront does not sell the product.
    public static var storeProductNotAvailable: Code { .storeProductNotAvailable }

    /// The person does not let the app use the cloud service.
    public static var cloudServicePermissionDenied: Code { .cloudServicePermissionDenied }

    /// The cloud service cannot be reached.
    public static var cloudServiceNetworkConnectionFailed: Code { .cloudServiceNetworkConnectionFailed }

    /// The person has taken back the permission to use the cloud service.
    public static var cloudServiceRevoked: Code { .cloudServiceRevoked }

    /// The person has not yet agreed to the store's privacy policy.
    public static var privacyAcknowledgementRequired: Code { .privacyAcknowledgementRequired }

    /// The payment carries request data that the app may not use.
    public static var unauthorizedRequestData: Code { .unauthorizedRequestData }

    /// The offer does not exist or is not active.
    public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }

    /// The signature of the offer does not verify.
    public static var invalidSignature: Code { .invalidSignature }

    /// The discount of the payment lacks a field.
    public static var missingOfferParams: Code { .missingOfferParams }

    /// The price of the offer is no longer valid.
    public static var invalidOfferPrice: Code { .invalidOfferPrice }

    /// An overlay was cancelled.
    public static var overlayCancelled: Code { .overlayCancelled }

    /// An overlay was configured wrongly.
    public static var overlayInvalidConfiguration: Code { .overlayInvalidConfiguration }

    /// An overlay took too long to load.
    public static var overlayTimeout: Code { .overlayTimeout }

    /// The offer is not for this person.
    public static var ineligibleForOffer: Code { .ineligibleForOffer }

    /// The platform cannot do what was asked.
    public static var unsupportedPlatform: Code { .unsupportedPlatform }

    /// An overlay was presented by a scene in the background.
    public static var overlayPresentedInBackgroundScene: Code { .overlayPresentedInBackgroundScene }
}
