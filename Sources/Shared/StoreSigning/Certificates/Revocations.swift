/// The certificates that a store has taken back, by fingerprint.
///
/// A revoked certificate vouches for nothing any more, whatever date a signature claims: whoever holds its key can
/// claim any date.
package struct Revocations: Hashable, Sendable {
    private var fingerprints: Set<[UInt8]>

    package init(fingerprints: some Sequence<[UInt8]> = []) {
        self.fingerprints = Set(fingerprints)
    }

    package func contains(_ certificate: Certificate) throws -> Bool {
        try !fingerprints.isEmpty && fingerprints.contains(certificate.fingerprint)
    }
}
