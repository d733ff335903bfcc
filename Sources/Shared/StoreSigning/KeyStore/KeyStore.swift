package import StoreModel

/// The keys of a store on disk: for every environment two chains, `DIR/keys/<environment>/…`.
///
/// Every change is written to files of its own first and takes effect when the keyring lists it, by one rename. A crash
/// at any moment leaves the old keys or the new ones.
package struct KeyStore: Sendable {
    /// The folder of all keys.
    package let path: String

    /// The key store within a data directory.
    package init(dataDirectory: String) {
        path = dataDirectory + "/keys"
    }

    /// Makes the keys of an environment. Returns false, without changes, if it already has keys.
    ///
    /// - Parameter address: where verifiers ask whether certificates still count; nil where nobody answers.
    package func create(
        _ environment: StoreEnvironment, organization: String, passphrase: [UInt8]? = nil,
        onlineChecks address: String? = nil, at instant: Instant
    ) throws -> Bool {
        let folder = folder(environment)
        if try folder.readKeyring() != nil { return false }
        try PrivateFile.makeFolder(path)
        return try PrivateFile.hold(lock: lockPath) {
            if try folder.readKeyring() != nil { return false }
            try folder.create { draft in
                var keyring = Keyring(environment: environment, organization: organization)
                for purpose in ChainPurpose.allCases {
                    let rotation = Rotation(
                        folder: draft, purpose: purpose, passphrase: passphrase, instant: instant, onlineChecks: address
                    )
                    try rotation.run(from: .root, revoking: false, in: &keyring)
                }
                try draft.write(keyring)
            }
            return true
        }
    }

    /// Replaces the certificates in use by new ones, from one role downwards.
    ///
    /// A new leaf leaves the intermediate and the root as they are; a new root replaces all three. What the old ones
    /// signed stays valid, unless they are revoked.
    ///
    /// - Parameter address: where verifiers ask about the new ones; nil for where they ask about the leaf in use.
    package func rotate(
        _ environment: StoreEnvironment, purposes: [ChainPurpose] = ChainPurpose.allCases,
        from role: CertificateRole, revoking: Bool = false, passphrase: [UInt8]? = nil,
        onlineChecks address: String? = nil, at instant: Instant
    ) throws {
        try rotate(
            environment, purposes.map { ($0, role) }, revoking: revoking, passphrase: passphrase,
            onlineChecks: address, at: instant)
    }

    /// - Parameters:
    ///   - parts: from which role downwards those of each chain are replaced.
    ///   - keeping: how many that were replaced are kept of each role of signed JSON; nil for all.
    package func rotate(
        _ environment: StoreEnvironment, _ parts: [(purpose: ChainPurpose, from: CertificateRole)],
        revoking: Bool = false, passphrase: [UInt8]? = nil, onlineChecks address: String? = nil, keeping: Int? = nil,
        at instant: Instant
    ) throws {
        let folder = folder(environment)
        _ = try folder.requireKeyring()
        try PrivateFile.hold(lock: lockPath) {
            var keyring = try folder.requireKeyring()
            for (purpose, role) in parts {
                // New files are protected like the old ones; opening an old one checks the passphrase.
                let current = try keyring.current(purpose, .leaf)
                let isProtected = try folder.isProtected(current)
                if isProtected { _ = try folder.readKey(current, passphrase: passphrase) }
                let rotation = Rotation(
                    folder: folder, purpose: purpose, passphrase: isProtected ? passphrase : nil, instant: instant,
                    onlineChecks: try address ?? folder.readCertificate(current).onlineChecks)
                try rotation.run(from: role, revoking: revoking, in: &keyring)
            }
            let forgotten = keeping.map { keyring.forgetReplaced(.jws, keeping: $0) } ?? []
            try folder.write(keyring)
            for entry in forgotten { folder.remove(entry) }
        }
    }

    /// Lets verifiers ask elsewhere about what is signed from now on, by a new intermediate and leaf. Returns false, without
    /// changes, if the key of the root is kept elsewhere.
    ///
    /// Stores whose address changes often do so at every start, so that only the newest of what was replaced is kept.
    package func moveOnlineChecks(
        of environment: StoreEnvironment, to address: String, passphrase: [UInt8]? = nil, at instant: Instant
    ) throws -> Bool {
        guard try keyPath(keyring(environment).current(.jws, .root), of: environment) != nil else { return false }
        try rotate(
            environment, [(.jws, .intermediate)], passphrase: passphrase, onlineChecks: address,
            keeping: Self.keptReplacements, at: instant)
        return true
    }

    /// The certificates of each role that are kept after their address was replaced.
    package static let keptReplacements = 8

    /// Where verifiers ask about intermediate and leaf of signed JSON; nil if they name no such place, or two.
    package func onlineChecks(of environment: StoreEnvironment) throws -> String? {
        let keyring = try keyring(environment)
        let addresses = try [CertificateRole.intermediate, .leaf].map {
            try certificate(keyring.current(.jws, $0), of: environment).onlineChecks
        }
        return addresses[0] == addresses[1] ? addresses[0] : nil
    }

    /// Revokes a certificate that has been replaced. One that is already revoked stays as it is.
    package func revoke(_ entry: Keyring.Entry, of environment: StoreEnvironment, at instant: Instant) throws {
        let folder = folder(environment)
        _ = try folder.requireKeyring()
        try PrivateFile.hold(lock: lockPath) {
            var keyring = try folder.requireKeyring()
            try keyring.revoke(entry, at: instant)
            try folder.write(keyring)
        }
    }

    /// Whether an environment has keys.
    package func hasKeys(_ environment: StoreEnvironment) throws -> Bool {
        try folder(environment).readKeyring() != nil
    }

    /// The list of certificates of an environment.
    package func keyring(_ environment: StoreEnvironment) throws -> Keyring {
        try folder(environment).requireKeyring()
    }

    package func certificate(_ entry: Keyring.Entry, of environment: StoreEnvironment) throws -> Certificate {
        try folder(environment).readCertificate(entry)
    }

    package func certificatePath(_ entry: Keyring.Entry, of environment: StoreEnvironment) -> String {
        folder(environment).certificatePath(entry)
    }

    /// The file of a certificate's private key; nil if it is kept elsewhere.
    package func keyPath(_ entry: Keyring.Entry, of environment: StoreEnvironment) -> String? {
        let folder = folder(environment)
        return folder.hasKeyFile(entry) ? folder.keyPath(entry) : nil
    }

    /// Whether a passphrase protects any of the private keys in use that are here.
    package func isProtected(_ environment: StoreEnvironment) throws -> Bool {
        let folder = folder(environment)
        return try folder.requireKeyring().entries.contains { entry in
            try entry.retiredAt == nil && folder.hasKeyFile(entry) && folder.isProtected(entry)
        }
    }

    /// What is needed to sign and verify in an environment.
    package func load(_ environment: StoreEnvironment, passphrase: [UInt8]? = nil) throws -> EnvironmentKeys {
        try EnvironmentKeys(folder(environment), passphrase: passphrase)
    }

    private var lockPath: String { path + "/lock" }

    func folder(_ environment: StoreEnvironment) -> KeyringFolder {
        KeyringFolder(keys: path, environment: environment)
    }
}

