import COpenSSL

/// Judges whether a leaf and the certificates that came with it lead to a trusted root.
// Safe: the certificate store is filled in init and only read afterwards, which OpenSSL allows from many threads.
package final class ChainVerifier: @unchecked Sendable {
    private let store: OpaquePointer
    private let requirements: ChainRequirements
    private let revocations: Revocations

    package init(roots: [Certificate], requirements: ChainRequirements, revocations: Revocations = Revocations()) throws
    {
        store = try OpenSSLFailure.unwrap(X509_STORE_new(), "making a store of roots")
        self.requirements = requirements
        self.revocations = revocations
        // From here on the instance is whole: an error ends it through deinit.
        for root in roots {
            try OpenSSLFailure.check(X509_STORE_add_cert(store, root.pointer), "trusting a root")
        }
    }

    deinit {
        X509_STORE_free(store)
    }

    /// Verifies everything but the date, which each signature is judged by on its own.
    package func verify(leaf: Certificate, others: [Certificate]) throws -> VerifiedChain {
        let chain = try buildChain(leaf: leaf, others: others)
        guard chain.leaf.publicKey.algorithm == requirements.leafKey else {
            throw SigningError(.algorithmNotAllowed, "the leaf certificate has another kind of key")
        }
        guard chain.leaf.carries(requirements.leafMarker) else {
            throw SigningError(
                .invalidCertificatePurpose,
                "the leaf certificate lacks the marker \(requirements.leafMarker.objectIdentifier)")
        }
        guard chain.intermediate.isAuthority, chain.intermediate.carries(requirements.intermediateMarker) else {
            throw SigningError(
                .invalidCertificatePurpose,
                "the intermediate certificate lacks the marker \(requirements.intermediateMarker.objectIdentifier)")
        }
        for certificate in chain.certificates where try revocations.contains(certificate) {
            throw SigningError(.revokedCertificate, "the certificate \(certificate.serialNumber) was revoked")
        }
        return VerifiedChain(chain)
    }

    private func buildChain(leaf: Certificate, others: [Certificate]) throws -> CertificateChain {
        let untrusted = try OpenSSLFailure.unwrap(till_certificates_new(), "listing certificates")
        defer { till_certificates_free(untrusted) }
        for certificate in others where till_certificates_push(untrusted, certificate.pointer) == 0 {
            throw OpenSSLFailure.error("listing certificates")
        }
        let context = try OpenSSLFailure.unwrap(X509_STORE_CTX_new(), "verifying a chain")
        defer { X509_STORE_CTX_free(context) }
        try OpenSSLFailure.check(X509_STORE_CTX_init(context, store, leaf.pointer, untrusted), "verifying a chain")
        let parameters = X509_STORE_CTX_get0_param(context)
        let flags = UInt(X509_V_FLAG_X509_STRICT) | UInt(X509_V_FLAG_NO_CHECK_TIME)
        try OpenSSLFailure.check(X509_VERIFY_PARAM_set_flags(parameters, flags), "verifying a chain")
        guard X509_verify_cert(context) == 1 else {
            let reason = String(cString: X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(context))))
            ERR_clear_error()
            throw SigningError(.untrustedChain, "the certificates lead to no trusted root: \(reason)")
        }
        return try certificates(of: X509_STORE_CTX_get0_chain(context))
    }

    private func certificates(of stack: OpaquePointer?) throws -> CertificateChain {
        let count = till_certificates_count(stack)
        guard count == CertificateRole.allCases.count else {
            throw SigningError(.invalidChainLength, "the chain has \(count) certificates instead of 3")
        }
        let certificates = try (0..<count).map { index in
            let pointer = try OpenSSLFailure.unwrap(till_certificates_at(stack, index), "reading a chain")
            try OpenSSLFailure.check(X509_up_ref(pointer), "reading a chain")
            return try Certificate(owning: pointer)
        }
        return CertificateChain(leaf: certificates[0], intermediate: certificates[1], root: certificates[2])
    }
}
