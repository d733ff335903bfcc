import Foundation
import StoreKit

/// Every declaration of products of StoreKit 2 with its type: what is missing or different does not compile.
enum ModernProductSurface {
    static func products(_ product: Product) {
        let _: any Identifiable & Hashable & Sendable & CustomDebugStringConvertible = product
        let _: Product.ID = "" as String
        let _: KeyPath<Product, Data> = \.jsonRepresentation
        let _: KeyPath<Product, String> = \.id
        let _: KeyPath<Product, Product.ProductType> = \.type
        let _: KeyPath<Product, String> = \.displayName
        let _: KeyPath<Product, String> = \.description
        let _: KeyPath<Product, Decimal> = \.price
        let _: KeyPath<Product, String> = \.displayPrice
        let _: KeyPath<Product, Bool> = \.isFamilyShareable
        let _: KeyPath<Product, Product.SubscriptionInfo?> = \.subscription
        let _: KeyPath<Product, Decimal.FormatStyle.Currency> = \.priceFormatStyle
        let _: String = Product.SubscriptionPeriod.monthly.formatted(product.subscriptionPeriodFormatStyle)
        let _: KeyPath<Product, Product.SubscriptionPeriod.Unit.FormatStyle> = \.subscriptionPeriodUnitFormatStyle
        let _: [Product.ProductType] = [.consumable, .nonConsumable, .nonRenewable, .autoRenewable]
        let _: (String) -> Product.ProductType = Product.ProductType.init(rawValue:)
        let _: KeyPath<Product.ProductType, String> = \.localizedDescription
    }

    static func results(_ result: Product.PurchaseResult) {
        let _: any Sendable = result
        switch result {
        case .success(let verification): let _: VerificationResult<Transaction> = verification
        case .userCancelled, .pending: break
        @unknown default: break
        }
        let _: [Product.PurchaseError] = [
            .invalidQuantity, .productUnavailable, .purchaseNotAllowed, .ineligibleForOffer, .invalidOfferIdentifier,
            .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters,
        ]
        let _: any LocalizedError & Hashable & Sendable = Product.PurchaseError.invalidQuantity
    }

    static func options() {
        let _: any Hashable & Sendable & CustomDebugStringConvertible = Product.PurchaseOption.quantity(1)
        let _: (UUID) -> Product.PurchaseOption = Product.PurchaseOption.appAccountToken
        let _: (Int) -> Product.PurchaseOption = Product.PurchaseOption.quantity
        let _: (Bool) -> Product.PurchaseOption = Product.PurchaseOption.simulatesAskToBuyInSandbox
        let _: (String, String, UUID, Data, Int) -> Product.PurchaseOption =
            Product.PurchaseOption.promotionalOffer(offerID:keyID:nonce:signature:timestamp:)
        let _: (String, Product.SubscriptionOffer.Signature) -> Product.PurchaseOption =
            Product.PurchaseOption.promotionalOffer(offerID:signature:)
        let _: (String, String) -> [Product.PurchaseOption] =
            Product.PurchaseOption.promotionalOffer(_:compactJWS:)
        let _: (String) -> Product.PurchaseOption = Product.PurchaseOption.introductoryOfferEligibility(compactJWS:)
        let _: (Product.SubscriptionOffer) -> Product.PurchaseOption = Product.PurchaseOption.winBackOffer
        let _: (@escaping @Sendable (Storefront) -> Bool) -> Product.PurchaseOption =
            Product.PurchaseOption.onStorefrontChange(shouldContinuePurchase:)
        let _: (String, String) -> Product.PurchaseOption = Product.PurchaseOption.custom(key:value:)
        let _: (String, Double) -> Product.PurchaseOption = Product.PurchaseOption.custom(key:value:)
        let _: (String, Bool) -> Product.PurchaseOption = Product.PurchaseOption.custom(key:value:)
        let _: (String, Data) -> Product.PurchaseOption = Product.PurchaseOption.custom(key:value:)
        let _: (Product.SubscriptionInfo.BillingPlanType) -> Product.PurchaseOption =
            Product.PurchaseOption.billingPlanType
    }

