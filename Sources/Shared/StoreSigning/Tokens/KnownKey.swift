/// The public half of a named key, as the store remembers it.
package struct KnownKey: Sendable {
    package let keyID: String
    /// Whose key it is: the `iss` of everything signed with it.
    package let issuerID: String
    package let publicKey: PublicKey

    package init(keyID: String, issuerID: String, publicKey: PublicKey) {
        self.keyID = keyID
        self.issuerID = issuerID
        self.publicKey = publicKey
    }
}
