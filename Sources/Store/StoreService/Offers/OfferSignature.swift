import Foundation
import StoreCatalogue
import StoreDatabase
import StoreLog
import StoreModel
import StoreSigning

/// What an app sends of a promotional offer, unproven: the parts of `SKPaymentDiscount`.
package struct SignedDiscount: Hashable, Sendable {
    package let offerID: String
    package let keyID: String
    package let nonce: String
    package let signature: String
    /// In milliseconds since 1970.
    package let timestamp: Int64
    /// The user name of the payment, where it is no UUID.
    package let username: String?

    package init(
        offerID: String, keyID: String, nonce: String, signature: String, timestamp: Int64, username: String? = nil
    ) {
        self.offerID = offerID
        self.keyID = keyID
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
        self.username = username
    }

    var parts: [String] { [offerID, keyID, nonce.lowercased(), signature, "\(timestamp)", username ?? ""] }

    /// Refuses a discount of which something is missing.
    func requireParts() throws {
        let missing = [
            ("discount.offerId", offerID.isEmpty), ("discount.keyId", keyID.isEmpty),
            ("discount.nonce", nonce.isEmpty), ("discount.signature", signature.isEmpty),
            ("discount.timestamp", timestamp <= 0),
        ].filter(\.1).map(\.0)
        guard let first = missing.first else { return }
        throw ServiceError(
            .missingOfferParams, "the offer lacks \(missing.joined(separator: ", "))", parameter: first)
    }
}

/// Verifies the signatures of promotional offers, and says what is wrong with one.
///
/// A refusal names the likely mistake to developers: in the answers of the sandbox, and in the log of both environments. Apps
/// of production learn only that the signature is wrong.
package struct OfferSignature: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// What proves a discount, once its signature was verified.
    func proof(
        of discount: SignedDiscount, for product: ProductID, _ account: AppAccountToken?, app: AppID, bundle: BundleID
    ) async throws -> AskedOffer.Proof {
        let wall = store.clocks.wall()
        let keys = try await store.catalogue.lookUp { try OfferKeys.list(of: app, in: $0) }
        guard let nonce = UUID(uuidString: discount.nonce) else {
            throw refusal(of: discount, bundle, product, because: "the nonce is not a UUID")
        }
        let timestamp = Instant(millisecondsSinceEpoch: discount.timestamp)
        let signed = PromotionalOffer(
            bundleID: bundle.text, keyID: discount.keyID, productID: product.text, offerID: discount.offerID,
            accountToken: discount.username ?? account?.description ?? "", nonce: nonce, timestamp: timestamp)
        if let mistake = Self.mistake(in: discount.signature, of: signed, keys) {
            throw refusal(of: discount, bundle, product, because: mistake, signed: signed)
        }
        do {
            try OfferFreshness.require(timestamp, at: wall)
        } catch let error as SigningError {
            throw refusal(of: discount, bundle, product, because: error.description, signed: signed)
        }
        // As long as the signature is fresh, its nonce is remembered.
        let until = timestamp.adding(milliseconds: OfferFreshness.lifetimeMilliseconds + BearerToken.clockTolerance)
        return .signature(nonce: nonce.uuidString.lowercased(), until: until)
    }

    /// What is wrong with a signature; nil if it is good.
    private static func mistake(
        in signature: String, of signed: PromotionalOffer, _ keys: [OfferKeys.Entry]
    ) -> String? {
        guard let entry = keys.first(where: { $0.id == signed.keyID }) else {
            let names = keys.filter { $0.revokedAt == nil }.map(\.id)
            return "the app has no key \(signed.keyID.prefix(40))"
                + (names.isEmpty
                    ? "; it has none: till offer-keys add BUNDLE FILE" : "; it has: \(names.joined(separator: ", "))")
        }
        do {
            try signed.requireSignature(signature, by: PublicKey(pemRepresentation: entry.publicKey))
        } catch let error as SigningError {
            let other = keys.first { key in
                key.id != entry.id && (try? isSigned(signed, signature, key)) == true
            }
            return other.map { "it was signed with the key \($0.id), and says \(entry.id)" } ?? error.description
        } catch {
            return "\(error)"
        }
        return entry.revokedAt.map { "the key \(entry.id) was revoked at \($0.rfc3339)" }
    }

    /// Whether another key has made a signature, under its own id or under that of the offer.
    private static func isSigned(
        _ offer: PromotionalOffer, _ signature: String, _ entry: OfferKeys.Entry
    ) throws -> Bool {
        var own = offer
        own.keyID = entry.id
        let key = try PublicKey(pemRepresentation: entry.publicKey)
        return [offer, own].contains { (try? $0.requireSignature(signature, by: key)) != nil }
    }

    private func refusal(
        of discount: SignedDiscount, _ bundle: BundleID, _ product: ProductID, because mistake: String,
        signed: PromotionalOffer? = nil
    ) -> ServiceError {
        let expected =
            signed.map {
                "; what is verified is bundleId \($0.bundleID), keyId \($0.keyID), productId \($0.productID), "
                    + "offerId \($0.offerID), account \($0.accountToken.isEmpty ? "(empty)" : $0.accountToken.lowercased()), "
                    + "nonce \($0.nonce.uuidString.lowercased()), timestamp \($0.timestamp.millisecondsSinceEpoch), "
                    + "joined by U+2063"
            } ?? ""
        store.log.warning(
            "offer.signature", "The signature of a promotional offer was refused.",
            [
                "app": .text(bundle.text), "product": .text(product.text),
                "offer": .text(String(discount.offerID.prefix(100))), "reason": .text(mistake),
            ])
        let reason = store.environment == .sandbox ? ": \(mistake)\(expected)" : ""
        return ServiceError(
            .invalidOfferSignature, "the signature of the offer cannot be verified\(reason)",
            parameter: "discount.signature")
    }
}