    static func periods(_ period: Product.SubscriptionPeriod) {
        let _: any Hashable & Sendable & CustomDebugStringConvertible = period
        let _: KeyPath<Product.SubscriptionPeriod, Product.SubscriptionPeriod.Unit> = \.unit
        let _: KeyPath<Product.SubscriptionPeriod, Int> = \.value
        let _: Range<Date> = period.dateRange()
        let _: Range<Date> = period.dateRange(referenceDate: .distantPast)
        let _: [Product.SubscriptionPeriod] = [
            .weekly, .monthly, .yearly, .everyThreeDays, .everyTwoWeeks, .everyTwoMonths, .everyThreeMonths,
            .everySixMonths,
        ]
        let _: String = period.formatted(Duration.UnitsFormatStyle(allowedUnits: [.days], width: .wide))
        let _: DateComponents = DateComponents(subscriptionPeriod: period)
        let _: any Comparable & Hashable & Sendable & CustomDebugStringConvertible = period.unit
        let _: KeyPath<Product.SubscriptionPeriod.Unit, String> = \.localizedDescription
        switch period.unit {
        case .day, .week, .month, .year: break
        @unknown default: break
        }
    }

    static func offers(_ offer: Product.SubscriptionOffer) {
        let _: any Hashable & Sendable = offer
        let _: KeyPath<Product.SubscriptionOffer, String?> = \.id
        let _: KeyPath<Product.SubscriptionOffer, Product.SubscriptionOffer.OfferType> = \.type
        let _: KeyPath<Product.SubscriptionOffer, Decimal> = \.price
        let _: KeyPath<Product.SubscriptionOffer, String> = \.displayPrice
        let _: KeyPath<Product.SubscriptionOffer, Product.SubscriptionPeriod> = \.period
        let _: KeyPath<Product.SubscriptionOffer, Int> = \.periodCount
        let _: KeyPath<Product.SubscriptionOffer, Product.SubscriptionOffer.PaymentMode> = \.paymentMode
        let _: [Product.SubscriptionOffer.OfferType] = [.introductory, .promotional, .winBack]
        let _: [Product.SubscriptionOffer.PaymentMode] = [.payAsYouGo, .payUpFront, .freeTrial]
        let _: String = offer.type.localizedDescription + offer.paymentMode.localizedDescription
        var signature = Product.SubscriptionOffer.Signature(keyID: "", nonce: UUID(), timestamp: 0, signature: Data())
        signature.keyID = "K"
        (signature.nonce, signature.timestamp, signature.signature) = (UUID(), 1, Data())
    }

    static func subscriptions(_ info: Product.SubscriptionInfo) {
        let _: any Hashable & Sendable = info
        let _: KeyPath<SubscriptionInfo, Product.SubscriptionOffer?> = \.introductoryOffer
        let _: KeyPath<SubscriptionInfo, [Product.SubscriptionOffer]> = \.promotionalOffers
        let _: KeyPath<SubscriptionInfo, [Product.SubscriptionOffer]> = \.winBackOffers
        let _: KeyPath<SubscriptionInfo, String> = \.subscriptionGroupID
        let _: KeyPath<SubscriptionInfo, Product.SubscriptionPeriod> = \.subscriptionPeriod
        let _: KeyPath<SubscriptionInfo, Int> = \.groupLevel
        let _: KeyPath<SubscriptionInfo, String> = \.groupDisplayName
        let _: KeyPath<SubscriptionInfo, [SubscriptionInfo.PricingTerms]> = \.pricingTerms
        let _: KeyPath<SubscriptionInfo.PricingTerms, SubscriptionInfo.BillingPeriod> = \.billingPeriod
        let _: KeyPath<SubscriptionInfo.PricingTerms, String> = \.billingDisplayPrice
        let _: KeyPath<SubscriptionInfo.PricingTerms, Decimal> = \.billingPrice
        let _: KeyPath<SubscriptionInfo.PricingTerms, SubscriptionInfo.BillingPlanType> = \.billingPlanType
        let _: KeyPath<SubscriptionInfo.PricingTerms, [Product.SubscriptionOffer]> = \.subscriptionOffers
        let _: KeyPath<SubscriptionInfo.PricingTerms.CommitmentInfo, String> = \.displayPrice
        let _: KeyPath<SubscriptionInfo.PricingTerms.CommitmentInfo, Product.SubscriptionPeriod> = \.period
        let _: KeyPath<SubscriptionInfo.PricingTerms.CommitmentInfo, Decimal> = \.price
        let _: [SubscriptionInfo.BillingPlanType] = [.monthly, .upFront]
    }
}
