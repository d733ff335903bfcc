import StoreKit

/// Every declaration of products and offers with its type: what is missing or different does not compile.
enum ProductSurface {
    static func products(_ product: SKProduct) {
        let _: NSObject = product
        let _: () -> SKProduct = SKProduct.init
        let _: KeyPath<SKProduct, String> = \.localizedDescription
        let _: KeyPath<SKProduct, String> = \.localizedTitle
        let _: KeyPath<SKProduct, NSDecimalNumber> = \.price
        let _: KeyPath<SKProduct, Locale> = \.priceLocale
        let _: KeyPath<SKProduct, String> = \.productIdentifier
        let _: KeyPath<SKProduct, Bool> = \.isDownloadable
        let _: KeyPath<SKProduct, Bool> = \.isFamilyShareable
        let _: KeyPath<SKProduct, [NSNumber]> = \.downloadContentLengths
        let _: KeyPath<SKProduct, String> = \.downloadContentVersion
        let _: KeyPath<SKProduct, [NSNumber]> = \.contentLengths
        let _: KeyPath<SKProduct, String> = \.contentVersion
        let _: KeyPath<SKProduct, SKProductSubscriptionPeriod?> = \.subscriptionPeriod
        let _: KeyPath<SKProduct, SKProductDiscount?> = \.introductoryPrice
        let _: KeyPath<SKProduct, String?> = \.subscriptionGroupIdentifier
        let _: KeyPath<SKProduct, [SKProductDiscount]> = \.discounts
    }

    static func periods(_ period: SKProductSubscriptionPeriod) {
        let _: NSObject = period
        let _: () -> SKProductSubscriptionPeriod = SKProductSubscriptionPeriod.init
        let _: KeyPath<SKProductSubscriptionPeriod, Int> = \.numberOfUnits
        let _: KeyPath<SKProductSubscriptionPeriod, SKProduct.PeriodUnit> = \.unit
        let _: (UInt) -> SKProduct.PeriodUnit? = SKProduct.PeriodUnit.init(rawValue:)
        let _: [SKProduct.PeriodUnit] = [.day, .week, .month, .year]
    }

    static func discounts(_ discount: SKProductDiscount) {
        let _: NSObject = discount
        let _: () -> SKProductDiscount = SKProductDiscount.init
        let _: KeyPath<SKProductDiscount, NSDecimalNumber> = \.price
        let _: KeyPath<SKProductDiscount, Locale> = \.priceLocale
        let _: KeyPath<SKProductDiscount, String?> = \.identifier
        let _: KeyPath<SKProductDiscount, SKProductSubscriptionPeriod> = \.subscriptionPeriod
        let _: KeyPath<SKProductDiscount, Int> = \.numberOfPeriods
        let _: KeyPath<SKProductDiscount, SKProductDiscount.PaymentMode> = \.paymentMode
        let _: KeyPath<SKProductDiscount, SKProductDiscount.`Type`> = \.type
        let _: (UInt) -> SKProductDiscount.PaymentMode? = SKProductDiscount.PaymentMode.init(rawValue:)
        let _: [SKProductDiscount.PaymentMode] = [.payAsYouGo, .payUpFront, .freeTrial]
        let _: (UInt) -> SKProductDiscount.`Type`? = SKProductDiscountType.init(rawValue:)
        let _: Bool = discount.type == .introductory || discount.type == .subscription
    }
}
