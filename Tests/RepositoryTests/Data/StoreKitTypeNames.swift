/// The names of StoreKit's and StoreKitTest's top-level types.
enum StoreKitTypeNames {
    static let all: Set<String> = original.union(modern).union(test)

    /// The original API.
    private static let original: Set<String> = [
        "SKANError", "SKAdImpression", "SKAdNetwork", "SKArcadeService", "SKCloudServiceCapability",
        "SKCloudServiceController", "SKCloudServiceSetupViewController", "SKCloudServiceSetupViewControllerDelegate",
        "SKDownload", "SKDownloadState", "SKError", "SKMutablePayment", "SKOverlay", "SKOverlayDelegate",
        "SKOverlayTransitionContext", "SKPayment", "SKPaymentDiscount", "SKPaymentQueue", "SKPaymentQueueDelegate",
        "SKPaymentTransaction", "SKPaymentTransactionObserver", "SKPaymentTransactionState", "SKProduct",
        "SKProductDiscount", "SKProductStorePromotionController", "SKProductStorePromotionVisibility",
        "SKProductSubscriptionPeriod", "SKProductsRequest", "SKProductsRequestDelegate", "SKProductsResponse",
        "SKReceiptRefreshRequest", "SKRequest", "SKRequestDelegate", "SKStoreProductViewController",
        "SKStoreProductViewControllerDelegate", "SKStoreReviewController", "SKStorefront",
    ]

    /// The modern API, and the views that other platforms have beside it.
    private static let modern: Set<String> = [
        "AdAttributionKit", "AdvancedCommerceProduct", "AppStore", "AppTransaction", "BackingValue",
        "CodeRedemptionError",
        "ExternalLinkAccount", "ExternalPurchase", "ExternalPurchaseCustomLink", "ExternalPurchaseLink",
        "InvalidRequestError", "Message", "PaymentMethodBinding", "Product", "ProductIconPhase", "ProductView",
        "ProductViewStyle", "PurchaseAction", "PurchaseIntent", "StoreButtonKind", "StoreContent", "StoreKitError",
        "StoreProductTask", "StoreView", "Storefront", "SubscriptionInfo", "SubscriptionOfferView",
        "SubscriptionPeriod", "SubscriptionStatus", "SubscriptionStoreButton", "SubscriptionStoreContent",
        "SubscriptionStoreControlStyle", "SubscriptionStorePicker", "SubscriptionStorePolicyKind",
        "SubscriptionStoreView", "Transaction", "VerificationResult",
    ]

    private static let test: Set<String> = [
        "FailableStoreKitAPI", "SKTestError", "SKTestErrorCode", "SKTestFailure", "SKTestFailures", "SKTestSession",
        "SKTestTransaction",
    ]
}
