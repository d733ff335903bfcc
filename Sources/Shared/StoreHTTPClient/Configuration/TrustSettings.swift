/// Whom a client believes on TLS. Certificates and names of hosts are always verified, and TLS is 1.2 or newer.
package struct TrustSettings: Hashable, Sendable {
    /// Who may issue certificates.
    package enum Authorities: Hashable, Sendable {
        /// Those of the operating system.
        case system
        /// Only those in a file of PEM.
        case file(String)
        /// Only these, in PEM.
        case pem([UInt8])
    }

    package var authorities = Authorities.system
    /// SHA-256 digests of the public keys (DER, SubjectPublicKeyInfo) one of which the other side must have; none for any.
    package var pinnedKeys: [[UInt8]] = []

    package init(_ authorities: Authorities = .system, pinnedKeys: [[UInt8]] = []) {
        self.authorities = authorities
        self.pinnedKeys = pinnedKeys
    }
}
