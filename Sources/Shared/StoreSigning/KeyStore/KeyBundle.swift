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

    /// Puts the keys of another server in place; all of them or, if one is refused, none. Keys that are here stay, and get
    /// those which that server has made since.
    ///
    /// - Returns: the environments that have other keys now.
    package func add(_ bundle: KeyBundle, passphrase: [UInt8]?) throws -> [StoreEnvironment] {
        try PrivateFile.makeFolder(path)
        return try PrivateFile.hold(lock: path + "/lock") {
            var (wanted, present): ([KeyBundle.Part], [StoreEnvironment: Keyring]) = ([], [:])
            for part in bundle.environments {
                let environment = part.keyring.environment
                present[environment] = try folder(environment).readKeyring()
                guard present[environment].map(part.keyring.follows) ?? true else {
                    throw SigningError(
                        .keyStore,
                        "there are other \(environment.rawValue) keys in \(path); move that folder away if the new ones are "
                            + "to replace them")
                }
                if present[environment] != part.keyring { wanted.append(part) }
            }
            let drafts = try wanted.map { try folder($0.keyring.environment).draft($0, passphrase: passphrase) }
            for (part, draft) in zip(wanted, drafts) {
                guard let former = present[part.keyring.environment] else {
                    try draft.put()
                    continue
                }
                try folder(part.keyring.environment).extend(former, by: part)
                draft.discard()
            }
            return wanted.map(\.keyring.environment)
        }
    }
}

extension Keyring {
    /// Whether it is what became of an earlier one: with all of its certificates, and none of them valid again.
    fileprivate func follows(_ former: Keyring) -> Bool {
        let now = Dictionary(entries.map { ($0.fileName, $0) }) { first, _ in first }
        return environment == former.environment
            && former.entries.allSatisfy { known in
                guard let entry = now[known.fileName], entry.fingerprint == known.fingerprint else { return false }
                return (known.retiredAt == nil || entry.retiredAt != nil)
                    && (known.revokedAt == nil || entry.revokedAt != nil)
            }
    }
}

extension KeyringFolder {
    /// Adds what another server has made since, and then the list that has it.
    fileprivate func extend(_ former: Keyring, by part: KeyBundle.Part) throws {
        let known = Set(former.entries.map(\.fileName))
        for entry in part.keyring.entries where !known.contains(entry.fileName) {
            if let key = part.files[entry.fileName + ".key"] {
                try PrivateFile.write(Array(key.utf8), to: keyPath(entry))
            }
            if let certificate = part.files[entry.fileName + ".pem"] {
                try PrivateFile.write(Array(certificate.utf8), to: certificatePath(entry))
            }
        }
        try write(part.keyring)
    }

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
