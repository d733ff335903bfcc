import Foundation
package import StoreDatabase
import StoreFoundation
package import StoreModel

/// Makes backups of a store and puts them back.
///
/// A backup is a folder: copies of the databases, the keys unless they are left out, and a manifest with the digest of every
/// file. It gets its name last, so that a folder of that name is a whole backup, and one that was broken off none.
///
/// The customers' databases are copied before the catalogue: whatever they point to is then in it.
package struct StoreBackup: Sendable {
    let directory: String
    let upkeep: any DatabaseUpkeep
    private let schemas: StoreSchemas
    private let version: String

    /// - Parameters:
    ///   - directory: the data directory.
    ///   - version: the version of this program, for the manifest.
    package init(of directory: String, _ upkeep: any DatabaseUpkeep, _ schemas: StoreSchemas, version: String) {
        self.directory = directory
        self.upkeep = upkeep
        self.schemas = schemas
        self.version = version
    }

    /// Databases in the order in which they are copied.
    var ordered: [Schema] { [schemas.production, schemas.sandbox, schemas.catalogue] }

    /// Makes a backup in a folder that is not there yet, while the store runs or not. Answers how many bytes it has.
    @discardableResult
    package func make(
        at destination: String, withKeys: Bool, at now: Instant,
        progress: @escaping @Sendable (UpkeepProgress) throws -> Void
    ) async throws -> Int {
        guard !FileManager.default.fileExists(atPath: destination) else {
            throw UpkeepError(
                .occupied, "there is something at \(destination) already; name a folder that is not there")
        }
        let draft = destination + ".partial"
        try FolderFiles.remove(draft)
        try FolderFiles.make(draft)
        do {
            return try await fill(draft, destination, withKeys: withKeys, at: now, progress)
        } catch {
            try? FolderFiles.remove(draft)
            throw error
        }
    }

    private func fill(
        _ draft: String, _ destination: String, withKeys: Bool, at now: Instant,
        _ progress: @escaping @Sendable (UpkeepProgress) throws -> Void
    ) async throws -> Int {
        var migrations: [String: Int] = [:]
        for schema in ordered {
            guard let found = try await upkeep.examine(schema) else {
                throw UpkeepError(.noBackup, "there is no \(schema.name) database to back up")
            }
            guard found.problems.isEmpty else {
                throw UpkeepError(
                    .damaged, "the \(schema.name) database is damaged (\(found.problems[0])); a backup would be too")
            }
            migrations[schema.name] = found.migrations
        }
        let databases = draft + "/databases"
        try FolderFiles.make(databases)
        // Before, for what is deleted meanwhile; after, for what is new.
        try await OwnThread.run(named: "till-blocking") { try copyBlobs(to: draft + "/blobs") }
        try await upkeep.copy(ordered, into: databases, progress: progress)
        let counts = migrations
        return try await OwnThread.run(named: "till-blocking") {
            try copyBlobs(to: draft + "/blobs")
            if withKeys { try copyKeys(to: draft + "/keys") }
            let bytes = try writeManifest(in: draft, counts, at: now, progress)
            try FolderFiles.move(draft, to: destination)
            return bytes
        }
    }

    private func copyKeys(to destination: String) throws {
        let keys = directory + "/keys"
        try FolderFiles.make(destination)
        for name in try FolderFiles.files(below: keys) where name != "lock" {
            try makeFolders(above: name, in: destination)
            try FolderFiles.copy("\(keys)/\(name)", to: "\(destination)/\(name)")
        }
    }

    /// Copies the images of products that are not there yet. A file of that name always has the same content.
    private func copyBlobs(to destination: String) throws {
        let blobs = directory + "/blobs"
        guard FileManager.default.fileExists(atPath: blobs) else { return }
        if !FileManager.default.fileExists(atPath: destination) { try FolderFiles.make(destination) }
        for name in try FolderFiles.files(below: blobs) where !name.hasPrefix("drafts/") {
            guard !FileManager.default.fileExists(atPath: "\(destination)/\(name)") else { continue }
            try makeFolders(above: name, in: destination)
            try FolderFiles.copy("\(blobs)/\(name)", to: "\(destination)/\(name)")
        }
    }

    func makeFolders(above name: String, in folder: String) throws {
        var path = folder
        for part in name.split(separator: "/").dropLast() {
            path += "/\(part)"
            if !FileManager.default.fileExists(atPath: path) { try FolderFiles.make(path) }
        }
    }

    private func writeManifest(
        in draft: String, _ migrations: [String: Int], at now: Instant,
        _ progress: (UpkeepProgress) throws -> Void
    ) throws -> Int {
        let names = try FolderFiles.files(below: draft)
        var files: [BackupManifest.File] = []
        for (index, name) in names.enumerated() {
            try progress(UpkeepProgress("reading everything again", done: index, of: names.count))
            let (bytes, sha256) = try FolderFiles.digest("\(draft)/\(name)")
            try FolderFiles.synchronize("\(draft)/\(name)")
            files.append(BackupManifest.File(path: name, bytes: bytes, sha256: sha256))
        }
        let manifest = BackupManifest(
            format: BackupManifest.currentFormat, version: version, engine: upkeep.engine, madeAt: now.rfc3339,
            migrations: migrations, files: files)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let path = draft + "/manifest.json"
        try FolderFiles.write(Array(encoder.encode(manifest)), to: path)
        for folder in Set(names.map { (($0 as NSString).deletingLastPathComponent) }) {
            try FolderFiles.synchronize("\(draft)/\(folder)")
        }
        try FolderFiles.synchronize(draft)
        return files.reduce(0) { $0 + $1.bytes }
    }
}

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
        let hasKeys = try await OwnThread.run(named: "till-blocking") {
            // Images first: what the databases name is then there.
            try restoreBlobs(backup, manifest)
            return try restoreKeys(backup, manifest)
        }
        try await upkeep.restore(
            ordered, from: backup + "/databases", replacing: replacing, epoch: epoch, progress: progress)
        return Restored(madeAt: manifest.madeAt, hasKeys: hasKeys)
    }

    func verify(
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

    func manifest(of backup: String) throws -> BackupManifest {
        let path = backup + "/manifest.json"
        guard let handle = FileHandle(forReadingAtPath: path),
            let data = try? handle.read(upToCount: Self.manifestBytes + 1)
        else { throw UpkeepError(.noBackup, "\(backup) is no backup: it has no manifest.json") }
        guard data.count <= Self.manifestBytes,
            let manifest = try? JSONDecoder().decode(BackupManifest.self, from: data)
        else { throw UpkeepError(.damaged, "\(path) cannot be understood") }
        return manifest
    }

    private func restoreBlobs(_ backup: String, _ manifest: BackupManifest) throws {
        for file in manifest.files where file.path.hasPrefix("blobs/") {
            let path = file.path
            // One that is there has the same content, unless the disk has damaged it.
            let known = try? FolderFiles.digest("\(directory)/\(path)").sha256
            guard known != file.sha256, known.map({ !path.hasSuffix("/\($0)") }) ?? true else { continue }
            try makeFolders(above: path, in: directory)
            let draft = "\(directory)/\(path).restoring"
            try FolderFiles.remove(draft)
            try FolderFiles.copy("\(backup)/\(path)", to: draft)
            try FolderFiles.synchronize(draft)
            try FolderFiles.move(draft, to: "\(directory)/\(path)")
        }
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

/// What a backup says of itself: whose it is, and how each of its files must be.
struct BackupManifest: Codable, Hashable, Sendable {
    struct File: Codable, Hashable, Sendable {
        let path: String
        let bytes: Int
        let sha256: String
    }

    /// The form of backups that this version makes.
    static let currentFormat = 1

    let format: Int
    /// The version of the program that made it.
    let version: String
    let engine: String
    let madeAt: String
    /// How many migrations each database had.
    let migrations: [String: Int]
    let files: [File]
}
