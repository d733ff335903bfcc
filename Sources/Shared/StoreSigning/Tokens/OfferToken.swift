package import StoreModel

/// What a developer's server signs of an offer for a purchase, as a JWS: a promotional offer, or whether the customer may have the
/// introductory one.
package struct OfferToken: Hashable, Sendable {
    // Closed: these are the uses that Apple names.
    package enum Audience: String, Sendable {
        case promotionalOffer = "promotional-offer"
        case introductoryEligibility = "introductory-offer-eligibility"
    }

    package let bundleID: String
    package let issuedAt: Instant
    package let productID: String?
    package let offerID: String?
    package let nonce: String?
    package let allowsIntroductory: Bool?

    private struct Claims: Codable {
        var aud: String
        var bid: String
        var iat: NumericDate
        var nonce: String?
        var productId: String?
        var offerIdentifier: String?
        var allowIntroductoryOffer: Bool?
    }

    /// Verifies a token; the error names what is wrong.
    package init(
        verifying text: String, for audience: Audience, key find: (_ keyID: String) throws -> PublicKey?
    ) throws {
        let (claims, _) = try NamedKeyToken.verify(text, Claims.self, limit: SigningLimits.bearerTokenBytes) { id in
            try find(id).map { KnownKey(keyID: id, issuerID: "", publicKey: $0) }
        }
        guard claims.aud == audience.rawValue else {
            throw SigningError(.unexpectedContent, "aud of the token is not \(audience.rawValue)")
        }
        bundleID = claims.bid
        issuedAt = claims.iat.instant
        productID = claims.productId
        offerID = claims.offerIdentifier
        nonce = claims.nonce
        allowsIntroductory = claims.allowIntroductoryOffer
    }

    /// Signs a promotional offer, as a developer's server does.
    package static func promotionalOffer(
        _ offer: String, of product: String, in bundle: String, nonce: String, at instant: Instant, with key: NamedKey
    ) throws -> String {
        try NamedKeyToken.sign(
            Claims(
                aud: Audience.promotionalOffer.rawValue, bid: bundle, iat: NumericDate(instant), nonce: nonce,
                productId: product, offerIdentifier: offer), with: key)
    }

    /// Signs whether a customer may have the introductory offer, as a developer's server does.
    package static func introductoryEligibility(
        _ allows: Bool, of product: String, in bundle: String, at instant: Instant, with key: NamedKey
    ) throws -> String {
        try NamedKeyToken.sign(
            Claims(
                aud: Audience.introductoryEligibility.rawValue, bid: bundle, iat: NumericDate(instant),
                productId: product, allowIntroductoryOffer: allows), with: key)
    }
}
