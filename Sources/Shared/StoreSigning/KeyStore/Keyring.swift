package import StoreModel

/// The list of all certificates of one environment, from the first to the ones in use.
///
/// It is the one file that says what counts. Key and certificate files are written before it and never changed after,
/// so that whoever reads the list finds everything it names.
package struct Keyring: Codable, Hashable, Sendable {
    /// The version of this file's form.
    package static let currentFormat = 1
    /// The numbers that certificates may have; nobody comes near the last one.
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
        /// When another took its place. What it signed before stays valid.
        package var retiredAt: Instant?
        /// When it was declared void, with all that it ever signed.
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

    /// Puts a new certificate in the place of the one in use.
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

    /// Declares a retired certificate void.
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
