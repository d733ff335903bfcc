import StoreModel

/// Which apps and environments a verifier takes; what it refuses it refuses with what it expected and what it found.
struct AcceptedPurchases: Sendable {
    let bundleIDs: Set<BundleID>
    let environments: Set<StoreEnvironment>

    /// - Parameter bundleIDs: those of the apps; at least one.
    init(_ bundleIDs: Set<BundleID>, _ environments: Set<StoreEnvironment>) throws {
        guard !bundleIDs.isEmpty else {
            throw BackendError(.invalidValue, "There is no app whose purchases are taken.", parameter: "bundleIDs")
        }
        self.bundleIDs = bundleIDs
        self.environments = environments
    }

    func require(_ bundleID: BundleID) throws {
        guard bundleIDs.contains(bundleID) else {
            let expected = bundleIDs.map(\.text).sorted().joined(separator: " or ")
            throw BackendError(.wrongApp, "The proof is of the app \(bundleID); expected \(expected).")
        }
    }

    func bundleID(_ text: String) throws -> BundleID {
        guard let bundleID = BundleID(text) else {
            throw BackendError(.malformedProof, "The proof names an app whose bundle id is none.")
        }
        try require(bundleID)
        return bundleID
    }

    /// The environment that a proof names, if it is taken.
    func environment(_ named: WireEnvironment) throws -> StoreEnvironment {
        guard let environment = named.environment, environments.contains(environment) else {
            let found = named.isKnown ? named.rawValue : "one that is not known"
            throw BackendError(
                .wrongEnvironment, "The proof is of the environment \(found); expected \(environments.names).")
        }
        return environment
    }

    /// The environment that a proof names, if it is taken and is one of those that signed it.
    func environment(_ named: WireEnvironment, signedBy signers: Set<StoreEnvironment>) throws -> StoreEnvironment {
        let environment = try environment(named)
        guard signers.contains(environment) else {
            throw BackendError(
                .untrustedProof,
                "The proof says that it is of \(named.rawValue), and is signed under a root of \(signers.names).")
        }
        return environment
    }

    /// Runs a verification; where it fails, and the proof itself says that it is of an environment that is not taken,
    /// that is the reason that helps.
    func explaining<Value>(
        claimed: WireEnvironment?, _ verify: () throws -> Value
    ) throws -> Value {
        do {
            return try verify()
        } catch let error as BackendError where error.code == .untrustedProof {
            if let claimed { _ = try environment(claimed) }
            throw error
        }
    }
}
