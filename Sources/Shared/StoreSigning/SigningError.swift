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
        /// The signature does not match these bytes and this key.
        package static let invalidSignature = Code(rawValue: "invalid_signature")
        /// The algorithm named by the bytes is not accepted here.
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
        /// The certificate that would sign was revoked by its store.
        package static let signerRevoked = Code(rawValue: "signer_revoked")
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

/// The limits of every parser of untrusted bytes in this module.
package enum SigningLimits {
    /// A compact JWS, in bytes.
    package static let jwsBytes = 256 * 1024
    /// The header of a compact JWS, in Base64: three certificates several times as large as any in use. It is read
    /// before the signature is checked, and malicious text takes quadratic time to read.
    package static let jwsHeaderBytes = 32 * 1024
    /// An app receipt, in bytes of DER.
    package static let receiptBytes = 3 * 1024 * 1024
    /// A transaction receipt of the iOS 6 form, in bytes of text.
    package static let transactionReceiptBytes = 64 * 1024
    /// Certificates embedded in one receipt.
    package static let certificatesPerReceipt = 10
    /// Signers of one receipt.
    package static let signersPerReceipt = 4
    /// One certificate, in bytes of DER.
    package static let certificateBytes = 16 * 1024
    /// Nested constructed values in BER.
    package static let nestingDepth = 32
    /// Attributes at one level of a receipt.
    package static let attributesPerSet = 100_000
    /// Verified chains remembered by one verifier.
    package static let cachedChains = 32
    /// Idle signing or verifying contexts kept for one key.
    package static let idleContextsPerKey = 16
    /// A request whether certificates still count, in bytes.
    package static let statusRequestBytes = 4 * 1024
    /// The certificates that one such request may ask about.
    package static let certificatesPerStatusRequest = 16
    /// The content of the extension by which such a request tells its answer from others.
    package static let statusNonceBytes = 130
    /// A bearer token, in bytes.
    package static let bearerTokenBytes = 8 * 1024
    /// Keys of one old-style property list.
    package static let propertyListKeys = 64
    /// Bytes sealed with AES-GCM in one piece.
    package static let sealedBytes = 256 * 1024 * 1024
    /// A private key file, in bytes.
    package static let keyFileBytes = 64 * 1024
    /// The list of certificates of one environment, in bytes: room for some ten thousand of them.
    package static let keyringBytes = 4 * 1024 * 1024
    /// The passphrase of a private key file, in bytes; OpenSSL does not accept a longer one when it reads the file.
    package static let passphraseBytes = 1024
}
