package import StoreModel

/// Issues the certificates of one environment and purpose.
package struct ChainAuthority: Sendable {
    package let environment: StoreEnvironment
    package let purpose: ChainPurpose
    /// The name of the store's operator, in every certificate.
    package let organization: String
    /// Where verifiers ask whether an intermediate or a leaf still counts; nil where nobody answers.
    private let onlineChecks: String?

    package init(
        environment: StoreEnvironment, purpose: ChainPurpose, organization: String, onlineChecks: String? = nil
    ) {
        self.environment = environment
        self.purpose = purpose
        self.organization = organization
        self.onlineChecks = onlineChecks
    }

    /// - Parameter first: the date from which on it has to be valid, if that is earlier than usual.
    package func issueRoot(at instant: Instant, from first: Instant? = nil) throws -> IssuedCertificate {
        let key = try purpose.makeKey()
        var request = request(.root, at: instant)
        request.notBefore = min(request.notBefore, first ?? request.notBefore)
        return IssuedCertificate(certificate: try CertificateIssuer.selfSigned(request, key: key), key: key)
    }

    package func issueIntermediate(under root: IssuedCertificate, at instant: Instant) throws -> IssuedCertificate {
        try issue(.intermediate, under: root, at: instant)
    }

    package func issueLeaf(under intermediate: IssuedCertificate, at instant: Instant) throws -> IssuedCertificate {
        try issue(.leaf, under: intermediate, at: instant)
    }

    /// A certificate that answers for what another has issued, as long as that is valid.
    package func issueResponder(under issuer: IssuedCertificate) throws -> IssuedCertificate {
        try issue(.responder, under: issuer, at: issuer.certificate.notBefore)
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
        // What was sold long ago is signed anew with its date of then, at which the new certificate has to be valid too.
        request.notBefore = issuer.certificate.notBefore
        // A certificate cannot verify anything after its issuer has expired.
        request.notAfter =
            role == .responder ? issuer.certificate.notAfter : min(request.notAfter, issuer.certificate.notAfter)
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
                validity: validity.intermediate, markers: [.intermediate], onlineChecks: onlineChecks)
        case .leaf:
            CertificateRequest(
                role: role, commonName: name("Signing"), organization: organization, validity: validity.leaf,
                markers: [.signingLeaf], onlineChecks: onlineChecks)
        case .responder:
            CertificateRequest(
                role: role, commonName: name("Responder"), organization: organization, validity: validity.leaf)
        }
    }
}
