import Foundation
import StoreCatalogue
package import StoreDatabase
import StoreFoundation
package import StoreModel

/// Snapshots of the sandbox: its database and the log of its test processor, as they were at one moment.
///
/// A snapshot is a folder that gets its name last, so that what has a name is whole. Putting one back happens in two steps:
/// everything is made ready in a folder beside, which gets another name when it is whole; from then on the snapshot counts, and
/// whoever opens the store next moves what is not moved yet. So a process that is killed leaves the one or the other.
package struct SnapshotShelf: Sendable {
    let directory: String
    private let upkeep: StoreUpkeep
    private let version: String

    package static let longestName = 64
    /// The most snapshots there are; they are as big as the sandbox.
    package static let most = 100
    /// How often a sandbox is copied anew in which somebody pays meanwhile.
    private static let attempts = 20
    /// The files of the processor's log. Its index is made anew.
    static let logFiles = ["effects.jsonl", "effects.id"]

    /// - Parameter directory: the data directory.
    package init(of directory: String, _ upkeep: StoreUpkeep, version: String) {
        (self.directory, self.upkeep, self.version) = (directory, upkeep, version)
    }

    package var folder: String { directory + "/snapshots" }

    /// A snapshot, as its manifest says.
    package struct Entry: Codable, Hashable, Sendable {
        package let name: String
        package let madeAt: Instant
        package let version: String
        package let bytes: Int
        /// How many migrations its database has.
        package let migrations: Int
        let files: [File]
    }

    struct File: Codable, Hashable, Sendable {
        let path: String
        let bytes: Int
        let sha256: String
    }

    // MARK: Looking

    /// All snapshots, the newest first; what cannot be read is none.
    package func list() -> [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter(Self.isName).compactMap { try? entry($0) }
            .sorted { ($0.madeAt, $0.name) > ($1.madeAt, $1.name) }
    }

    package func entry(_ name: String) throws -> Entry {
        try Self.requireName(name)
        guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)/snapshot.json"),
            let entry = try? JSONDecoder().decode(Entry.self, from: bytes)
        else { throw UpkeepError(.noBackup, "there is no snapshot \(name) in \(folder)") }
        return entry
    }

    /// A name is no path: it leads nowhere else.
    static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        func isPlain(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        return (1...longestName).contains(bytes.count) && bytes.allSatisfy { isPlain($0) || "-_.".utf8.contains($0) }
            && bytes.first.map(isPlain) == true
    }

    private static let draftEnding = ".partial"

    /// Whether a folder is a snapshot that was being made; what is being put back is none.
    private static func isDraft(_ name: String) -> Bool {
        name.hasPrefix(".") && name.hasSuffix(draftEnding) && name != ".restoring" + draftEnding
    }

    private static func requireName(_ name: String) throws {
        guard isName(name) else {
            throw UpkeepError(
                .unsuitable,
                "the name of a snapshot has 1 to \(longestName) letters, digits, hyphens, periods and underscores, and begins "
                    + "with a letter or digit")
        }
    }

    /// PostgreSQL has one database for all environments, whose copies are dumps.
    private func requireFiles() throws {
        guard upkeep.databases.engine == "sqlite" else {
            throw UpkeepError(
                .unsuitable,
                "a store on PostgreSQL cannot make snapshots yet; make a backup: till database backup FOLDER")
        }
    }

    // MARK: Saving

    /// Makes a snapshot while the store runs or not.
    package func save(_ name: String, at now: Instant) async throws -> Entry {
        try Self.requireName(name)
        try requireFiles()
        let lock = try beginning()
        defer { withExtendedLifetime(lock) {} }
        let destination = "\(folder)/\(name)"
        guard !FileManager.default.fileExists(atPath: destination) else {
            throw UpkeepError(.occupied, "there is a snapshot \(name) already; choose another name")
        }
        guard list().count < Self.most else {
            throw UpkeepError(.occupied, "there are \(Self.most) snapshots already; remove folders from \(folder)")
        }
        let draft = "\(folder)/.\(name)\(Self.draftEnding)"
        do {
            let migrations = try await copyAtRest(to: draft)
            let entry = try Self.seal(draft, as: name, migrations, version, at: now)
            try FolderFiles.move(draft, to: destination)
            return entry
        } catch {
            try? FolderFiles.remove(draft)
            throw error
        }
    }

    /// Makes the folder, and takes the right to make a snapshot in it, which one process has at a time.
    private func beginning() throws -> SystemFile {
        let files = FileManager.default
        do {
            if !files.fileExists(atPath: folder) { try FolderFiles.make(folder) }
        } catch  where files.fileExists(atPath: folder) {
            // Another process was a moment faster.
        }
        guard let lock = try FolderFiles.lock(folder + "/.saving") else {
            throw UpkeepError(.inputOutput, "a snapshot is being made at this moment; try again when it is done")
        }
        // A process that was killed has left its draft behind.
        for left in (try? files.contentsOfDirectory(atPath: folder)) ?? [] where Self.isDraft(left) {
            try FolderFiles.remove("\(folder)/\(left)")
        }
        return lock
    }

    /// Copies database and log so that the log has nothing that the database could not know of: where something was added to
    /// the log meanwhile, both are copied again.
    private func copyAtRest(to draft: String) async throws -> Int {
        for _ in 0..<Self.attempts {
            try FolderFiles.remove(draft)
            try FolderFiles.make(draft)
            let before = logBytes
            try await upkeep.databases.copy([upkeep.schemas.sandbox], into: draft) { _ in }
            guard logBytes == before else { continue }
            try copyLog(to: draft, bytes: before)
            guard let found = try await upkeep.databases.examine(upkeep.schemas.sandbox, copiedInto: draft) else {
                throw UpkeepError(.noBackup, "there is no sandbox database")
            }
            if let problem = found.problems.first {
                throw UpkeepError(.damaged, "the sandbox database is damaged (\(problem)); a snapshot would be too")
            }
            return found.migrations
        }
        throw UpkeepError(.inputOutput, "the sandbox is paid in all the time; try again when it is quieter")
    }

    private var log: String { directory + "/processor/sandbox" }

    private var logBytes: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(log)/\(Self.logFiles[0])")
        return attributes?[.size] as? Int ?? 0
    }

    private func copyLog(to draft: String, bytes: Int) throws {
        try FolderFiles.make(draft + "/processor")
        for name in Self.logFiles where FileManager.default.fileExists(atPath: "\(log)/\(name)") {
            try FolderFiles.copy("\(log)/\(name)", to: "\(draft)/processor/\(name)")
        }
        // What was added while it was copied is not part of it.
        let copy = "\(draft)/processor/\(Self.logFiles[0])"
        if FileManager.default.fileExists(atPath: copy) {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: copy))
            try handle.truncate(atOffset: UInt64(bytes))
            try handle.synchronize()
            try handle.close()
        }
    }

    private static func seal(
        _ draft: String, as name: String, _ migrations: Int, _ version: String, at now: Instant
    ) throws -> Entry {
        let files = try FolderFiles.files(below: draft).map { path in
            let (bytes, sha256) = try FolderFiles.digest("\(draft)/\(path)")
            try FolderFiles.synchronize("\(draft)/\(path)")
            return File(path: path, bytes: bytes, sha256: sha256)
        }
        let entry = Entry(
            name: name, madeAt: now, version: version, bytes: files.reduce(0) { $0 + $1.bytes }, migrations: migrations,
            files: files)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try FolderFiles.write(Array(encoder.encode(entry)), to: draft + "/snapshot.json")
        try FolderFiles.synchronize(draft + "/processor")
        try FolderFiles.synchronize(draft)
        return entry
    }

    /// Throws unless every file of a snapshot is as it was made, and this version can open it.
    private func requireWhole(_ entry: Entry) throws {
        for file in entry.files {
            let path = "\(folder)/\(entry.name)/\(file.path)"
            guard let found = try? FolderFiles.digest(path), found.sha256 == file.sha256 else {
                throw UpkeepError(.damaged, "\(path) is not as it was made; nothing was changed")
            }
        }
        let known = upkeep.schemas.sandbox.migrations.count
        guard entry.migrations <= known else {
            throw UpkeepError(
                .unsuitable,
                "the snapshot was made by a newer version (\(entry.version)), which has \(entry.migrations) migrations, and "
                    + "this one \(known)")
        }
    }
}

