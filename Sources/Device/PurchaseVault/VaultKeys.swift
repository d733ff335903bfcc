import Foundation

/// Finds and keeps the keys of vaults.
struct VaultKeys {
    let files: VaultFiles
    let secrets: any SecretKeeper

    /// The key of a new vault. One that is in a file already is used again: a record that it opens may come back from a backup.
    func make(at place: VaultKeyPlace) throws -> (VaultKey, VaultKeyPlace) {
        if place != .secretService, let key = try files.readKey() { return (key, .file) }
        let key = try VaultKey()
        return (key, try keep(key, at: place))
    }

    /// Keeps a key, and says where.
    func keep(_ key: VaultKey, at place: VaultKeyPlace) throws -> VaultKeyPlace {
        if place != .file {
            do {
                try secrets.keep(key.text, of: key.name, label: "Purchases: \(files.name)")
                return .secretService
            } catch {
                if place == .secretService { throw error }
            }
        }
        try files.writeKey(key)
        return .file
    }

    /// The key that opens a record: from the file, from the Secret Service, or from the passphrase.
    func find(for bytes: [UInt8], recoveryPassphrase: String?) throws -> (VaultKey, VaultKeySource) {
        lazy var headers = VaultRecord.headers(in: bytes)
        var reasons: [String] = []
        // Where a file opens it, no Secret Service is asked and no person.
        for source in [VaultKeySource.file, .secretService] {
            do {
                let keys = source == .file ? try [files.readKey()] : try headers.map { try self.secret(of: $0) }
                for key in keys.compactMap({ $0 }) where try VaultRecord.opens(bytes, key: key) {
                    return (key, source)
                }
                reasons.append(keys.contains { $0 != nil } ? "\(source) has another key" : "\(source) has none")
            } catch {
                reasons.append("\(error)")
            }
        }
        if let recoveryPassphrase {
            for header in headers where !header.recovery.isEmpty {
                let key = try VaultKey(header.recovery, of: header.identity, passphrase: recoveryPassphrase)
                if let key, try VaultRecord.opens(bytes, key: key) { return (key, .recoveryPassphrase) }
            }
            let isSet = headers.contains { !$0.recovery.isEmpty }
            throw VaultError(
                .wrongPassphrase,
                isSet
                    ? "the recovery passphrase of \(files.recordPath) is another one"
                    : "no recovery passphrase was set for \(files.recordPath)")
        }
        guard !headers.isEmpty else {
            throw VaultError(
                .damaged, "\(files.recordPath) has no header; set it aside, and let the person restore purchases")
        }
        if headers[0].keyPlace == .secretService { reasons.append("the Secret Service had it") }
        let why = reasons.joined(separator: "; ")
        throw VaultError(
            .keyMissing,
            "the key of \(files.recordPath) is not on this machine (\(why)); give the recovery passphrase, or set the record aside "
                + "and let the person restore purchases")
    }

    private func secret(of header: VaultHeader) throws -> VaultKey? {
        try secrets.secret(of: VaultKey.hexadecimal(header.identity)).flatMap { try VaultKey(text: $0) }
    }
}
