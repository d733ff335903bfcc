import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

/// The offers that a developer's server signs in the form of a JWT.
@Suite struct OfferTokenTests {
    private let now = Fixture.now
    private let named: NamedKey
    private let known: KnownKey
    private static let nonce = "fd9b3e1a-8a5b-4d3a-b9a1-6f1f0c9d2e77"

    init() throws {
        named = try NamedKey(keyID: "KEY1", key: GoldenKeys.p256.privateKey())
        known = try KnownKey(keyID: "KEY1", issuerID: "issuer-1", publicKey: named.key.publicKey)
    }

    private func token<Terms: OfferTerms>(
        _ terms: Terms, bundleID: String = "com.example.app", issuerID: String = "issuer-1", at instant: Instant? = nil,
        nonce: String = nonce
    ) throws -> String {
        try OfferToken(
            bundleID: bundleID, issuerID: issuerID, issuedAt: instant ?? now, nonce: nonce, terms: terms
        ).signed(with: named)
    }

    private func verify<Terms: OfferTerms>(_ token: String, _ type: Terms.Type) throws -> OfferToken<Terms> {
        try OfferToken(verifying: token, bundleID: "com.example.app", at: now) { $0 == "KEY1" ? known : nil }
    }

    private let promotional = PromotionalOfferTerms(
        productId: "com.example.pro", offerIdentifier: "winter", transactionId: "2000000000000001")

    @Test("Every kind of offer is verified with its terms") func everyKindOffer() throws {
        let introductory = IntroductoryOfferTerms(productId: "p", allowIntroductoryOffer: false, transactionId: "7")
        let commerce = AdvancedCommerceTerms(request: "e30=")
        #expect(try verify(token(promotional), PromotionalOfferTerms.self).terms == promotional)
        #expect(try verify(token(introductory), IntroductoryOfferTerms.self).terms == introductory)
        #expect(try verify(token(commerce), AdvancedCommerceTerms.self).terms == commerce)
        let unbound = PromotionalOfferTerms(productId: "p", offerIdentifier: "o")
        #expect(try verify(token(unbound), PromotionalOfferTerms.self).terms.transactionId == nil)
    }

    @Test("One kind of offer does not pass for another") func oneKindOffer() throws {
        let introductory = IntroductoryOfferTerms(productId: "p", allowIntroductoryOffer: true, transactionId: "7")
        #expect(throws: SigningError.self) { try verify(token(introductory), PromotionalOfferTerms.self) }
        #expect(throws: SigningError.self) { try verify(token(promotional), AdvancedCommerceTerms.self) }
        // With all members of the other kind too, the audience alone decides.
        struct Both: OfferTerms {
            static let audience = IntroductoryOfferTerms.audience
            var productId = "p"
            var offerIdentifier = "o"
            var allowIntroductoryOffer = true
            var transactionId = "7"
        }
        let both = try token(Both())
        expectRefusal(.unexpectedContent) { try verify(both, PromotionalOfferTerms.self) }
        #expect(throws: Never.self) { try verify(both, IntroductoryOfferTerms.self) }
    }

    @Test("Bundle, issuer and nonce must be right") func bundleIssuerNonce() throws {
        for wrong in try [
            token(promotional, bundleID: "com.example.other"), token(promotional, issuerID: "issuer-2"),
            token(promotional, nonce: ""), token(promotional, nonce: "not a UUID"),
        ] {
            expectRefusal(.unexpectedContent) { try verify(wrong, PromotionalOfferTerms.self) }
        }
        let upper = try token(promotional, nonce: Self.nonce.uppercased())
        #expect(try verify(upper, PromotionalOfferTerms.self).nonce == Self.nonce)
    }

    @Test("A token lives for a day, and clocks may differ by a minute") func tokenLivesDay() throws {
        let day: Int64 = 24 * 60 * 60 * 1000
        for age in [0, day, -60_000, 1000] {
            #expect(throws: Never.self, "\(age)") {
                try verify(token(promotional, at: now.adding(milliseconds: -age)), PromotionalOfferTerms.self)
            }
        }
        for age in [day + 1000, -61_000, 365 * day] {
            let token = try token(promotional, at: now.adding(milliseconds: -age))
            expectRefusal(.expired, "\(age)") { try verify(token, PromotionalOfferTerms.self) }
        }
    }

    @Test("Another key, an unknown one and one of another kind are refused") func anotherKeyUnknown() throws {
        let token = try token(promotional)
        func verify(_ key: KnownKey?) throws -> OfferToken<PromotionalOfferTerms> {
            try OfferToken(verifying: token, bundleID: "com.example.app", at: now) { _ in key }
        }
        expectRefusal(.unknownKey) { try verify(nil) }
        let stranger = try KnownKey(keyID: "KEY1", issuerID: "issuer-1", publicKey: PrivateKey.p256().publicKey)
        expectRefusal(.invalidSignature) { try verify(stranger) }
        let rsa = try KnownKey(
            keyID: "KEY1", issuerID: "issuer-1", publicKey: PublicKey(pemRepresentation: GoldenKeys.rsaPublic.pem))
        expectRefusal(.algorithmNotAllowed) { try verify(rsa) }
    }

    @Test("A damaged token is refused or has the terms of a genuine one", .mutationTimeLimit) func damagedTokenRefused()
        throws
    {
        let other = PromotionalOfferTerms(productId: "com.example.pro", offerIdentifier: "summer")
        let genuine = try [token(promotional), token(other)]
        for token in genuine { _ = try verify(token, PromotionalOfferTerms.self) }
        for mutant in Mutants("Offer tokens", of: genuine, rounds: 2000) {
            let read = reading(mutant) { try verify(mutant.text, PromotionalOfferTerms.self) }
            if let read { #expect([promotional, other].contains(read.terms), "\(mutant)") }
        }
    }
}
