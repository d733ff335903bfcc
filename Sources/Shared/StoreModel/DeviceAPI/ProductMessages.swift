package struct ProductsRequest: Codable, Hashable, Sendable {
    /// The most ids of one request.
    package static let longest = 1000

    /// As the app has them; unknown ones are reported, not refused.
    package var productIds: [String]

    package init(productIds: [String]) {
        self.productIds = productIds
    }
}

package struct ProductsAnswer: Codable, Hashable, Sendable {
    package var products: [ProductListingAnswer]
    package var invalid: [InvalidProductAnswer]

    package init(products: [ProductListingAnswer], invalid: [InvalidProductAnswer]) {
        self.products = products
        self.invalid = invalid
    }
}

package struct ProductListingAnswer: Codable, Hashable, Sendable {
    package var productId: ProductID
    package var itemId: ItemID
    package var type: ProductKind
    package var title: String
    package var description: String
    /// The language of both.
    package var language: String
    package var price: PriceAnswer
    package var isFamilyShareable: Bool
    package var subscriptionPeriod: BillingPeriod?
    package var subscriptionGroupIdentifier: SubscriptionGroupID?
    /// What customers read of the group, in the language of the texts if it has a name in that.
    package var subscriptionGroupName: String?
    /// 1 for the highest service of the group.
    package var subscriptionGroupLevel: Int?
    /// What of its offers can be had at the moment; missing without any.
    package var offers: [SubscriptionOfferAnswer]?
    /// The version of the content that the store hosts; missing without any.
    package var contentVersion: ContentVersion?
    /// The bytes of each part of it that is fetched; there is one.
    package var contentLengths: [Int64]?

    package init(
        productId: ProductID, itemId: ItemID, type: ProductKind, title: String, description: String, language: String,
        price: PriceAnswer, isFamilyShareable: Bool, subscriptionPeriod: BillingPeriod?,
        subscriptionGroupIdentifier: SubscriptionGroupID?, subscriptionGroupName: String? = nil,
        subscriptionGroupLevel: Int? = nil, offers: [SubscriptionOfferAnswer]? = nil,
        contentVersion: ContentVersion? = nil, contentLengths: [Int64]? = nil
    ) {
        self.productId = productId
        self.itemId = itemId
        self.type = type
        self.title = title
        self.description = description
        self.language = language
        self.price = price
        self.isFamilyShareable = isFamilyShareable
        self.subscriptionPeriod = subscriptionPeriod
        self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
        self.subscriptionGroupName = subscriptionGroupName
        self.subscriptionGroupLevel = subscriptionGroupLevel
        self.offers = offers
        self.contentVersion = contentVersion
        self.contentLengths = contentLengths
    }
}

/// A lower price for the beginning of a subscription.
package struct SubscriptionOfferAnswer: Codable, Hashable, Sendable {
    package var offerId: String
    package var kind: WireWord<OfferKind>
    package var paymentMode: WireWord<OfferPaymentMode>
    package var period: BillingPeriod
    package var periodCount: Int
    /// Of a period, or of the whole offer if it is paid up front.
    package var price: PriceAnswer

    package init(
        offerId: String, kind: WireWord<OfferKind>, paymentMode: WireWord<OfferPaymentMode>, period: BillingPeriod,
        periodCount: Int,
        price: PriceAnswer
    ) {
        self.offerId = offerId
        self.kind = kind
        self.paymentMode = paymentMode
        self.period = period
        self.periodCount = periodCount
        self.price = price
    }
}

/// An amount for programs, and its text for display.
package struct PriceAnswer: Codable, Hashable, Sendable {
    /// A decimal number of the currency's main unit, "0.99".
    package var amount: String
    package var currency: CurrencyCode
    /// In the format of the storefront.
    package var display: String

    package init(amount: String, currency: CurrencyCode, display: String) {
        self.amount = amount
        self.currency = currency
        self.display = display
    }
}

package struct InvalidProductAnswer: Codable, Hashable, Sendable {
    package var productId: String
    /// Why, and what was probably meant; only in the sandbox.
    package var reason: String?
    package var explanation: String?
    package var nearest: ProductID?

    package init(productId: String, reason: String? = nil, explanation: String? = nil, nearest: ProductID? = nil) {
        self.productId = productId
        self.reason = reason
        self.explanation = explanation
        self.nearest = nearest
    }
}