extension SnapshotShelf {
    /// Makes a snapshot that a request asks for; what is refused names its field.
    package func save(_ name: String, forRequestAt now: Instant) async throws -> Entry {
        do {
            return try await save(name, at: now)
        } catch let error as UpkeepError where error.code == .occupied {
            throw ServiceError(.nameTaken, error.message, parameter: "name")
        } catch let error as UpkeepError where error.code == .unsuitable {
            throw ServiceError(.valueInvalid, error.message, parameter: "name")
        } catch let error as UpkeepError where error.code == .inputOutput {
            // A disk that is full, for example: whoever asks can make room, and is told where.
            throw ServiceError(.storeUnavailable, error.message)
        }
    }
}

// MARK: Putting back

extension SnapshotShelf {
    /// What was put back, until the audit has it.
    package struct Restoration: Codable, Hashable, Sendable {
        package let name: String
        package let madeAt: Instant
        /// The name of the life of the sandbox that began with it.
        package let epoch: String
        let logFiles: [String]
    }

    private static func ready(_ directory: String) -> String { directory + "/snapshots/.restoring" }
    private static func done(_ directory: String) -> String { directory + "/snapshots/.restored.json" }

    /// Puts a snapshot in the place of the sandbox, which nobody has open. Devices learn by the new life that what they know
    /// means nothing any more.
    package func restore(_ name: String, epoch: String) throws -> Restoration {
        try requireFiles()
        let entry = try entry(name)
        try requireWhole(entry)
        let draft = "\(folder)/.restoring.partial"
        try FolderFiles.remove(draft)
        do {
            try prepare(entry, in: draft, epoch: epoch)
            try FolderFiles.move(draft, to: Self.ready(directory))
        } catch {
            try? FolderFiles.remove(draft)
            throw error
        }
        try Self.finish(in: directory)
        return Restoration(name: name, madeAt: entry.madeAt, epoch: epoch, logFiles: [])
    }

