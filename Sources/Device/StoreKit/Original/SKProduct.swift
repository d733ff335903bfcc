/// A product as the storefront of the person shows it.
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

    /// How long each period of the subscription is; nothing unless the product renews itself.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? {
        record.period.map(SKProductSubscriptionPeriod.init(period:))
    }

    /// The lower price for those who subscribe for the first time, whether or not this person has done so.
    open var introductoryPrice: SKProductDiscount? {
        record.introductoryOffer.map { SKProductDiscount(offer: $0, locale: priceLocale) }
    }

    /// The group of subscriptions that the product belongs to; nothing unless it renews itself.
    open var subscriptionGroupIdentifier: String? { record.groupIdentifier }

    /// The promotional offers of the subscription.
    open var discounts: [SKProductDiscount] {
        record.promotionalOffers.map { SKProductDiscount(offer: $0, locale: priceLocale) }
    }
}
