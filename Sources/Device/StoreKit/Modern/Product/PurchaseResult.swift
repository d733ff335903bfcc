extension Product {
    /// What came of a purchase.
    public enum PurchaseResult: Sendable {
        /// It was bought. Finish the transaction when the customer has what it is for.
        case success(VerificationResult<Transaction>)
        /// The customer did not buy it.
        case userCancelled
        /// The customer has to do something first, or someone has to approve it. What comes of it is in ``Transaction/updates``.
        case pending
    }

    /// Why a purchase was not begun.
    public enum PurchaseError: Error, Equatable, Hashable, Sendable {
        /// The quantity is none that can be bought.
        case invalidQuantity
        /// The product is not sold in the storefront.
        case productUnavailable
        /// Purchases are not allowed on the device.
        case purchaseNotAllowed
        /// The customer may not have the offer.
        case ineligibleForOffer
        /// The product has no such offer.
        case invalidOfferIdentifier
        /// The offer costs as much as the product, or more.
        case invalidOfferPrice
        /// The signature of the offer is not good.
        case invalidOfferSignature
        /// The offer lacks something that it must say.
        case missingOfferParameters
    }
}
