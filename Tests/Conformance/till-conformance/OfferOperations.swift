import Foundation
import StoreModel
import StoreSigning

/// Signs and verifies promotional offers in their original form.
enum OfferOperations {
    static var table: [String: Operation] {
        [
            "offer.sign": Operation(sign),
            "offer.verify": Operation(verify),
        ]
    }

    private struct Offer: Decodable {
        let bundleID: String
        let keyID: String
        let productID: String
        let offerID: String
        let accountToken: String
        let nonce: UUID
        let timestamp: Instant

        var offer: PromotionalOffer {
            PromotionalOffer(
                bundleID: bundleID, keyID: keyID, productID: productID, offerID: offerID, accountToken: accountToken,
                nonce: nonce, timestamp: timestamp)
        }
    }

    private struct Sign: Decodable {
        let offer: Offer
        let privateKey: String
    }

    private struct Signed: Encodable {
        let signature: String
    }

    private static func sign(_ request: Sign, in session: Session) throws -> Signed {
        let key = try PrivateKey(pemRepresentation: request.privateKey)
        return try Signed(signature: request.offer.offer.signature(by: key))
    }

    private struct Verify: Decodable {
        let offer: Offer
        let signature: String
        let publicKey: String
    }

    private static func verify(_ request: Verify, in session: Session) throws -> Accepted {
        let key = try PublicKey(pemRepresentation: request.publicKey)
        try request.offer.offer.requireSignature(request.signature, by: key)
        return Accepted()
    }
}

/// The answer of what either succeeds or is refused.
struct Accepted: Encodable {
    let accepted = true
}