    private func prepare(_ entry: Entry, in draft: String, epoch: String) throws {
        let source = "\(folder)/\(entry.name)"
        try FolderFiles.make(draft)
        let copy = draft + "/sandbox.sqlite"
        try SQLiteFile(path: source + "/sandbox.sqlite").copy(to: copy, schema: upkeep.schemas.sandbox) { _, _ in }
        try SQLiteFile(path: copy).beginEpoch(epoch, schema: upkeep.schemas.sandbox)
        let names = Self.logFiles.filter { FileManager.default.fileExists(atPath: "\(source)/processor/\($0)") }
        for name in names { try FolderFiles.copy("\(source)/processor/\(name)", to: "\(draft)/\(name)") }
        let note = Restoration(name: entry.name, madeAt: entry.madeAt, epoch: epoch, logFiles: names)
        try FolderFiles.write(Array(JSONEncoder().encode(note)), to: draft + "/restore.json")
        try FolderFiles.synchronize(draft)
    }

    /// Moves what a process has made ready and has not moved any more. Only for who has the right to the store.
    package static func finish(in directory: String) throws {
        let files = FileManager.default
        let ready = ready(directory)
        guard let bytes = files.contents(atPath: ready + "/restore.json") else {
            // Its note is the last thing that goes.
            try FolderFiles.remove(ready)
            return
        }
        let note = try JSONDecoder().decode(Restoration.self, from: bytes)
        let database = directory + "/databases/sandbox.sqlite"
        if files.fileExists(atPath: ready + "/sandbox.sqlite") {
            // A log of the former database must not get into this one.
            for suffix in ["-wal", "-shm"] { try FolderFiles.remove(database + suffix) }
            for suffix in ["-wal", "-shm"] { try FolderFiles.remove(ready + "/sandbox.sqlite" + suffix) }
            try FolderFiles.move(ready + "/sandbox.sqlite", to: database)
        }
        let log = directory + "/processor/sandbox"
        try FolderFiles.remove(log + "/effects.index")
        for name in logFiles {
            if files.fileExists(atPath: "\(ready)/\(name)") {
                try FolderFiles.move("\(ready)/\(name)", to: "\(log)/\(name)")
            } else if !note.logFiles.contains(name) {
                try FolderFiles.remove("\(log)/\(name)")
            }
        }
        try FolderFiles.move(ready + "/restore.json", to: done(directory))
        try FolderFiles.remove(ready)
    }

