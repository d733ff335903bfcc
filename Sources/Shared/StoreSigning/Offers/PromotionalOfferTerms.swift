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
