/// The claims that one kind of offer token adds to those all have.
package protocol OfferTerms: Codable, Hashable, Sendable {
    /// The `aud` by which the kinds are told apart.
    static var audience: String { get }
}

/// The terms of a promotional offer.
package struct PromotionalOfferTerms: OfferTerms {
    package static let audience = "promotional-offer"
    package var productId: String
    package var offerIdentifier: String
    /// Any transaction of the customer, or the app transaction, to bind the offer to them.
    package var transactionId: String?

    package init(productId: String, offerIdentifier: String, transactionId: String? = nil) {
        self.productId = productId
        self.offerIdentifier = offerIdentifier
        self.transactionId = transactionId
    }
}

/// The developer's word on whether a customer may have the introductory offer.
package struct IntroductoryOfferTerms: OfferTerms {
    package static let audience = "introductory-offer-eligibility"
    package var productId: String
    package var allowIntroductoryOffer: Bool
    package var transactionId: String

    package init(productId: String, allowIntroductoryOffer: Bool, transactionId: String) {
        self.productId = productId
        self.allowIntroductoryOffer = allowIntroductoryOffer
        self.transactionId = transactionId
    }
}

/// An Advanced Commerce request made inside the app.
package struct AdvancedCommerceTerms: OfferTerms {
    package static let audience = "advanced-commerce-api"
    /// The JSON of the request in Base64.
    package var request: String

    package init(request: String) {
        self.request = request
    }
}
