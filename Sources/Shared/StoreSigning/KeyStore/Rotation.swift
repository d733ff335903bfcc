import StoreModel

/// Issues new certificates for one chain, from one role downwards, and lists them in a keyring.
struct Rotation {
    let folder: KeyringFolder
    let purpose: ChainPurpose
    let passphrase: [UInt8]?
    let instant: Instant

    func run(from role: CertificateRole, revoking: Bool, in keyring: inout Keyring) throws {
        let authority = ChainAuthority(
            environment: keyring.environment, purpose: purpose, organization: keyring.organization)
        let root =
            try role == .root
            ? keep(authority.issueRoot(at: instant), as: .root, revoking, &keyring)
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
