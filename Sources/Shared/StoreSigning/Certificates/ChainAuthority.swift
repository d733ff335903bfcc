package import StoreModel

/// Issues the certificates of one environment and purpose.
package struct ChainAuthority: Sendable {
    package let environment: StoreEnvironment
    package let purpose: ChainPurpose
    /// The name of the store's operator, in every certificate.
    package let organization: String

    package init(environment: StoreEnvironment, purpose: ChainPurpose, organization: String) {
        self.environment = environment
        self.purpose = purpose
        self.organization = organization
    }

    package func issueRoot(at instant: Instant) throws -> IssuedCertificate {
        let key = try purpose.makeKey()
        let certificate = try CertificateIssuer.selfSigned(request(.root, at: instant), key: key)
        return IssuedCertificate(certificate: certificate, key: key)
    }

    package func issueIntermediate(under root: IssuedCertificate, at instant: Instant) throws -> IssuedCertificate {
        try issue(.intermediate, under: root, at: instant)
    }

    package func issueLeaf(under intermediate: IssuedCertificate, at instant: Instant) throws -> IssuedCertificate {
        try issue(.leaf, under: intermediate, at: instant)
    }

    /// A whole chain at once, for stores in memory.
    package func issueChain(at instant: Instant) throws -> CertifiedKey {
        let root = try issueRoot(at: instant)
        let intermediate = try issueIntermediate(under: root, at: instant)
        let leaf = try issueLeaf(under: intermediate, at: instant)
        return CertifiedKey(
            key: leaf.key,
            chain: CertificateChain(
                leaf: leaf.certificate, intermediate: intermediate.certificate, root: root.certificate))
    }

    private func issue(
        _ role: CertificateRole, under issuer: IssuedCertificate, at instant: Instant
    ) throws -> IssuedCertificate {
        let key = try purpose.makeKey()
        var request = request(role, at: instant)
        // A certificate cannot verify anything after its issuer has expired.
        request.notAfter = min(request.notAfter, issuer.certificate.notAfter)
        let certificate = try CertificateIssuer(certificate: issuer.certificate, key: issuer.key)
            .issue(request, for: key)
        return IssuedCertificate(certificate: certificate, key: key)
    }

    private func request(_ role: CertificateRole, at instant: Instant) -> CertificateRequest {
        let validity = ChainValidity(environment, issuedAt: instant)
        func name(_ title: String) -> String {
            let place = environment == .production ? "" : " Sandbox"
            let ending = "\(place) \(purpose.title) \(title)"
            // The end of the name distinguishes the certificates of a store, so a long organization is shortened
            // instead.
            let room = CertificateRequest.longestName - ending.unicodeScalars.count
            return String((String(organization.unicodeScalars.prefix(room)) + ending).drop { $0 == " " })
        }
        return switch role {
        case .root:
            CertificateRequest(
                role: role, commonName: name("Root CA"), organization: organization, validity: validity.root)
        case .intermediate:
            CertificateRequest(
                role: role, commonName: name("Intermediate CA"), organization: organization,
                validity: validity.intermediate, markers: [.intermediate])
        case .leaf:
            CertificateRequest(
                role: role, commonName: name("Signing"), organization: organization, validity: validity.leaf,
                markers: [.signingLeaf])
        }
    }
}
