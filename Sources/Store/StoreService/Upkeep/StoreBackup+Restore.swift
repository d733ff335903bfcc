import Foundation
package import StoreDatabase
import StoreFoundation

extension StoreBackup {
    /// What was put back.
    package struct Restored: Hashable, Sendable {
        /// When the backup was made.
        package let madeAt: String
        /// Whether the keys of the backup were put in the place of keys that were not there.
        package let hasKeys: Bool
    }

    /// The most bytes that a manifest may have.
    private static let manifestBytes = 4 << 20

    /// Puts a backup back, after every file of it was found as it was made. Nobody may have the store open.
    ///
    /// Devices that have seen something of what is gone learn it by the new life of the databases, which `epoch` names.
    /// Keys that are there stay; without any, those of the backup are put back.
    package func restore(
        from backup: String, replacing: Bool, epoch: String,
        progress: @escaping @Sendable (UpkeepProgress) throws -> Void
    ) async throws -> Restored {
        let manifest = try await OwnThread.run(named: "till-blocking") { try verify(backup, progress) }
        for schema in ordered {
            let known = schema.migrations.count
            guard let count = manifest.migrations[schema.name] else {
                throw UpkeepError(.damaged, "the manifest of \(backup) does not know the \(schema.name) database")
            }
            guard count <= known else {
                throw UpkeepError(
                    .unsuitable,
                    "the backup was made by version \(manifest.version), which is newer; use that version")
            }
        }
        let hasKeys = try await OwnThread.run(named: "till-blocking") { try restoreKeys(backup, manifest) }
        try await upkeep.restore(
            ordered, from: backup + "/databases", replacing: replacing, epoch: epoch, progress: progress)
        return Restored(madeAt: manifest.madeAt, hasKeys: hasKeys)
    }

    private func verify(
        _ backup: String, _ progress: (UpkeepProgress) throws -> Void
    ) throws -> BackupManifest {
        let manifest = try manifest(of: backup)
        guard manifest.format == BackupManifest.currentFormat else {
            throw UpkeepError(
                .unsuitable, "\(backup) has the form \(manifest.format), which this version does not know")
        }
        guard manifest.engine == upkeep.engine else {
            throw UpkeepError(
                .unsuitable, "\(backup) is of \(manifest.engine), and this store is kept by \(upkeep.engine)")
        }
        for (index, file) in manifest.files.enumerated() {
            try progress(UpkeepProgress("verifying the backup", done: index, of: manifest.files.count))
            let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
            guard !parts.contains(""), !parts.contains("."), !parts.contains("..") else {
                throw UpkeepError(.damaged, "the manifest of \(backup) names a file outside of it")
            }
            guard let (bytes, sha256) = try? FolderFiles.digest("\(backup)/\(file.path)") else {
                throw UpkeepError(.damaged, "\(file.path) is missing in \(backup)")
            }
            guard bytes == file.bytes, sha256 == file.sha256 else {
                throw UpkeepError(.damaged, "\(file.path) in \(backup) is not as it was when the backup was made")
            }
        }
        return manifest
    }

    private func manifest(of backup: String) throws -> BackupManifest {
        let path = backup + "/manifest.json"
        guard let handle = FileHandle(forReadingAtPath: path),
            let data = try? handle.read(upToCount: Self.manifestBytes + 1)
        else { throw UpkeepError(.noBackup, "\(backup) is no backup: it has no manifest.json") }
        guard data.count <= Self.manifestBytes,
            let manifest = try? JSONDecoder().decode(BackupManifest.self, from: data)
        else { throw UpkeepError(.damaged, "\(path) cannot be understood") }
        return manifest
    }

    private func restoreKeys(_ backup: String, _ manifest: BackupManifest) throws -> Bool {
        let keys = manifest.files.map(\.path).filter { $0.hasPrefix("keys/") }
        let destination = directory + "/keys"
        guard !keys.isEmpty, !FileManager.default.fileExists(atPath: destination) else { return false }
        let draft = destination + ".restoring"
        try FolderFiles.remove(draft)
        try FolderFiles.make(draft)
        for path in keys {
            let name = String(path.dropFirst("keys/".count))
            try makeFolders(above: name, in: draft)
            try FolderFiles.copy("\(backup)/\(path)", to: "\(draft)/\(name)")
        }
        for name in Set(keys.map { ($0 as NSString).deletingLastPathComponent }) {
            try FolderFiles.synchronize(draft + name.dropFirst("keys".count))
        }
        try FolderFiles.move(draft, to: destination)
        return true
    }
}
