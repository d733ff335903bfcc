/// The kinds of keys that chains and tokens are made of.
package enum KeyAlgorithm: String, Hashable, Sendable {
    // Closed: a new kind of key is a new decision for every place that signs or verifies.
    /// ECDSA on P-256: JWS, offers and tokens.
    case p256
    /// ECDSA on P-384: foreign roots and intermediates only.
    case p384
    /// RSA: receipts.
    case rsa
}
