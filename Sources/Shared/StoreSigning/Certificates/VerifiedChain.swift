package import StoreModel

/// A chain that led to a trusted root and met its requirements; only the date is left to be judged, per signature.
package final class VerifiedChain: Sendable {
    package let chain: CertificateChain
    /// The span in which all three certificates are valid.
    package let notBefore: Instant
    package let notAfter: Instant

    init(_ chain: CertificateChain) {
        self.chain = chain
        notBefore = chain.certificates.map(\.notBefore).max() ?? chain.leaf.notBefore
        notAfter = chain.certificates.map(\.notAfter).min() ?? chain.leaf.notAfter
    }

    /// Throws unless the chain was valid at the moment of signing, to the second as certificates tell time.
    func requireValidity(at instant: Instant) throws {
        let lastMillisecond = notAfter.millisecondsSinceEpoch.addingReportingOverflow(999)
        guard instant >= notBefore, lastMillisecond.overflow || instant.millisecondsSinceEpoch <= lastMillisecond.0
        else {
            throw SigningError(
                .outsideValidity, "the certificates were not valid when this was signed, at \(instant.rfc3339)")
        }
    }
}
