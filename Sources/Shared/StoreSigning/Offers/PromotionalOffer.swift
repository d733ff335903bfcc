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

    /// The account token as signers write it in lower case. A Greek sigma that ends a word becomes ς in Python, Java and
    /// JavaScript, whose form is the first here, but σ in Swift; a developer's server may be written in any of these.
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

    /// The longest signature that is looked at; a right one has 96 characters or fewer, twice encoded 128.
    static let longestSignature = 512
}
