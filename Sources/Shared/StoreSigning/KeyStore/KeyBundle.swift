import Foundation
package import StoreModel

/// The keys of a store as one value, to bring them to another server that works on the same databases.
///
/// Private keys are in it as they are in their files: under the passphrase, if they have one.
package struct KeyBundle: Codable, Hashable, Sendable {
    static let currentFormat = 1
    /// The most bytes of a bundle.
    package static let longest = 4 * 1024 * 1024

    let format: Int
    let environments: [Part]

    /// The keys of one environment: its list of certificates, and the text of every file that the list names.
    struct Part: Codable, Hashable, Sendable {
        let keyring: Keyring
        let files: [String: String]
    }

    /// Reads a bundle.
    package init(reading bytes: [UInt8]) throws {
        guard bytes.count <= Self.longest else {
            throw SigningError(.tooLarge, "the file has more than \(Self.longest) bytes, so it is no export of keys")
        }
        do {
            self = try JSONDecoder().decode(KeyBundle.self, from: Data(bytes))
        } catch {
            throw SigningError(.keyStore, "this is no export of keys: \(error.reason)")
        }
        guard format == Self.currentFormat else {
            throw SigningError(.keyStore, "the export has the form \(format), which this version does not know")
        }
        guard Set(environments.map(\.keyring.environment)).count == environments.count, !environments.isEmpty else {
            throw SigningError(.keyStore, "an export has each environment at most once, and one at least")
        }
    }

    init(environments: [Part]) {
        format = Self.currentFormat
        self.environments = environments
    }
}

extension KeyStore {
    /// Everything that another server needs to sign as this one does.
    package func bundle(_ environments: [StoreEnvironment]) throws -> KeyBundle {
        try KeyBundle(environments: environments.map { try folder($0).part() })
    }

    /// Puts the keys of another server in place; all of them or, if one is refused, none.
    ///
    /// - Returns: the environments whose keys were not here before.
    package func add(_ bundle: KeyBundle, passphrase: [UInt8]?) throws -> [StoreEnvironment] {
        try PrivateFile.makeFolder(path)
        return try PrivateFile.hold(lock: path + "/lock") {
            let parts = try bundle.environments.filter { part in
                guard let present = try folder(part.keyring.environment).readKeyring() else { return true }
                guard present == part.keyring else {
                    throw SigningError(
                        .keyStore,
                        "there are other \(part.keyring.environment.rawValue) keys in \(path); move that folder away "
                            + "if the new ones are to replace them")
                }
                return false
            }
            let drafts = try parts.map { try folder($0.keyring.environment).draft($0, passphrase: passphrase) }
            for draft in drafts { try draft.put() }
            return parts.map(\.keyring.environment)
        }
    }
}

extension KeyringFolder {
    fileprivate func part() throws -> KeyBundle.Part {
        let keyring = try requireKeyring()
        var files: [String: String] = [:]
        for entry in keyring.entries {
            files[entry.fileName + ".pem"] = try readCertificate(entry).pemRepresentation
            if hasKeyFile(entry) { files[entry.fileName + ".key"] = try readKeyText(entry) }
        }
        return KeyBundle.Part(keyring: keyring, files: files)
    }

    /// Writes the keys beside their place, and tries them there.
    fileprivate func draft(_ part: KeyBundle.Part, passphrase: [UInt8]?) throws -> Draft {
        try beginDraft { draft in
            for entry in part.keyring.entries {
                guard Keyring.numbers.contains(entry.number), let certificate = part.files[entry.fileName + ".pem"]
                else {
                    throw SigningError(.keyStore, "the export lacks the certificate \(entry.fileName)")
                }
                try PrivateFile.write(Array(certificate.utf8), to: draft.certificatePath(entry))
                if let key = part.files[entry.fileName + ".key"] {
                    try PrivateFile.write(Array(key.utf8), to: draft.keyPath(entry))
                }
                _ = try draft.readCertificate(entry)
            }
            try draft.write(part.keyring)
            // Throws if a key is missing, is not that of its certificate, or the passphrase is wrong.
            _ = try EnvironmentKeys(draft, passphrase: passphrase)
        }
    }
}
