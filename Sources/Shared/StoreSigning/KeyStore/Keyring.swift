package import StoreModel

/// The list of all certificates of one environment, from the first to the ones in use.
///
/// It alone decides which files are in effect. Key and certificate files are written before it and never changed
/// afterwards, so every file that it lists exists.
package struct Keyring: Codable, Hashable, Sendable {
    /// The version of the file format.
    package static let currentFormat = 1
    /// The numbers that certificates may have; the last one is never reached in practice.
    static let numbers = 1...1_000_000

    package var format = Self.currentFormat
    package let environment: StoreEnvironment
    /// The operator's name, in every certificate.
    package let organization: String
    package var entries: [Entry] = []

    package init(environment: StoreEnvironment, organization: String) {
        self.environment = environment
        self.organization = organization
    }

    /// One certificate.
    package struct Entry: Codable, Hashable, Sendable {
        package let purpose: ChainPurpose
        package let role: CertificateRole
        /// Counts the certificates of one purpose and role, from 1.
        package let number: Int
        /// SHA-256 of the certificate, in hexadecimal.
        package let fingerprint: String
        package let issuedAt: Instant
        /// When another replaced it. What it signed before stays valid.
        package var retiredAt: Instant?
        /// When it was revoked, with everything that it signed.
        package var revokedAt: Instant?

        /// The name of its files without their ending.
        package var fileName: String { "\(purpose.rawValue)-\(role.rawValue)-\(number)" }
    }

    /// The certificate in use.
    package func current(_ purpose: ChainPurpose, _ role: CertificateRole) throws -> Entry {
        let inUse = entries.last { $0.purpose == purpose && $0.role == role && $0.retiredAt == nil }
        guard let inUse else {
            throw SigningError(
                .keyStore, "the \(environment.rawValue) keyring lists no \(purpose.rawValue) \(role.rawValue)")
        }
        return inUse
    }

    func nextNumber(_ purpose: ChainPurpose, _ role: CertificateRole) -> Int {
        let numbers = entries.filter { $0.purpose == purpose && $0.role == role }.map(\.number)
        return (numbers.max() ?? 0) + 1
    }

    /// Replaces the certificate in use by a new one.
    mutating func replace(with entry: Entry, revoking: Bool) {
        for index in entries.indices
        where entries[index].purpose == entry.purpose && entries[index].role == entry.role
            && entries[index].retiredAt == nil
        {
            entries[index].retiredAt = entry.issuedAt
            if revoking { entries[index].revokedAt = entry.issuedAt }
        }
        entries.append(entry)
    }

    /// Forgets those of one chain that were replaced and not revoked, but for the newest of each role.
    mutating func forgetReplaced(_ purpose: ChainPurpose, keeping count: Int) -> [Entry] {
        var forgotten: [Entry] = []
        for role in [CertificateRole.intermediate, .leaf, .responder] {
            let replaced = entries.filter {
                $0.purpose == purpose && $0.role == role && $0.retiredAt != nil && $0.revokedAt == nil
            }
            forgotten += replaced.dropLast(count)
        }
        entries.removeAll { forgotten.contains($0) }
        return forgotten
    }

    /// Revokes a retired certificate.
    mutating func revoke(_ entry: Entry, at instant: Instant) throws {
        guard let index = entries.firstIndex(where: { $0.fingerprint == entry.fingerprint }) else {
            throw SigningError(.keyStore, "the \(environment.rawValue) keyring does not list \(entry.fileName)")
        }
        guard entries[index].retiredAt != nil else {
            throw SigningError(.keyStore, "\(entry.fileName) is in use; it has to be replaced before it is revoked")
        }
        if entries[index].revokedAt == nil { entries[index].revokedAt = instant }
    }
}

/// Issues new certificates for one chain, from one role downwards, and lists them in a keyring.
struct Rotation {
    let folder: KeyringFolder
    let purpose: ChainPurpose
    let passphrase: [UInt8]?
    let instant: Instant
    /// Where verifiers ask about the new certificates.
    let onlineChecks: String?

    func run(from role: CertificateRole, revoking: Bool, in keyring: inout Keyring) throws {
        let authority = ChainAuthority(
            environment: keyring.environment, purpose: purpose, organization: keyring.organization,
            onlineChecks: purpose == .jws ? onlineChecks : nil)
        let former = try? folder.readCertificate(keyring.current(purpose, .root))
        let root =
            try role == .root
            ? keep(authority.issueRoot(at: instant, from: former?.notBefore), as: .root, revoking, &keyring)
            : nil
        if role == .leaf {
            try keep(
                authority.issueLeaf(under: current(.intermediate, in: keyring), at: instant), as: .leaf, revoking,
                &keyring)
            return
        }
        let issuer = try root ?? current(.root, in: keyring)
        let intermediate = try keep(
            authority.issueIntermediate(under: issuer, at: instant), as: .intermediate, revoking, &keyring)
        try keep(authority.issueLeaf(under: intermediate, at: instant), as: .leaf, revoking, &keyring)
        // It answers for the intermediate once the root's key is away.
        guard purpose == .jws else { return }
        try keep(authority.issueResponder(under: issuer), as: .responder, revoking, &keyring)
    }

    private func current(_ role: CertificateRole, in keyring: Keyring) throws -> IssuedCertificate {
        try folder.readIssued(keyring.current(purpose, role), passphrase: passphrase)
    }

    @discardableResult
    private func keep(
        _ issued: IssuedCertificate, as role: CertificateRole, _ revoking: Bool, _ keyring: inout Keyring
    ) throws -> IssuedCertificate {
        let entry = try Keyring.Entry(
            purpose: purpose, role: role, number: keyring.nextNumber(purpose, role),
            fingerprint: Hexadecimal.encode(issued.certificate.fingerprint), issuedAt: instant)
        try folder.write(issued, as: entry, passphrase: passphrase)
        keyring.replace(with: entry, revoking: revoking)
        return issued
    }
}
