public import Foundation
package import StoreModel

/// A product of the app, as the storefront of the customer sells it.
///
/// Two products are equal if all that the store says of them is.
public struct Product: Identifiable, Sendable {
    /// What names a product to the store.
    public typealias ID = String

    /// All that the store says of the product, as JSON. Its form is the store's own and may change.
    public let jsonRepresentation: Data
    /// What names the product to the store.
    public let id: String
    /// The kind of the product.
    public let type: Product.ProductType
    /// The name of the product, in the language of the customer.
    public let displayName: String
    /// What the product is, in the language of the customer.
    public let description: String
    /// The price, in the currency of the storefront.
    public let price: Decimal
    /// The price with its currency, as the storefront writes it.
    public let displayPrice: String
    /// Whether what is bought can be used by the customer's family.
    public let isFamilyShareable: Bool
    /// The terms of the subscription; nil unless the product renews itself.
    public let subscription: Product.SubscriptionInfo?

    /// The locale that the price is written in, with its currency.
    let priceLocale: Locale
    /// The currency of the price, in three letters.
    let currencyCode: String

    /// A product as the store lists it.
    ///
    /// - Parameter country: the storefront that listed it.
    package init(_ listing: ProductListingAnswer, in country: StorefrontCode?) {
        let locale = ProductRecord.locale(listing, country)
        id = listing.productId.text
        type = ProductType(rawValue: listing.type.rawValue)
        displayName = listing.title
        description = listing.description
        price = ProductRecord.amount(listing.price)
        displayPrice = listing.price.display
        isFamilyShareable = listing.isFamilyShareable
        priceLocale = Locale(identifier: locale)
        currencyCode = listing.price.currency.rawValue
        subscription = SubscriptionInfo(listing)
        jsonRepresentation = ProductJSON.data(of: listing, locale: locale)
    }

    /// The kinds of products.
    public struct ProductType: RawRepresentable, Equatable, Hashable, Sendable {
        /// As the store writes it.
        public let rawValue: String

        /// Any kind, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Used up, and bought again.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// Bought once, and owned for good.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// A subscription that ends, whose period the app counts.
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        /// A subscription that renews itself.
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")
    }
}

extension Product: Equatable, Hashable {
    /// Whether the store says the same of both.
    public static func == (first: Product, second: Product) -> Bool {
        first.jsonRepresentation == second.jsonRepresentation
    }

    /// Hashes what the store says of the product.
    public func hash(into hasher: inout Hasher) { hasher.combine(jsonRepresentation) }
}

extension Product: CustomDebugStringConvertible {
    /// What the store says of the product, as text.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

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
