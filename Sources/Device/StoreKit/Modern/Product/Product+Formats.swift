public import Foundation

extension Product {
    /// Writes prices as the product's own: in its currency, for the storefront.
    public var priceFormatStyle: Decimal.FormatStyle.Currency {
        Decimal.FormatStyle.Currency(code: currencyCode, locale: priceLocale)
    }

    /// Writes periods of the subscription and of its offers, in the language of the product.
    public var subscriptionPeriodFormatStyle: Product.SubscriptionPeriod.RangeFormatStyle {
        .init(locale: priceLocale, preferred: subscription?.subscriptionPeriod.unit)
    }

    /// Writes the units of periods, in the language of the product.
    public var subscriptionPeriodUnitFormatStyle: Product.SubscriptionPeriod.Unit.FormatStyle {
        .init(locale: priceLocale)
    }
}
