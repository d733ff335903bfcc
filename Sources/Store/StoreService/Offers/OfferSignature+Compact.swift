import StoreCatalogue
import StoreDatabase
import StoreLog
import StoreModel
import StoreSigning

extension OfferSignature {
    /// What proves a promotional offer that was signed as a JWS, and which offer it is for.
    func proof(
        ofCompact text: String, for product: ProductID, app: AppID, bundle: BundleID
    ) async throws -> (offer: String, proof: AskedOffer.Proof) {
        let wall = store.clocks.wall()
        do {
            let token = try await token(text, .promotionalOffer, app: app, bundle: bundle)
            guard let offer = token.offerID, token.productID == product.text, let nonce = token.nonce else {
                throw SigningError(
                    .unexpectedContent, "the token is for another product, or lacks the offer or the nonce")
            }
            try OfferFreshness.require(token.issuedAt, at: wall)
            let until = token.issuedAt.adding(
                milliseconds: OfferFreshness.lifetimeMilliseconds + BearerToken.clockTolerance)
            return (offer, .signature(nonce: nonce.lowercased(), until: until))
        } catch let error as SigningError {
            note(error, app: bundle, product)
            let reason = store.environment == .sandbox ? ": \(error.description)" : ""
            throw ServiceError(
                .invalidOfferSignature, "the signature of the offer cannot be verified\(reason)",
                parameter: "signedOffer")
        }
    }

    /// Whether the developer's server lets a customer have the introductory offer of a product.
    ///
    /// What nobody can verify is a no: the product is sold at its full price, without an error, as the App Store does.
    func allowsIntroductory(_ text: String, for product: ProductID, app: AppID, bundle: BundleID) async -> Bool {
        do {
            let token = try await token(text, .introductoryEligibility, app: app, bundle: bundle)
            guard token.productID == product.text, let allows = token.allowsIntroductory else {
                throw SigningError(
                    .unexpectedContent, "the token is for another product, or lacks allowIntroductoryOffer")
            }
            return allows
        } catch {
            note(error, app: bundle, product)
            return false
        }
    }

    private func token(
        _ text: String, _ audience: OfferToken.Audience, app: AppID, bundle: BundleID
    ) async throws -> OfferToken {
        let keys = try await store.catalogue.lookUp { try OfferKeys.list(of: app, in: $0) }
        let token = try OfferToken(verifying: text, for: audience) { id in
            guard let key = keys.first(where: { $0.id == id && $0.revokedAt == nil }) else { return nil }
            return try PublicKey(pemRepresentation: key.publicKey)
        }
        guard token.bundleID == bundle.text else {
            throw SigningError(.unexpectedContent, "bid of the token is not \(bundle)")
        }
        return token
    }

    private func note(_ error: any Error, app: BundleID, _ product: ProductID?) {
        store.log.warning(
            "offer.signature", "The signature of an offer was refused.",
            ["app": .text(app.text), "product": .text(product?.text ?? ""), "reason": .text("\(error)")])
    }
}
