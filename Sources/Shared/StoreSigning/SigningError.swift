/// Why something could not be signed, verified, read or kept.
///
/// The code is for programs, the message for people. Neither ever contains a key, a token, a receipt or a passphrase.
package struct SigningError: Error, Hashable, Sendable {
    /// What kind of failure this is; more may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The bytes do not have the form they should have.
        package static let malformed = Code(rawValue: "malformed")
        /// The bytes exceed a named limit.
        package static let tooLarge = Code(rawValue: "too_large")
        /// The signature does not belong to these bytes and this key.
        package static let invalidSignature = Code(rawValue: "invalid_signature")
        /// The algorithm named by the bytes is not the one this place accepts.
        package static let algorithmNotAllowed = Code(rawValue: "algorithm_not_allowed")
        /// The certificates do not lead to a trusted root.
        package static let untrustedChain = Code(rawValue: "untrusted_chain")
        /// The chain does not have exactly the certificates it must have.
        package static let invalidChainLength = Code(rawValue: "invalid_chain_length")
        /// A certificate lacks the marker or the rights its place in the chain demands.
        package static let invalidCertificatePurpose = Code(rawValue: "invalid_certificate_purpose")
        /// A certificate was not valid at the moment of signing.
        package static let outsideValidity = Code(rawValue: "outside_validity")
        /// No key is known under the name that the token gives.
        package static let unknownKey = Code(rawValue: "unknown_key")
        /// A certificate was revoked by its store.
        package static let revokedCertificate = Code(rawValue: "revoked_certificate")
        /// The content is authentic but not what was expected: another bundle, environment, audience, device.
        package static let unexpectedContent = Code(rawValue: "unexpected_content")
        /// The token or offer is no longer, or not yet, valid.
        package static let expired = Code(rawValue: "expired")
        /// The passphrase does not open the key, or one is needed and none was given.
        package static let wrongPassphrase = Code(rawValue: "wrong_passphrase")
        /// The key store is missing, incomplete or not safe to use.
        package static let keyStore = Code(rawValue: "key_store")
        /// There is no key store where one was expected.
        package static let keyStoreMissing = Code(rawValue: "key_store_missing")
        /// Another process is changing the key store.
        package static let keyStoreBusy = Code(rawValue: "key_store_busy")
        /// OpenSSL refused; the message carries its reason.
        package static let cryptography = Code(rawValue: "cryptography")
    }

    package let code: Code
    /// One sentence that is safe to log.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension SigningError: CustomStringConvertible {
    package var description: String { message }
}
