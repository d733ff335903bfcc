import StoreModel
import StoreSigning

/// The keys of one environment, as `till keys show` tells of them.
struct KeysReport: Encodable {
    struct Certificate: Encodable {
        let purpose: ChainPurpose
        let role: CertificateRole
        let number: Int
        let state: State
        let subject: String
        let serialNumber: String
        let algorithm: String
        let notBefore: String
        let notAfter: String
        let fingerprint: String
        let certificateFile: String
        /// Left out if the private key is kept elsewhere.
        let keyFile: String?
    }

    /// Where a certificate stands in its life.
    enum State: String, Encodable {
        case inUse = "in_use"
        case retired, revoked

        init(_ entry: Keyring.Entry) {
            self = entry.revokedAt != nil ? .revoked : entry.retiredAt != nil ? .retired : .inUse
        }
    }

    let environment: StoreEnvironment
    let organization: String
    let path: String
    /// Whether a passphrase protects the private keys in use.
    let protected: Bool
    let certificates: [Certificate]

    init(_ store: KeyStore, _ environment: StoreEnvironment) throws {
        let keyring = try store.keyring(environment)
        self.environment = environment
        organization = keyring.organization
        path = "\(store.path)/\(environment.rawValue)"
        protected = try store.isProtected(environment)
        certificates = try keyring.entries.map { entry in
            let certificate = try store.certificate(entry, of: environment)
            return Certificate(
                purpose: entry.purpose, role: entry.role, number: entry.number, state: State(entry),
                subject: certificate.subject, serialNumber: certificate.serialNumber,
                algorithm: certificate.publicKey.algorithm.map(Self.name) ?? "unknown",
                notBefore: certificate.notBefore.rfc3339, notAfter: certificate.notAfter.rfc3339,
                fingerprint: entry.fingerprint, certificateFile: store.certificatePath(entry, of: environment),
                keyFile: store.keyPath(entry, of: environment))
        }
    }

    private static func name(_ algorithm: KeyAlgorithm) -> String {
        switch algorithm {
        case .p256: "P-256"
        case .p384: "P-384"
        case .rsa: "RSA"
        }
    }
}
