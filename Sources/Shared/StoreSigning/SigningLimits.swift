/// The limits of every parser of foreign bytes in this module.
package enum SigningLimits {
    /// A compact JWS, in bytes.
    package static let jwsBytes = 256 * 1024
    /// The header of a compact JWS, in Base64: three certificates several times as large as any in the field. It is read
    /// before any signature, and reading text of a hostile making takes time that grows with the square of its length.
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
    /// The passphrase of a private key file, in bytes; OpenSSL asks for no longer one when it reads the file.
    package static let passphraseBytes = 1024
}
