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
