package import StoreModel

/// Everything about a certificate to be issued but its key and its issuer.
package struct CertificateRequest: Sendable {
    package var role: CertificateRole
    package var commonName: String
    package var organization: String
    package var notBefore: Instant
    package var notAfter: Instant
    package var markers: [MarkerExtension]

    /// The most characters that X.520 allows for a common name or an organization.
    static let longestName = 64

    package init(
        role: CertificateRole, commonName: String, organization: String, validity: Range<Instant>,
        markers: [MarkerExtension] = []
    ) {
        self.role = role
        self.commonName = commonName
        self.organization = organization
        notBefore = validity.lowerBound
        notAfter = validity.upperBound
        self.markers = markers
    }

    /// The extensions of RFC 5280 that the strictest verifiers insist on, in the notation of OpenSSL's configuration.
    var extensions: [(name: String, value: String)] {
        switch role {
        case .root:
            [
                ("basicConstraints", "critical,CA:TRUE"), ("keyUsage", "critical,keyCertSign,cRLSign"),
                ("subjectKeyIdentifier", "hash"),
            ]
        case .intermediate:
            [
                ("basicConstraints", "critical,CA:TRUE,pathlen:0"), ("keyUsage", "critical,keyCertSign,cRLSign"),
                ("subjectKeyIdentifier", "hash"), ("authorityKeyIdentifier", "keyid:always"),
            ]
        case .leaf:
            [
                ("basicConstraints", "critical,CA:FALSE"), ("keyUsage", "critical,digitalSignature"),
                ("subjectKeyIdentifier", "hash"), ("authorityKeyIdentifier", "keyid:always"),
            ]
        }
    }
}
