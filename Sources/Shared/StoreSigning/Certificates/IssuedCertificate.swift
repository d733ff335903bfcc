/// A certificate and the private key it speaks for.
package struct IssuedCertificate: Sendable {
    package let certificate: Certificate
    package let key: PrivateKey

    package init(certificate: Certificate, key: PrivateKey) {
        self.certificate = certificate
        self.key = key
    }
}