/// What is needed to sign and verify in one environment.
package struct EnvironmentKeys: Sendable {
    /// How long before its end a certificate is to be replaced.
    package static let notice = Duration.seconds(60 * 24 * 60 * 60)

    package let environment: StoreEnvironment
    /// The keys that sign now.
    package let current: [ChainPurpose: CertifiedKey]
    /// All roots, newest last, by which signatures are verified.
    package private(set) var roots: [ChainPurpose: [Certificate]]
    package private(set) var intermediates: [ChainPurpose: [Certificate]]
    package private(set) var revocations: Revocations
    /// The fingerprints of certificates that were revoked in the folder of the keys, in hexadecimal.
    package let revoked: Set<String>
    private let statusAuthorities: [StatusAuthority]

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
        revoked = Set(keyring.entries.filter { $0.revokedAt != nil }.map(\.fingerprint))
        revocations = Revocations(fingerprints: revoked.compactMap(Hexadecimal.decode))
        statusAuthorities = try folder.statusAuthorities(keyring, passphrase: passphrase)
    }

    /// The same keys where more certificates are void, also such as are in use here: another server of the store has
    /// revoked them.
    package func revoking(_ fingerprints: Set<String>) throws -> EnvironmentKeys {
        var keys = self
        let all = Revocations(fingerprints: revoked.union(fingerprints).compactMap(Hexadecimal.decode))
        keys.revocations = all
        keys.roots = try roots.mapValues { try $0.filter { try !all.contains($0) } }
        keys.intermediates = try intermediates.mapValues { try $0.filter { try !all.contains($0) } }
        return keys
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

    package func statusResponder() throws -> StatusResponder {
        try StatusResponder(statusAuthorities, revocations: revocations)
    }

    private func certifiedKey(_ purpose: ChainPurpose) throws -> CertifiedKey {
        guard let key = current[purpose] else {
            throw SigningError(.keyStore, "there is no \(purpose.rawValue) key for \(environment.rawValue)")
        }
        guard try !key.chain.certificates.contains(where: revocations.contains) else {
            throw SigningError(
                .signerRevoked,
                "the \(environment.rawValue) \(purpose.rawValue) certificate was revoked on another server; bring its keys "
                    + "with till keys export there and till keys import here")
        }
        return key
    }
}
