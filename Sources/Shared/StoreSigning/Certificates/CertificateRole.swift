/// The place of a certificate in a chain.
package enum CertificateRole: String, CaseIterable, Codable, Hashable, Sendable {
    // Closed: every verifier in the field demands exactly these three.
    case root, intermediate, leaf
}
