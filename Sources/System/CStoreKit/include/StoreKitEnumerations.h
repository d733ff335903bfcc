/* The enumerations of the original API that may grow.
 *
 * A Swift enumeration refuses a raw value that it has no case for. These take any, as they do on Apple's platforms, so
 * that a value of a later release reaches the `@unknown default` of an app. Only an open enumeration of C does that. */
#ifndef STOREKIT_ENUMERATIONS_H
#define STOREKIT_ENUMERATIONS_H

#define STOREKIT_OPEN_ENUMERATION __attribute__((enum_extensibility(open)))

/// How far a transaction has come.
typedef enum STOREKIT_OPEN_ENUMERATION SKPaymentTransactionState : long {
    /// The store is at work on the payment.
    SKPaymentTransactionStatePurchasing = 0,
    /// The purchase is made; deliver it and finish the transaction.
    SKPaymentTransactionStatePurchased = 1,
    /// The purchase failed or was cancelled; the error of the transaction says why.
    SKPaymentTransactionStateFailed = 2,
    /// The purchase was made earlier and comes back.
    SKPaymentTransactionStateRestored = 3,
    /// Someone else has to decide first, a parent for example.
    SKPaymentTransactionStateDeferred = 4,
} SKPaymentTransactionState;

/// The units that periods of a subscription are counted in.
typedef enum STOREKIT_OPEN_ENUMERATION SKProductPeriodUnit : unsigned long {
    /// A day.
    SKProductPeriodUnitDay = 0,
    /// A week.
    SKProductPeriodUnitWeek = 1,
    /// A month.
    SKProductPeriodUnitMonth = 2,
    /// A year.
    SKProductPeriodUnitYear = 3,
} SKProductPeriodUnit;

/// How the price of an offer is paid.
typedef enum STOREKIT_OPEN_ENUMERATION SKProductDiscountPaymentMode : unsigned long {
    /// The lower price is paid once for each period of the offer.
    SKProductDiscountPaymentModePayAsYouGo = 0,
    /// The price is paid once for the whole of the offer.
    SKProductDiscountPaymentModePayUpFront = 1,
    /// Nothing is paid until the offer ends.
    SKProductDiscountPaymentModeFreeTrial = 2,
} SKProductDiscountPaymentMode;

/// The kinds of offers.
typedef enum STOREKIT_OPEN_ENUMERATION SKProductDiscountType : unsigned long {
    /// An offer to those who subscribe for the first time.
    SKProductDiscountTypeIntroductory = 0,
    /// An offer that the developer makes to present and former subscribers.
    SKProductDiscountTypeSubscription = 1,
} SKProductDiscountType;

/// The reasons why the original API fails.
typedef enum STOREKIT_OPEN_ENUMERATION SKErrorCode : long {
    /// Something unexpected happened, or the store cannot be reached.
    SKErrorUnknown = 0,
    /// The app may not ask this of the store.
    SKErrorClientInvalid = 1,
    /// The person cancelled the payment.
    SKErrorPaymentCancelled = 2,
    /// The store does not recognise a part of the payment, the product for example.
    SKErrorPaymentInvalid = 3,
    /// Payments are not allowed on this device or to this person.
    SKErrorPaymentNotAllowed = 4,
    /// The storefront does not sell the product.
    SKErrorStoreProductNotAvailable = 5,
    /// The person does not let the app use the cloud service.
    SKErrorCloudServicePermissionDenied = 6,
    /// The cloud service cannot be reached.
    SKErrorCloudServiceNetworkConnectionFailed = 7,
    /// The person has taken back the permission to use the cloud service.
    SKErrorCloudServiceRevoked = 8,
    /// The person has not yet agreed to the store's privacy policy.
    SKErrorPrivacyAcknowledgementRequired = 9,
    /// The payment carries request data that the app may not use.
    SKErrorUnauthorizedRequestData = 10,
    /// The offer does not exist or is not active.
    SKErrorInvalidOfferIdentifier = 11,
    /// The signature of the offer does not verify.
    SKErrorInvalidSignature = 12,
    /// The discount of the payment lacks a field.
    SKErrorMissingOfferParams = 13,
    /// The price of the offer is no longer valid.
    SKErrorInvalidOfferPrice = 14,
    /// An overlay was cancelled.
    SKErrorOverlayCancelled = 15,
    /// An overlay was configured wrongly.
    SKErrorOverlayInvalidConfiguration = 16,
    /// An overlay took too long to load.
    SKErrorOverlayTimeout = 17,
    /// The offer is not for this person.
    SKErrorIneligibleForOffer = 18,
    /// The platform cannot do what was asked.
    SKErrorUnsupportedPlatform = 19,
    /// An overlay was presented by a scene in the background.
    SKErrorOverlayPresentedInBackgroundScene = 20,
} SKErrorCode;

#endif
