import StoreKit

/// Every declaration of the controllers with its type: what is missing or different does not compile.
enum ControllerSurface {
    static func productPages(
        _ controller: SKStoreProductViewController, _ delegate: any SKStoreProductViewControllerDelegate
    ) async throws {
        let _: () -> SKStoreProductViewController = SKStoreProductViewController.init
        let _: ReferenceWritableKeyPath<SKStoreProductViewController, (any SKStoreProductViewControllerDelegate)?> =
            \.delegate
        let _: (SKStoreProductViewController) -> ([String: Any], ((Bool, (any Error)?) -> Void)?) -> Void =
            SKStoreProductViewController.loadProduct(withParameters:completionBlock:)
        let _: Bool = try await controller.loadProduct(withParameters: [String: Any]())
        let _: any NSObjectProtocol = delegate
        delegate.productViewControllerDidFinish(controller)
    }

    static func withoutBlock(_ controller: SKStoreProductViewController) {
        controller.loadProduct(withParameters: [String: Any]())
        controller.present()
        controller.dismiss(animated: true, completion: nil)
        controller.dismiss(animated: true)
        controller.dismiss()
        let _: Bool = controller.isPresented
    }

    static let parameters: [String] = [
        SKStoreProductParameterITunesItemIdentifier, SKStoreProductParameterAffiliateToken,
        SKStoreProductParameterCampaignToken, SKStoreProductParameterProviderToken,
        SKStoreProductParameterAdvertisingPartnerToken, SKStoreProductParameterProductIdentifier,
        SKStoreProductParameterCustomProductPageIdentifier, SKStoreProductParameterAdNetworkAttributionSignature,
        SKStoreProductParameterAdNetworkCampaignIdentifier, SKStoreProductParameterAdNetworkIdentifier,
        SKStoreProductParameterAdNetworkNonce, SKStoreProductParameterAdNetworkTimestamp,
        SKStoreProductParameterAdNetworkSourceAppStoreIdentifier, SKStoreProductParameterAdNetworkVersion,
        SKStoreProductParameterAdNetworkSourceIdentifier,
    ]

    static func reviews(_ controller: SKStoreReviewController) {
        let _: NSObject = controller
        let _: () -> Void = SKStoreReviewController.requestReview
    }

    static func promotions(_ controller: SKProductStorePromotionController, _ product: SKProduct) {
        typealias Controller = SKProductStorePromotionController
        typealias Visibility = SKProductStorePromotionVisibility
        let _: NSObject = controller
        let _: () -> Controller = Controller.default
        let _: (Controller) -> (SKProduct, ((Visibility, (any Error)?) -> Void)?) -> Void =
            Controller.fetchStorePromotionVisibility(for:completionHandler:)
        let _: (Controller) -> (Visibility, SKProduct, (((any Error)?) -> Void)?) -> Void =
            Controller.update(storePromotionVisibility:for:completionHandler:)
        let _: (Controller) -> ((([SKProduct], (any Error)?) -> Void)?) -> Void =
            Controller.fetchStorePromotionOrder(completionHandler:)
        let _: (Controller) -> ([SKProduct], (((any Error)?) -> Void)?) -> Void =
            Controller.update(storePromotionOrder:completionHandler:)
        controller.fetchStorePromotionVisibility(for: product)
        controller.update(storePromotionVisibility: .show, for: product)
        controller.fetchStorePromotionOrder()
        controller.update(storePromotionOrder: [product])
    }

    static func promotionsAwaited(
        _ controller: SKProductStorePromotionController, _ product: SKProduct
    ) async throws {
        let _: SKProductStorePromotionVisibility = try await controller.promotionVisibility(for: product)
        try await controller.update(promotionVisibility: .hide, for: product)
        let _: [SKProduct] = try await controller.promotionOrder()
        try await controller.update(promotionOrder: [product])
    }

    /// Exhaustive without a default: the enumeration is closed.
    static func word(_ visibility: SKProductStorePromotionVisibility) -> Int {
        switch visibility {
        case .default, .show, .hide: visibility.rawValue
        }
    }
}
