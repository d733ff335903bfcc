import Foundation
import StoreModel

/// A product as the storefront of the customer shows it.
package struct ProductRecord: Sendable {
    package var identifier: String
    package var title: String
    package var text: String
    package var price: Decimal
    /// The locale of the price with its currency, `en_US@currency=USD` for example.
    package var priceLocale: String
    package var isFamilyShareable = false
    /// The bytes of each part of the hosted content; empty without any.
    package var contentLengths: [Int64] = []
    /// The version of the hosted content; empty without any.
    package var contentVersion = ""
    /// Nil unless the product renews itself.
    package var period: Period?
    /// Nil unless the product renews itself.
    package var groupIdentifier: String?
    package var introductoryOffer: Offer?
    package var promotionalOffers: [Offer] = []

    package init(identifier: String, title: String, text: String, price: Decimal, priceLocale: String) {
        self.identifier = identifier
        self.title = title
        self.text = text
        self.price = price
        self.priceLocale = priceLocale
    }

    /// A length of time in calendar units.
    package struct Period: Hashable, Sendable {
        package var count: Int
        package var unit: SKProduct.PeriodUnit

        package init(count: Int, unit: SKProduct.PeriodUnit) {
            self.count = count
            self.unit = unit
        }
    }

    /// A lower price for a time.
    package struct Offer: Sendable {
        /// Nil for an introductory offer.
        package var identifier: String?
        package var price: Decimal
        package var period: Period
        package var periodCount: Int
        package var paymentMode: SKProductDiscount.PaymentMode

        package init(
            identifier: String?, price: Decimal, period: Period, periodCount: Int,
            paymentMode: SKProductDiscount.PaymentMode
        ) {
            self.identifier = identifier
            self.price = price
            self.period = period
            self.periodCount = periodCount
            self.paymentMode = paymentMode
        }
    }
}

/// What a look-up of products found.
package struct ProductAnswer: Sendable {
    package var products: [ProductRecord]
    /// The identifiers that the app cannot sell.
    package var invalidIdentifiers: [String]

    package init(products: [ProductRecord], invalidIdentifiers: [String] = []) {
        self.products = products
        self.invalidIdentifiers = invalidIdentifiers
    }
}

extension ProductRecord {
    /// A product as the store lists it.
    init(_ listing: ProductListingAnswer, in country: StorefrontCode?) {
        self.init(
            identifier: listing.productId.text, title: listing.title, text: listing.description,
            price: Self.amount(listing.price), priceLocale: Self.locale(listing, country))
        isFamilyShareable = listing.isFamilyShareable
        groupIdentifier = listing.subscriptionGroupIdentifier?.text
        if let version = listing.contentVersion, let lengths = listing.contentLengths {
            contentVersion = version.text
            contentLengths = lengths
        }
        period = listing.subscriptionPeriod.map { Period($0) }
        let offers = listing.offers ?? []
        introductoryOffer = offers.lazy.filter { $0.kind.value == .introductory }.compactMap { Offer($0) }.first
        promotionalOffers = offers.filter { $0.kind.value == .promotional }.compactMap { Offer($0) }
    }

    static func amount(_ price: PriceAnswer) -> Decimal {
        Decimal(string: price.amount, locale: Locale(identifier: "en_US_POSIX")) ?? 0
    }

    /// The language of the text, the country of the storefront and its currency: `de_DE@currency=EUR`.
    static func locale(_ listing: ProductListingAnswer, _ country: StorefrontCode?) -> String {
        let parts = listing.language.split(separator: "-").map(String.init)
        let script = parts.dropFirst().first { $0.count == 4 }
        let region = country?.storefront?.alpha2 ?? parts.dropFirst().first { $0.count == 2 }
        let words = [parts.first ?? "en", script, region].compactMap(\.self)
        return words.joined(separator: "_") + "@currency=\(listing.price.currency.rawValue)"
    }
}

extension ProductRecord.Offer {
    /// An offer of the store; nil if it is paid in a way that came after this version.
    fileprivate init?(_ offer: SubscriptionOfferAnswer) {
        let mode: SKProductDiscount.PaymentMode
        switch offer.paymentMode.value {
        case .free: mode = .freeTrial
        case .payAsYouGo: mode = .payAsYouGo
        case .payUpFront: mode = .payUpFront
        case nil: return nil
        }
        self.init(
            identifier: offer.kind.value == .introductory ? nil : offer.offerId,
            price: ProductRecord.amount(offer.price),
            period: ProductRecord.Period(offer.period), periodCount: offer.periodCount, paymentMode: mode)
    }
}

extension ProductRecord.Period {
    init(_ period: BillingPeriod) {
        let unit: SKProduct.PeriodUnit =
            switch period.unit {
            case .day: .day
            case .week: .week
            case .month: .month
            case .year: .year
            }
        self.init(count: period.count, unit: unit)
    }
}
