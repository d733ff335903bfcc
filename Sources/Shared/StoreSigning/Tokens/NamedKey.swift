/// A private key that its owner gave out under a name: what a developer's server signs tokens and offers with.
package struct NamedKey: Sendable {
    package let keyID: String
    package let key: PrivateKey

    package init(keyID: String, key: PrivateKey) {
        self.keyID = keyID
        self.key = key
    }
}
