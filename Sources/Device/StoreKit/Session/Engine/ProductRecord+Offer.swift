import Foundation
import StoreModel

extension ProductRecord {
    /// A product as the store offers it.
    init(_ offer: ProductOfferAnswer, in country: StorefrontCode?) {
        let amount = Decimal(string: offer.price.amount, locale: Locale(identifier: "en_US_POSIX")) ?? 0
        self.init(
            identifier: offer.productId.text, title: offer.title, text: offer.description, price: amount,
            priceLocale: Self.locale(offer, country))
        isFamilyShareable = offer.isFamilyShareable
        groupIdentifier = offer.subscriptionGroupIdentifier?.text
        period = offer.subscriptionPeriod.map { Period($0) }
    }

    /// The language of the text, the country of the storefront and its currency: `de_DE@currency=EUR`.
    private static func locale(_ offer: ProductOfferAnswer, _ country: StorefrontCode?) -> String {
        let parts = offer.language.split(separator: "-").map(String.init)
        let script = parts.dropFirst().first { $0.count == 4 }
        let region = country?.storefront?.alpha2 ?? parts.dropFirst().first { $0.count == 2 }
        let words = [parts.first ?? "en", script, region].compactMap(\.self)
        return words.joined(separator: "_") + "@currency=\(offer.price.currency.rawValue)"
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
