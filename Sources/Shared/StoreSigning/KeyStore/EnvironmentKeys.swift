package import StoreModel

/// Everything that signing and verifying in one environment takes.
package struct EnvironmentKeys: Sendable {
    package let environment: StoreEnvironment
    /// What signs now.
    package let current: [ChainPurpose: CertifiedKey]
    /// The roots of all times, newest last: what verifies.
    package let roots: [ChainPurpose: [Certificate]]
    package let intermediates: [ChainPurpose: [Certificate]]
    package let revocations: Revocations

    init(_ folder: KeyringFolder, passphrase: [UInt8]?) throws {
        let keyring = try folder.requireKeyring()
        environment = keyring.environment
        current = try .init(
            uniqueKeysWithValues: ChainPurpose.allCases.map { purpose in
                let leaf = try folder.readIssued(keyring.current(purpose, .leaf), passphrase: passphrase)
                let chain = try CertificateChain(
                    leaf: leaf.certificate,
                    intermediate: folder.readCertificate(keyring.current(purpose, .intermediate)),
                    root: folder.readCertificate(keyring.current(purpose, .root)))
                return (purpose, CertifiedKey(key: leaf.key, chain: chain))
            })
        func all(_ role: CertificateRole) throws -> [ChainPurpose: [Certificate]] {
            let entries = keyring.entries.filter { $0.role == role && $0.revokedAt == nil }
            return try Dictionary(grouping: entries, by: \.purpose).mapValues { try $0.map(folder.readCertificate) }
        }
        roots = try all(.root)
        intermediates = try all(.intermediate)
        revocations = Revocations(
            fingerprints: keyring.entries.filter { $0.revokedAt != nil }.compactMap {
                Hexadecimal.decode($0.fingerprint)
            })
    }

    package func jwsSigner() throws -> JWSSigner { try JWSSigner(certifiedKey(.jws)) }

    package func jwsVerifier() throws -> JWSVerifier {
        try JWSVerifier(roots: roots[.jws] ?? [], revocations: revocations)
    }

    package func receiptSigner() throws -> ReceiptSigner { try ReceiptSigner(certifiedKey(.receipt)) }

    package func receiptVerifier() throws -> ReceiptVerifier {
        try ReceiptVerifier(roots: roots[.receipt] ?? [], revocations: revocations)
    }

    package func transactionReceiptSigner() throws -> TransactionReceiptSigner {
        try TransactionReceiptSigner(certifiedKey(.receipt), environment: environment)
    }

    package func transactionReceiptVerifier() throws -> TransactionReceiptVerifier {
        try TransactionReceiptVerifier(
            roots: roots[.receipt] ?? [], intermediates: intermediates[.receipt] ?? [], revocations: revocations)
    }

    private func certifiedKey(_ purpose: ChainPurpose) throws -> CertifiedKey {
        guard let key = current[purpose] else {
            throw SigningError(.keyStore, "there is no \(purpose.rawValue) key for \(environment.rawValue)")
        }
        return key
    }
}
