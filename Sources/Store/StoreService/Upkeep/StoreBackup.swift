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
        try await upkeep.copy(ordered, into: databases, progress: progress)
        let counts = migrations
        return try await OwnThread.run(named: "till-blocking") {
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
