/// A leaf's private key together with the chain that vouches for it: what a signer needs.
package struct CertifiedKey: Sendable {
    package let key: PrivateKey
    package let chain: CertificateChain

    package init(key: PrivateKey, chain: CertificateChain) {
        self.key = key
        self.chain = chain
    }
}