    /// Notes in the audit what was put back, once, when the store is open again.
    package static func note(in directory: String, _ catalogue: any Database, at now: Instant) async throws {
        guard let bytes = FileManager.default.contents(atPath: done(directory)),
            let note = try? JSONDecoder().decode(Restoration.self, from: bytes)
        else { return }
        try await catalogue.write { transaction in
            // A process that was killed before the file was removed has noted it already.
            guard try StoreProperty.value(of: property, in: transaction) != note.epoch else { return }
            try StoreProperty.keep(note.epoch, as: property, in: transaction)
            try CatalogueAudit.append(
                .store, "snapshot \(note.name) of \(note.madeAt.rfc3339) restored in the sandbox",
                CatalogueChange(.owner, at: now, in: transaction))
        }
        try FolderFiles.remove(done(directory))
    }

    private static let property = "snapshot-restored"
}

// MARK: Forking

extension SnapshotShelf {
    /// Makes a data directory in which the sandbox is as in a snapshot, and production is empty and has other keys.
    package func fork(_ name: String, to destination: String, epoch: String) async throws -> Entry {
        try requireFiles()
        let entry = try entry(name)
        try requireWhole(entry)
        guard !FileManager.default.fileExists(atPath: destination) else {
            throw UpkeepError(
                .occupied, "there is something at \(destination) already; name a folder that is not there")
        }
        let draft = destination + ".partial"
        try FolderFiles.remove(draft)
        try FolderFiles.make(draft)
        do {
            try FolderFiles.make(draft + "/databases")
            try await upkeep.databases.copy([upkeep.schemas.catalogue], into: draft + "/databases") { _ in }
            let source = "\(folder)/\(name)"
            let copy = draft + "/databases/sandbox.sqlite"
            try SQLiteFile(path: source + "/sandbox.sqlite").copy(to: copy, schema: upkeep.schemas.sandbox) { _, _ in }
            try SQLiteFile(path: copy).beginEpoch(epoch, schema: upkeep.schemas.sandbox)
            try FolderFiles.make(draft + "/processor")
            try FolderFiles.make(draft + "/processor/sandbox")
            for name in Self.logFiles where FileManager.default.fileExists(atPath: "\(source)/processor/\(name)") {
                try FolderFiles.copy("\(source)/processor/\(name)", to: "\(draft)/processor/sandbox/\(name)")
            }
            try copyFolder("keys/sandbox", to: draft)
            try copyFolder("blobs", to: draft)
            try FolderFiles.synchronize(draft)
            try FolderFiles.move(draft, to: destination)
            return entry
        } catch {
            try? FolderFiles.remove(draft)
            throw error
        }
    }

    private func copyFolder(_ name: String, to draft: String) throws {
        let source = "\(directory)/\(name)"
        guard FileManager.default.fileExists(atPath: source) else { return }
        for path in try FolderFiles.files(below: source) where !path.hasPrefix("drafts/") && path != "lock" {
            try upkeep.backup.makeFolders(above: "\(name)/\(path)", in: draft)
            try FolderFiles.copy("\(source)/\(path)", to: "\(draft)/\(name)/\(path)")
        }
    }
}
