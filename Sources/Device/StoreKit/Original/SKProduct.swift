/// A product as the storefront of the customer shows it.
// Safe: what it holds never changes.
open class SKProduct: NSObject, @unchecked Sendable {
    /// The units that periods of a subscription are counted in.
    public typealias PeriodUnit = SKProductPeriodUnit

    private let record: ProductRecord

    /// Makes a product without content, to be subclassed in tests.
    public override init() {
        record = ProductRecord(identifier: "", title: "", text: "", price: 0, priceLocale: "")
        super.init()
    }

    init(record: ProductRecord) {
        self.record = record
        super.init()
    }

    /// What the product is, in the language of the person; empty if nothing was written.
    open var localizedDescription: String { record.text }

    /// The name of the product in the language of the person; empty if none was given.
    open var localizedTitle: String { record.title }

    /// The price of one, in the currency of the storefront.
    open var price: NSDecimalNumber { NSDecimalNumber(decimal: record.price) }

    /// The locale that the price is written in, with its currency.
    open var priceLocale: Locale { Locale(identifier: record.priceLocale) }

    /// What names the product to the store.
    open var productIdentifier: String { record.identifier }

    /// Whether the store hosts content for the product.
    open var isDownloadable: Bool { !record.contentLengths.isEmpty }

    /// Whether what is bought can be used by the person's family.
    open var isFamilyShareable: Bool { record.isFamilyShareable }

    /// How many bytes each part of the hosted content has.
    open var downloadContentLengths: [NSNumber] { record.contentLengths.map { NSNumber(value: $0) } }

    /// The version of the hosted content; empty without any.
    open var downloadContentVersion: String { record.contentVersion }

    /// How many bytes each part of the hosted content has, by its older name.
    open var contentLengths: [NSNumber] { downloadContentLengths }

    /// The version of the hosted content, by its older name.
    open var contentVersion: String { downloadContentVersion }

    /// How long each period of the subscription is; nil unless the product renews itself.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? {
        record.period.map(SKProductSubscriptionPeriod.init(period:))
    }

    /// The lower price for those who subscribe for the first time, whether or not this person has done so.
    open var introductoryPrice: SKProductDiscount? {
        record.introductoryOffer.map { SKProductDiscount(offer: $0, locale: priceLocale) }
    }

    /// The group of subscriptions that the product belongs to; nil unless it renews itself.
    open var subscriptionGroupIdentifier: String? { record.groupIdentifier }

    /// The promotional offers of the subscription.
    open var discounts: [SKProductDiscount] {
        record.promotionalOffers.map { SKProductDiscount(offer: $0, locale: priceLocale) }
    }
}

/// A lower price for a time.
// Safe: what it holds never changes.
open class SKProductDiscount: NSObject, @unchecked Sendable {
    /// How the price of an offer is paid.
    public typealias PaymentMode = SKProductDiscountPaymentMode

    /// The kinds of offers.
    public typealias `Type` = SKProductDiscountType

    private let offer: ProductRecord.Offer
    private let locale: Locale

    /// Makes an offer without content, to be subclassed in tests.
    public override init() {
        let period = ProductRecord.Period(count: 0, unit: .day)
        offer = ProductRecord.Offer(
            identifier: nil, price: 0, period: period, periodCount: 0, paymentMode: .payAsYouGo)
        locale = Locale(identifier: "")
        super.init()
    }

    init(offer: ProductRecord.Offer, locale: Locale) {
        self.offer = offer
        self.locale = locale
        super.init()
    }

    /// The price of a period, or of the whole offer if it is paid up front.
    open var price: NSDecimalNumber { NSDecimalNumber(decimal: offer.price) }

    /// The locale that the price is written in, with its currency.
    open var priceLocale: Locale { locale }

    /// What names a promotional offer; nil for an introductory one.
    open var identifier: String? { offer.identifier }

    /// How long a period of the offer is.
    open var subscriptionPeriod: SKProductSubscriptionPeriod { SKProductSubscriptionPeriod(period: offer.period) }

    /// How many periods the offer lasts; 1 unless each period is paid.
    open var numberOfPeriods: Int { offer.periodCount }

    /// How the price is paid.
    open var paymentMode: SKProductDiscount.PaymentMode { offer.paymentMode }

    /// Whether the offer is for new subscribers or made by the developer.
    open var type: SKProductDiscount.`Type` { offer.identifier == nil ? .introductory : .subscription }
}

/// A length of time in units of the calendar.
// Safe: what it holds never changes.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    private let period: ProductRecord.Period

    /// Makes a period of no days, to be subclassed in tests.
    public override init() {
        period = ProductRecord.Period(count: 0, unit: .day)
        super.init()
    }

    init(period: ProductRecord.Period) {
        self.period = period
        super.init()
    }

    /// How many units the period has.
    open var numberOfUnits: Int { period.count }

    /// What the period is counted in.
    open var unit: SKProduct.PeriodUnit { period.unit }
}
