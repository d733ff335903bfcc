import Foundation
package import StoreModel

/// What a developer's server signs, in the form of 2025, to change the terms of one purchase: a JWT with its claims.
package struct OfferToken<Terms: OfferTerms>: Sendable {
    package let bundleID: String
    package let issuerID: String
    package let issuedAt: Instant
    package let nonce: String
    package let terms: Terms

    package init(bundleID: String, issuerID: String, issuedAt: Instant, nonce: String, terms: Terms) {
        self.bundleID = bundleID
        self.issuerID = issuerID
        self.issuedAt = issuedAt
        self.nonce = nonce
        self.terms = terms
    }

    package func signed(with key: NamedKey) throws -> String {
        try NamedKeyToken.sign(OfferTokenClaims(self), with: key)
    }

    /// Verifies a token at the moment `now`. The store checks that its nonce was not used before.
    package init(
        verifying token: String, bundleID: String, at now: Instant, key find: (_ keyID: String) throws -> KnownKey?
    ) throws {
        let (claims, key) = try NamedKeyToken.verify(
            token, OfferTokenClaims<Terms>.self, limit: SigningLimits.jwsBytes, key: find)
        guard claims.aud == Terms.audience else {
            throw SigningError(.unexpectedContent, "aud of the token is not \(Terms.audience)")
        }
        guard claims.bid == bundleID else {
            throw SigningError(.unexpectedContent, "bid of the token is another bundle than that of the purchase")
        }
        guard claims.iss == key.issuerID else {
            throw SigningError(.unexpectedContent, "iss of the token is not the issuer that owns its key")
        }
        guard UUID(uuidString: claims.nonce) != nil else {
            throw SigningError(.unexpectedContent, "nonce of the token is not a UUID")
        }
        try OfferFreshness.require(claims.iat.instant, at: now)
        self.init(
            bundleID: claims.bid, issuerID: claims.iss, issuedAt: claims.iat.instant,
            nonce: claims.nonce.lowercased(), terms: claims.terms)
    }
}

/// The claims of an offer token in one flat object.
private struct OfferTokenClaims<Terms: OfferTerms>: Codable {
    let bid: String
    let iss: String
    let aud: String
    let iat: NumericDate
    let nonce: String
    let terms: Terms

    private enum CodingKeys: CodingKey {
        case bid, iss, aud, iat, nonce
    }

    init(_ token: OfferToken<Terms>) {
        bid = token.bundleID
        iss = token.issuerID
        aud = Terms.audience
        iat = NumericDate(token.issuedAt)
        nonce = token.nonce
        terms = token.terms
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        bid = try container.decode(String.self, forKey: .bid)
        iss = try container.decode(String.self, forKey: .iss)
        aud = try container.decode(String.self, forKey: .aud)
        iat = try container.decode(NumericDate.self, forKey: .iat)
        nonce = try container.decode(String.self, forKey: .nonce)
        terms = try Terms(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(bid, forKey: .bid)
        try container.encode(iss, forKey: .iss)
        try container.encode(aud, forKey: .aud)
        try container.encode(iat, forKey: .iat)
        try container.encode(nonce, forKey: .nonce)
        try terms.encode(to: encoder)
    }
}

/// The claims that one kind of offer token adds to the common ones.
package protocol OfferTerms: Codable, Hashable, Sendable {
    /// The `aud`, which distinguishes the kinds.
    static var audience: String { get }
}

/// Whether the developer lets a customer have the introductory offer.
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

/// An Advanced Commerce request made inside the app.
package struct AdvancedCommerceTerms: OfferTerms {
    package static let audience = "advanced-commerce-api"
    /// The JSON of the request in Base64.
    package var request: String

    package init(request: String) {
        self.request = request
    }
}

/// How old a signed offer may be, in both of its forms.
package enum OfferFreshness {
    package static let lifetimeMilliseconds: Int64 = 24 * 60 * 60 * 1000

    /// Throws unless an offer signed at `instant` may still be used at `now`.
    package static func require(_ instant: Instant, at now: Instant) throws {
        guard instant <= now.adding(milliseconds: BearerToken.clockTolerance) else {
            throw SigningError(.expired, "the offer was signed in the future, at \(instant.rfc3339)")
        }
        guard now <= instant.adding(milliseconds: lifetimeMilliseconds) else {
            throw SigningError(.expired, "the offer was signed at \(instant.rfc3339), more than 24 hours ago")
        }
    }
}
