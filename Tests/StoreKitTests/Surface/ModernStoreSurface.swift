import Foundation
import StoreKit

/// Every other value of StoreKit 2 with its type: what is missing or different does not compile.
enum ModernStoreSurface {
    static func store(_ storefront: Storefront) {
        let _: any Identifiable & Hashable & Sendable = storefront
        let _: KeyPath<Storefront, String> = \.countryCode
        let _: KeyPath<Storefront, Storefront.ID> = \.id
        let _: KeyPath<Storefront, Locale.Currency?> = \.currency
        let _: [AppStore.Environment] = [.production, .sandbox, .xcode]
        let _: (String) -> AppStore.Environment = AppStore.Environment.init(rawValue:)
        let _: [AppStore.Platform] = [.iOS, .macOS, .tvOS, .visionOS, .managed]
    }

    static func errors(_ error: StoreKitError) {
        let _: any LocalizedError & Sendable = error
        switch error {
        case .unknown, .userCancelled, .notAvailableInStorefront, .notEntitled, .unsupported: break
        case .networkError(let error): let _: URLError = error
        case .systemError(let error): let _: any Error = error
        @unknown default: break
        }
    }

    static func news(_ message: Message, _ intent: PurchaseIntent, _ promotion: Product.PromotionInfo) {
        let _: any Hashable & Sendable = message
        let _: KeyPath<Message, Message.Reason> = \.reason
        let _: [Message.Reason] = [.generic, .priceIncreaseConsent, .billingIssue, .winBackOffer]
        let _: KeyPath<Message.Reason, String> = \.localizedDescription
        let _: any Identifiable & Equatable & Sendable = intent
        let _: (Product, Product.SubscriptionOffer?, Product.ID) = (intent.product, intent.offer, intent.id)
        let _: any Equatable = promotion
        var promotion = promotion
        promotion.visibility = .hidden
        let _: Product.ID = promotion.productID
        let _: [Product.PromotionInfo.Visibility] = [.appStoreConnectDefault, .visible, .hidden]
    }

    static func external() async throws {
        let _: Bool = await ExternalPurchase.canPresent
        switch try await ExternalPurchase.presentNoticeSheet() {
        case .cancelled: break
        case .continuedWithExternalPurchaseToken(let token): let _: String = token
        @unknown default: break
        }
        let _: Bool = await ExternalPurchaseLink.canOpen
        let _: [URL]? = await ExternalPurchaseLink.eligibleURLs
        try await ExternalPurchaseLink.open()
        try await ExternalPurchaseLink.open(url: URL(filePath: "/"))
        let _: Bool = await ExternalPurchaseCustomLink.isEligible
        let _: ExternalPurchaseCustomLink.NoticeResult = try await ExternalPurchaseCustomLink.showNotice(
            type: .withinApp)
        let _: String? = try await ExternalPurchaseCustomLink.token(for: "ACQUISITION")?.value
        let _: Bool = await ExternalLinkAccount.canOpen
        try await ExternalLinkAccount.open()
        try await PaymentMethodBinding(id: "").bind()
        let _: [PaymentMethodBinding.PaymentMethodBindingError] = [.notEligible, .invalidPinningID, .failed]
        let product = try await AdvancedCommerceProduct(id: "")
        let _: (AdvancedCommerceProduct.ID, AdvancedCommerceProduct.ProductType) = (product.id, product.type)
        let _: AdvancedCommerceProduct.PurchaseResult = try await product.purchase(compactJWS: "", options: [])
        let _: VerificationResult<StoreKit.Transaction>? = await product.latestTransaction
        let _: [StoreKit.Transaction.Transactions] = [product.allTransactions, product.currentEntitlements]
        let _: [KeyPath<InvalidRequestError, Int64>] = [\.code]
        let _: [KeyPath<InvalidRequestError, String>] = [\.message]
        let _: (any CustomDebugStringConvertible, Set<AdvancedCommerceProduct.PurchaseOption>) = (product, [])
    }
}
