/// The names of StoreKit's and StoreKitTest's top-level types, aliases included.
enum StoreKitTypeNames {
    static let all: Set<String> = original.union(modern).union(views).union(test)

    private static let original: Set<String> = [
        "SKAdImpression", "SKAdNetwork", "SKArcadeService", "SKCloudServiceAuthorizationStatus",
        "SKCloudServiceCapability", "SKCloudServiceController", "SKCloudServiceSetupViewController",
        "SKCloudServiceSetupViewControllerDelegate", "SKDownload", "SKDownloadState", "SKError", "SKMutablePayment",
        "SKOverlay", "SKOverlayDelegate", "SKOverlayTransitionContext", "SKPayment", "SKPaymentDiscount",
        "SKPaymentQueue", "SKPaymentQueueDelegate", "SKPaymentTransaction", "SKPaymentTransactionObserver",
        "SKPaymentTransactionState", "SKProduct", "SKProductDiscount", "SKProductStorePromotionController",
        "SKProductStorePromotionVisibility", "SKProductSubscriptionPeriod", "SKProductsRequest",
        "SKProductsRequestDelegate", "SKProductsResponse", "SKReceiptRefreshRequest", "SKRequest",
        "SKRequestDelegate", "SKStoreProductViewController", "SKStoreProductViewControllerDelegate",
        "SKStoreReviewController", "SKStorefront",
    ]

    private static let modern: Set<String> = [
        "AdvancedCommerceProduct", "AppStore", "AppTransaction", "ExternalLinkAccount", "ExternalPurchase",
        "ExternalPurchaseCustomLink", "ExternalPurchaseLink", "Message", "PaymentMethodBinding", "Product",
        "PurchaseIntent", "StoreKitError", "Storefront", "SubscriptionInfo", "SubscriptionRenewalInfo",
        "SubscriptionRenewalState", "SubscriptionStatus", "Transaction", "VerificationResult",
    ]

    /// What Apple's platforms add for SwiftUI when both are imported.
    private static let views: Set<String> = [
        "DisplayMessageAction", "ProductView", "ProductViewStyle", "PurchaseAction", "RequestReviewAction", "StoreView",
        "SubscriptionOfferView", "SubscriptionOptionGroup", "SubscriptionPeriodGroupSet", "SubscriptionStoreButton",
        "SubscriptionStoreControlStyle", "SubscriptionStorePicker", "SubscriptionStoreView",
    ]

    private static let test: Set<String> = [
        "FailableStoreKitAPI", "SKTestError", "SKTestErrorCode", "SKTestFailure", "SKTestFailures", "SKTestSession",
        "SKTestTransaction", "StoreKitAppStoreSyncAPI", "StoreKitAppTransactionAPI", "StoreKitLoadProductsAPI",
        "StoreKitManageSubscriptionsAPI", "StoreKitOfferCodeRedeemAPI", "StoreKitPurchaseAPI",
        "StoreKitRefundRequestAPI", "StoreKitSubscriptionStatusAPI", "StoreKitVerificationAPI",
    ]
}
