import Foundation
import StoreModel

/// Recognises the mistakes by which offer signatures usually come out wrong, so that a refusal can name them.
///
/// It tries, for each mistake, whether the signature would be right had the signer made exactly that one. This happens
/// after a refusal only and never makes a signature acceptable.
enum PromotionalOfferMistake {
    static func find(in signature: String, for offer: PromotionalOffer, by key: PublicKey) throws -> String? {
        guard let der = Base64.decode(signature) else { return try badEncoding(signature, for: offer, by: key) }
        if let mistake = try wrongForm(der, for: offer, by: key) { return mistake }
        for (parts, mistake) in wrongParts(of: offer) {
            let bytes = Array(parts.joined(separator: PromotionalOffer.separator).utf8)
            if try key.isValidSignature(der, for: bytes) { return mistake }
        }
        for (separator, name) in [("", "nothing"), (",", "a comma"), ("\\u2063", "the text \\u2063")] {
            let bytes = Array(offer.parts.joined(separator: separator).utf8)
            if try key.isValidSignature(der, for: bytes) {
                return "the parts were joined by \(name) instead of U+2063, the invisible separator"
            }
        }
        return nil
    }

    private static func badEncoding(
        _ signature: String, for offer: PromotionalOffer, by key: PublicKey
    ) throws -> String? {
        if let der = Base64.decode(signature, .url) {
            return try key.isValidSignature(der, for: offer.signedBytes)
                ? "the signature is Base64url; it must be standard Base64 with padding" : nil
        }
        return "the signature is not Base64"
    }

    /// The right signature in a wrong form.
    private static func wrongForm(_ der: [UInt8], for offer: PromotionalOffer, by key: PublicKey) throws -> String? {
        if let raw = ECDSASignature.der(fromRaw: der), try key.isValidSignature(raw, for: offer.signedBytes) {
            return "the signature is r and s of 32 bytes each; it must be DER"
        }
        let text = String(decoding: der, as: UTF8.self)
        if let inner = Base64.decode(text), try key.isValidSignature(inner, for: offer.signedBytes) {
            return "the signature was encoded in Base64 twice"
        }
        return nil
    }

    /// The parts as signers get them wrong.
    private static func wrongParts(of offer: PromotionalOffer) -> [([String], String)] {
        let parts = offer.parts
        func with(_ index: Int, _ value: String) -> [String] {
            var changed = parts
            changed[index] = value
            return changed
        }
        func swapping(_ first: Int, _ second: Int) -> [String] {
            var changed = parts
            changed.swapAt(first, second)
            return changed
        }
        let seconds = String(offer.timestamp.millisecondsSinceEpoch / 1000)
        return [
            (with(5, offer.nonce.uuidString), "the nonce was signed in upper case; it counts in lower case"),
            (with(4, offer.accountToken), "the account token was signed as it is; it counts in lower case"),
            (
                with(4, offer.accountToken.uppercased()),
                "the account token was signed in upper case; it counts in lower case"
            ),
            (with(4, ""), "the signature was made without the account token or user name that the purchase carries"),
            (with(6, seconds), "the timestamp was signed in seconds; it counts in milliseconds"),
            (swapping(2, 3), "product and offer identifier were signed in the wrong order"),
            (swapping(0, 1), "bundle and key identifier were signed in the wrong order"),
            (swapping(5, 6), "nonce and timestamp were signed in the wrong order"),
            (swapping(4, 5), "account token and nonce were signed in the wrong order"),
        ].filter { $0.0 != parts }
    }
}
