package import StoreCatalogue
package import StoreLog
package import StoreModel
package import StoreSigning

/// The certificates of a running store as they are in its folder, and their replacement by new ones.
///
/// It never revokes: what the replaced ones signed goes on verifying, so that nothing is lost by a press too many. Keys that
/// somebody else may have are for `till keys rotate --revoke`.
package struct KeyRotation: Sendable {
    private let keys: KeyStore
    private let passphrase: [UInt8]?
    private let addresses: [StoreEnvironment: String]
    private let watches: [StoreEnvironment: KeyWatch]
    private let log: Log
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - passphrase: of the private keys, if they have one.
    ///   - addresses: where verifiers ask about certificates of each environment.
    ///   - watches: what takes the new keys.
    package init(
        _ keys: KeyStore, passphrase: [UInt8]?, onlineChecks addresses: [StoreEnvironment: String],
        _ watches: [StoreEnvironment: KeyWatch], log: Log, now: @escaping @Sendable () -> Instant
    ) {
        (self.keys, self.passphrase, self.addresses, self.watches) = (keys, passphrase, addresses, watches)
        (self.log, self.now) = (log, now)
    }

    /// A certificate in use.
    package struct Certificate: Hashable, Sendable {
        package let purpose: ChainPurpose
        package let role: CertificateRole
        package let number: Int
        package let beginsAt: Instant
        package let endsAt: Instant
        package let fingerprint: String
        /// Whether its private key is here, so that it can be replaced.
        package let hasKey: Bool

        /// Whether it ends within two months, or has ended.
        package func isNearEnd(at now: Instant) -> Bool { endsAt <= now + EnvironmentKeys.notice }

        /// The command that replaces it, after `till`.
        package func remedy(in environment: StoreEnvironment) -> String {
            // What answers for an intermediate is made with it.
            let from = role == .responder ? CertificateRole.intermediate : role
            return "keys rotate --environment \(environment) --purpose \(purpose.rawValue) --from \(from.rawValue)"
        }
    }

    /// The certificates in use, chain by chain from the leaf up.
    package func certificates(of environment: StoreEnvironment) throws -> [Certificate] {
        try keys.keyring(environment).entries.filter { $0.retiredAt == nil && $0.revokedAt == nil }.map { entry in
            let certificate = try keys.certificate(entry, of: environment)
            return Certificate(
                purpose: entry.purpose, role: entry.role, number: entry.number, beginsAt: certificate.notBefore,
                endsAt: certificate.notAfter, fingerprint: entry.fingerprint,
                hasKey: keys.keyPath(entry, of: environment) != nil)
        }.sorted { ($0.purpose.rawValue, $0.endsAt) < ($1.purpose.rawValue, $1.endsAt) }
    }

    /// Replaces the leaves of both chains, or of one, and lets the store sign with the new ones.
    package func rotate(
        _ environment: StoreEnvironment, _ purpose: ChainPurpose?, by actor: Actor, request: String?
    ) async throws -> [Certificate] {
        try actor.require(.teams, change: true, in: .environment(environment))
        let before = try Set(certificates(of: environment).map(\.fingerprint))
        do {
            try keys.rotate(
                environment, purposes: purpose.map { [$0] } ?? ChainPurpose.allCases, from: .leaf,
                passphrase: passphrase, onlineChecks: addresses[environment], at: now())
        } catch {
            throw ServiceError(.systemBusy, "nothing was replaced: \(error)", parameter: "purpose")
        }
        try await watches[environment]?.refresh()
        let made = try certificates(of: environment).filter { !before.contains($0.fingerprint) }
        log.info(
            "keys.rotated", "Certificates were replaced.",
            [
                "environment": .text(environment.rawValue), "actor": .text(actor.text),
                "request_id": .text(request ?? ""), "count": .number(Int64(made.count)),
            ])
        return made
    }
}
