/// The higher prices that wait for the customer's answer: `GET /device/v1/price-consents`.
package struct PriceConsentsAnswer: Codable, Hashable, Sendable {
    package var consents: [PriceConsentAnswer]

    package init(consents: [PriceConsentAnswer]) {
        self.consents = consents
    }
}

/// A higher price of a subscription that ends without the customer's consent.
package struct PriceConsentAnswer: Codable, Hashable, Sendable {
    /// The first transaction of the subscription.
    package var subscriptionId: TransactionID
    package var productId: ProductID
    /// In the language of the storefront, as the prices are written; missing if it has none.
    package var title: String?
    /// What it costs now, and what it is to cost.
    package var price: PriceAnswer
    package var higherPrice: PriceAnswer
    /// From when on, by the customer's clock.
    package var date: Instant
    /// When the customer was first asked; it tells one increase of a subscription from the next.
    package var askedAt: Instant
    /// All of it in a sentence, in the language of the device.
    package var text: String

    package init(
        subscriptionId: TransactionID, productId: ProductID, title: String? = nil, price: PriceAnswer,
        higherPrice: PriceAnswer, date: Instant, askedAt: Instant, text: String
    ) {
        self.subscriptionId = subscriptionId
        self.productId = productId
        self.title = title
        self.price = price
        self.higherPrice = higherPrice
        self.date = date
        self.askedAt = askedAt
        self.text = text
    }
}

/// The customer's answer: `POST /device/v1/price-consents/{subscriptionId}`.
package struct PriceConsentRequest: Codable, Hashable, Sendable {
    package var agrees: Bool
    /// Of the increase that the customer was shown.
    package var askedAt: Instant

    package init(agrees: Bool, askedAt: Instant) {
        self.agrees = agrees
        self.askedAt = askedAt
    }
}
