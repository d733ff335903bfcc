import Foundation
import StoreModel
import StoreSigning

/// Signs and verifies the three kinds of offer tokens.
enum OfferTokenOperations {
    static var table: [String: Operation] {
        [
            "offer-token.sign.promotional": Operation(sign as Signing<PromotionalOfferTerms>),
            "offer-token.sign.introductory": Operation(sign as Signing<IntroductoryOfferTerms>),
            "offer-token.sign.advanced-commerce": Operation(sign as Signing<AdvancedCommerceTerms>),
            "offer-token.verify.promotional": Operation(verify as Verifying<PromotionalOfferTerms>),
            "offer-token.verify.introductory": Operation(verify as Verifying<IntroductoryOfferTerms>),
            "offer-token.verify.advanced-commerce": Operation(verify as Verifying<AdvancedCommerceTerms>),
        ]
    }

    private typealias Signing<Terms: OfferTerms> = (Sign<Terms>, Session) throws -> Signed
    private typealias Verifying<Terms: OfferTerms> = (Verify<Terms>, Session) throws -> Content<Terms>

    private struct Sign<Terms: OfferTerms>: Decodable {
        let bundleID: String
        let issuerID: String
        let keyID: String
        let privateKey: String
        let issuedAt: Instant
        let nonce: String
        let terms: Terms
    }

    private struct Signed: Encodable {
        let token: String
    }

    private static func sign<Terms>(_ request: Sign<Terms>, in session: Session) throws -> Signed {
        let token = OfferToken(
            bundleID: request.bundleID, issuerID: request.issuerID, issuedAt: request.issuedAt, nonce: request.nonce,
            terms: request.terms)
        let key = try NamedKey(keyID: request.keyID, key: PrivateKey(pemRepresentation: request.privateKey))
        return try Signed(token: token.signed(with: key))
    }

    private struct Verify<Terms: OfferTerms>: Decodable {
        let token: String
        let bundleID: String
        let at: Instant
        let keys: NamedKeys
    }

    private struct Content<Terms: OfferTerms>: Encodable {
        let bundleID: String
        let issuerID: String
        let issuedAt: Instant
        let nonce: String
        let terms: Terms
    }

    private static func verify<Terms>(_ request: Verify<Terms>, in session: Session) throws -> Content<Terms> {
        let token = try OfferToken<Terms>(
            verifying: request.token, bundleID: request.bundleID, at: request.at, key: request.keys.find)
        return Content(
            bundleID: token.bundleID, issuerID: token.issuerID, issuedAt: token.issuedAt, nonce: token.nonce,
            terms: token.terms)
    }
}
