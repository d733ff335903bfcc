import Foundation

/// A product as the storefront of the person shows it.
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
    /// Nothing unless the product renews itself.
    package var period: Period?
    /// Nothing unless the product renews itself.
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
        /// Nothing for an introductory offer.
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
