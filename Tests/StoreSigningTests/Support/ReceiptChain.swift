@testable import StoreSigning

/// A receipt chain whose keys cost nothing to make: the golden RSA key in the leaf, P-256 above.
struct ReceiptChain {
    let root: IssuedCertificate
    let intermediate: IssuedCertificate
    let leaf: IssuedCertificate

    init() throws {
        root = try CertificateForge.root("Receipt Root").issue()
        intermediate = try CertificateForge.authority("Receipt CA").issue(under: root)
        leaf = try CertificateForge(commonName: "Receipt").issue(
            under: intermediate, key: GoldenKeys.rsa.privateKey())
    }

    /// A container over a payload, ready to be changed.
    func forge(_ payload: [UInt8]) -> ReceiptForge {
        ReceiptForge(payload: payload, leaf: leaf, others: [intermediate, root])
    }

    func verifier(revoking revoked: [Certificate] = []) throws -> ReceiptVerifier {
        try ReceiptVerifier(
            roots: [root.certificate], revocations: Revocations(fingerprints: revoked.map { try $0.fingerprint }))
    }
}
