package import StoreModel

/// The keys of a store on disk: for every environment two chains, `DIR/keys/<environment>/…`.
///
/// Every change is written to files of its own first and counts only when the keyring names it, by one rename. A crash
/// at any moment leaves the keys as they were before or as they are after.
package struct KeyStore: Sendable {
    /// The folder of all keys.
    package let path: String

    /// The key store within a data directory.
    package init(dataDirectory: String) {
        path = dataDirectory + "/keys"
    }

    /// Makes the keys of an environment. Answers false, having changed nothing, if it already has keys.
    package func create(
        _ environment: StoreEnvironment, organization: String, passphrase: [UInt8]? = nil, at instant: Instant
    ) throws -> Bool {
        let folder = folder(environment)
        if try folder.readKeyring() != nil { return false }
        try PrivateFile.makeFolder(path)
        return try FileLock.hold(lockPath) {
            if try folder.readKeyring() != nil { return false }
            try folder.create { draft in
                var keyring = Keyring(environment: environment, organization: organization)
                for purpose in ChainPurpose.allCases {
                    let rotation = Rotation(folder: draft, purpose: purpose, passphrase: passphrase, instant: instant)
                    try rotation.run(from: .root, revoking: false, in: &keyring)
                }
                try draft.write(keyring)
            }
            return true
        }
    }

    /// Puts new certificates in the place of those in use, from one role downwards.
    ///
    /// A new leaf leaves the intermediate and the root as they are; a new root replaces all three. What the old ones
    /// signed goes on verifying, unless they are revoked.
    package func rotate(
        _ environment: StoreEnvironment, purposes: [ChainPurpose] = ChainPurpose.allCases,
        from role: CertificateRole, revoking: Bool = false, passphrase: [UInt8]? = nil, at instant: Instant
    ) throws {
        let folder = folder(environment)
        _ = try folder.requireKeyring()
        try FileLock.hold(lockPath) {
            var keyring = try folder.requireKeyring()
            for purpose in purposes {
                // New files are protected as the old ones were; opening one of those proves the passphrase.
                let current = try keyring.current(purpose, .leaf)
                let isProtected = try folder.isProtected(current)
                if isProtected { _ = try folder.readKey(current, passphrase: passphrase) }
                let rotation = Rotation(
                    folder: folder, purpose: purpose, passphrase: isProtected ? passphrase : nil, instant: instant)
                try rotation.run(from: role, revoking: revoking, in: &keyring)
            }
            try folder.write(keyring)
        }
    }

    /// Declares a certificate void that another has replaced. One revoked before stays as it is.
    package func revoke(_ entry: Keyring.Entry, of environment: StoreEnvironment, at instant: Instant) throws {
        let folder = folder(environment)
        _ = try folder.requireKeyring()
        try FileLock.hold(lockPath) {
            var keyring = try folder.requireKeyring()
            try keyring.revoke(entry, at: instant)
            try folder.write(keyring)
        }
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

    /// Everything that signing and verifying in an environment takes.
    package func load(_ environment: StoreEnvironment, passphrase: [UInt8]? = nil) throws -> EnvironmentKeys {
        try EnvironmentKeys(folder(environment), passphrase: passphrase)
    }

    private var lockPath: String { path + "/lock" }

    private func folder(_ environment: StoreEnvironment) -> KeyringFolder {
        KeyringFolder(keys: path, environment: environment)
    }
}
