package import Foundation
package import StoreModel

/// What a developer's server signs, in the original form, to let one customer have one promotional offer.
package struct PromotionalOffer: Hashable, Sendable {
    package var bundleID: String
    package var keyID: String
    package var productID: String
    package var offerID: String
    /// The app account token or user name; empty if the app uses none.
    package var accountToken: String
    package var nonce: UUID
    package var timestamp: Instant

    package init(
        bundleID: String, keyID: String, productID: String, offerID: String, accountToken: String, nonce: UUID,
        timestamp: Instant
    ) {
        self.bundleID = bundleID
        self.keyID = keyID
        self.productID = productID
        self.offerID = offerID
        self.accountToken = accountToken
        self.nonce = nonce
        self.timestamp = timestamp
    }

    /// The seven parts in their order; account token and nonce count in lower case.
    var parts: [String] { parts(accountToken: accountTokensInLowerCase[0]) }

    private func parts(accountToken: String) -> [String] {
        [
            bundleID, keyID, productID, offerID, accountToken, nonce.uuidString.lowercased(),
            timestamp.millisecondsText,
        ]
    }

    /// The account token as signers write it in lower case. A Greek sigma that ends a word becomes ς in Python, Java
    /// and JavaScript, but σ in Swift. Both forms are accepted, the first one first.
    private var accountTokensInLowerCase: [String] {
        let inContext = accountToken.lowercased(with: Locale(identifier: "en_US_POSIX"))
        let letterByLetter = accountToken.lowercased()
        return inContext == letterByLetter ? [inContext] : [inContext, letterByLetter]
    }

    /// U+2063, the invisible separator.
    static let separator = "\u{2063}"

    /// The bytes that are signed.
    package var signedBytes: [UInt8] { Self.signedBytes(parts) }

    private static func signedBytes(_ parts: [String]) -> [UInt8] { Array(parts.joined(separator: separator).utf8) }

    /// Signs the offer: ECDSA over SHA-256, as DER in Base64.
    package func signature(by key: PrivateKey) throws -> String {
        guard key.algorithm == .p256 else {
            throw SigningError(.algorithmNotAllowed, "a promotional offer is signed with a P-256 key")
        }
        return try Base64.encode(key.signature(for: signedBytes))
    }

    /// Throws unless the signature belongs to this offer and key; the error names the likely mistake.
    package func requireSignature(_ signature: String, by key: PublicKey) throws {
        guard key.algorithm == .p256 else {
            throw SigningError(.algorithmNotAllowed, "a promotional offer is verified with a P-256 key")
        }
        guard signature.utf8.count <= Self.longestSignature else {
            throw SigningError(.tooLarge, "the offer signature exceeds \(Self.longestSignature) characters")
        }
        if let der = Base64.decode(signature) {
            for accountToken in accountTokensInLowerCase
            where try key.isValidSignature(der, for: Self.signedBytes(parts(accountToken: accountToken))) {
                return
            }
        }
        let mistake = try PromotionalOfferMistake.find(in: signature, for: self, by: key)
        throw SigningError(.invalidSignature, mistake ?? "the offer signature does not match the offer and the key")
    }

    /// The longest signature that is examined; a valid one has at most 96 characters, encoded twice 128.
    static let longestSignature = 512
}

/// Recognises the mistakes by which offer signatures usually come out wrong, so that a refusal can name them.
///
/// For each mistake, it tests whether the signature would match had the signer made exactly that one. This happens only
/// after a refusal and never makes a signature acceptable.
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

    /// A valid signature in a wrong form.
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

/// How old a signed offer may be.
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
