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

    /// What names a promotional offer; nothing for an introductory one.
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
