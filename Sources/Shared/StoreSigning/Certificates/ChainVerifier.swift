import COpenSSL
package import StoreModel
import Synchronization

/// Checks whether a leaf and the certificates that came with it lead to a trusted root.
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
        // All properties are set: an error runs deinit.
        for root in roots {
            try OpenSSLFailure.check(X509_STORE_add_cert(store, root.pointer), "trusting a root")
        }
    }

    deinit {
        X509_STORE_free(store)
    }

    /// Verifies everything but the date, which is checked for each signature.
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
        guard count == CertificateRole.chain.count else {
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

/// What a chain must be, beyond leading to a trusted root.
package struct ChainRequirements: Hashable, Sendable {
    package var leafMarker: MarkerExtension
    package var intermediateMarker: MarkerExtension
    package var leafKey: KeyAlgorithm

    package init(leafMarker: MarkerExtension, intermediateMarker: MarkerExtension, leafKey: KeyAlgorithm) {
        self.leafMarker = leafMarker
        self.intermediateMarker = intermediateMarker
        self.leafKey = leafKey
    }

    /// Chains of signed JSON.
    package static let jws = ChainRequirements(
        leafMarker: .signingLeaf, intermediateMarker: .intermediate, leafKey: .p256)
    /// Chains of receipts.
    package static let receipt = ChainRequirements(
        leafMarker: .signingLeaf, intermediateMarker: .intermediate, leafKey: .rsa)
}

/// A chain that led to a trusted root and met its requirements; only the date remains to be checked, per signature.
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

    /// Throws unless the chain was valid at the moment of signing, in whole seconds, as in certificates.
    func requireValidity(at instant: Instant) throws {
        let lastMillisecond = notAfter.millisecondsSinceEpoch.addingReportingOverflow(999)
        guard instant >= notBefore, lastMillisecond.overflow || instant.millisecondsSinceEpoch <= lastMillisecond.0
        else {
            throw SigningError(
                .outsideValidity, "the certificates were not valid when this was signed, at \(instant.rfc3339)")
        }
    }
}

/// A cache of the chains that were verified recently, by their bytes.
///
/// A store signs with one chain for months, so a verifier sees almost the same bytes again and again. Only successes
/// are cached, and their number is limited.
final class RecentChains<Value: Sendable>: Sendable {
    private struct Entry {
        let key: [UInt8]
        let value: Value
    }
    private let entries = Mutex<[Entry]>([])

    func value(for key: UnsafeRawBufferPointer) -> Value? {
        value(for: key, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// The entry for the concatenation of two byte sequences.
    func value(for first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Value? {
        entries.withLock { entries in
            entries.last { entry in
                entry.key.count == first.count + second.count
                    && entry.key.withUnsafeBytes { key in
                        UnsafeRawBufferPointer(rebasing: key[..<first.count]).holdsSame(as: first)
                            && UnsafeRawBufferPointer(rebasing: key[first.count...]).holdsSame(as: second)
                    }
            }?.value
        }
    }

    func remember(_ value: Value, for key: [UInt8]) {
        entries.withLock { entries in
            if entries.contains(where: { $0.key == key }) { return }
            if entries.count >= SigningLimits.cachedChains { entries.removeFirst() }
            entries.append(Entry(key: key, value: value))
        }
    }
}

/// The certificates that a store has revoked, by fingerprint.
///
/// No signature of a revoked certificate is valid, whatever date it claims: the holder of a stolen key can claim any
/// date.
package struct Revocations: Hashable, Sendable {
    private var fingerprints: Set<[UInt8]>

    package init(fingerprints: some Sequence<[UInt8]> = []) {
        self.fingerprints = Set(fingerprints)
    }

    package func contains(_ certificate: Certificate) throws -> Bool {
        try !fingerprints.isEmpty && fingerprints.contains(certificate.fingerprint)
    }
}
