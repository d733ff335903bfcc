import Foundation
package import StoreCatalogue
package import StoreDatabase
import StoreFoundation
package import StoreModel

/// What an operator does to a store as a whole: look it over, back it up.
package struct StoreUpkeep: Sendable {
    package let databases: any DatabaseUpkeep
    package let schemas: StoreSchemas
    package let backup: StoreBackup
    let blobs: BlobSource

    /// - Parameter blobs: those that the catalogue refers to.
    package init(
        of directory: String, _ databases: any DatabaseUpkeep, _ schemas: StoreSchemas, blobs: BlobSource = .none,
        version: String
    ) {
        self.databases = databases
        self.schemas = schemas
        self.blobs = blobs
        backup = StoreBackup(of: directory, databases, schemas, version: version)
    }

    /// Makes a backup in a folder that is not there yet, while the store runs or not. Answers how many bytes it has.
    package func backUp(
        to destination: String, withKeys: Bool, at now: Instant,
        progress: @escaping @Sendable (BackupProgress) throws -> Void
    ) async throws -> Int {
        try await backup.make(at: destination, withKeys: withKeys, at: now) {
            try progress(BackupProgress(step: $0.step, done: $0.done, all: $0.all))
        }
    }

    /// The code of why something was not done.
    package static func code(of error: any Error) -> String {
        ((error as? UpkeepError)?.code ?? .inputOutput).rawValue
    }

    /// What is known of one database.
    package struct Report: Codable, Hashable, Sendable {
        package let name: String
        package let exists: Bool
        package let problems: [String]
        package let migrations: Int
        package let knownMigrations: Int

        /// Whether the database is there, whole, and of this version.
        package var isInOrder: Bool { exists && problems.isEmpty && migrations == knownMigrations }
    }

    /// The names of the databases that have not been made.
    package func missing() async throws -> [String] {
        var names: [String] = []
        for schema in schemas.all where try await !databases.exists(schema) { names.append(schema.name) }
        return names
    }

    /// What is known of a store: its databases, and the blobs that they refer to.
    package struct Examination: Codable, Hashable, Sendable {
        package let databases: [Report]
        package let blobs: BlobReport
    }

    /// Examines databases and blobs. Nothing is changed.
    package func examine() async -> Examination {
        Examination(databases: await examineDatabases(), blobs: await examineBlobs())
    }

    /// Examines the three databases. One that cannot be read has that as its problem.
    package func examineDatabases() async -> [Report] {
        var reports: [Report] = []
        for schema in schemas.all {
            let known = schema.migrations.count
            do {
                let found = try await databases.examine(schema)
                let isWhole = found.map { $0.problems.isEmpty && $0.migrations == known } ?? false
                let ofSearch =
                    isWhole && schema.name == schemas.catalogue.name
                    ? try await databases.read(schema) { try SearchIndex.problems(in: $0) } ?? [] : []
                reports.append(
                    Report(
                        name: schema.name, exists: found != nil, problems: (found?.problems ?? []) + ofSearch,
                        migrations: found?.migrations ?? 0, knownMigrations: known))
            } catch {
                reports.append(
                    Report(
                        name: schema.name, exists: true, problems: ["\(error)"], migrations: 0, knownMigrations: known))
            }
        }
        return reports
    }
}

/// How far a backup is, for whoever waits for it.
package struct BackupProgress: Codable, Hashable, Sendable {
    /// What is being done, such as "copying the production database".
    package let step: String
    /// How much is done, in the unit of the whole.
    package let done: Int
    package let all: Int
}

/// The upkeep of databases that are files in a folder.
package struct SQLiteUpkeep: DatabaseUpkeep {
    package let engine = "sqlite"
    private let folder: String

    package init(folder: String) {
        self.folder = folder
    }

    package func exists(_ schema: Schema) -> Bool {
        // A file of nothing is what is left of a database, or was never one.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path(of: schema, in: folder))
        return (attributes?[.size] as? Int ?? 0) > 0
    }

    package func examine(_ schema: Schema) async throws -> DatabaseExamination? {
        guard exists(schema) else { return nil }
        let path = path(of: schema, in: folder)
        return try await OwnThread.run(named: "till-blocking") { try SQLiteFile(path: path).examine(for: schema) }
    }

    package func read<Result: Sendable>(
        _ schema: Schema, _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result? {
        guard exists(schema) else { return nil }
        let path = path(of: schema, in: folder)
        return try await OwnThread.run(named: "till-blocking") { try SQLiteFile(path: path).read(schema, body) }
    }

    package func copy(
        _ schemas: [Schema], into destination: String,
        progress: @escaping @Sendable (UpkeepProgress) throws -> Void
    ) async throws {
        for schema in schemas {
            let (source, copy) = (path(of: schema, in: folder), path(of: schema, in: destination))
            try await OwnThread.run(named: "till-blocking") {
                try SQLiteFile(path: source).copy(to: copy, schema: schema) { done, all in
                    try progress(UpkeepProgress("copying the \(schema.name) database", done: done, of: all))
                }
            }
        }
    }

    package func examine(_ schema: Schema, copiedInto folder: String) async throws -> DatabaseExamination? {
        let path = path(of: schema, in: folder)
        return try await OwnThread.run(named: "till-blocking") { try SQLiteFile(path: path).examine(for: schema) }
    }

    package func read<Result: Sendable>(
        _ schema: Schema, copiedInto folder: String,
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result? {
        let path = path(of: schema, in: folder)
        return try await OwnThread.run(named: "till-blocking") { try SQLiteFile(path: path).read(schema, body) }
    }

    package func restore(
        _ schemas: [Schema], from source: String, replacing: Bool, epoch: String,
        progress: @escaping @Sendable (UpkeepProgress) throws -> Void
    ) async throws {
        let draft = folder + ".restoring"
        try FolderFiles.remove(draft)
        try FolderFiles.make(draft)
        for schema in schemas {
            let (from, copy) = (path(of: schema, in: source), path(of: schema, in: draft))
            try await OwnThread.run(named: "till-blocking") {
                try SQLiteFile(path: from).copy(to: copy, schema: schema) { done, all in
                    try progress(UpkeepProgress("putting back the \(schema.name) database", done: done, of: all))
                }
                try SQLiteFile(path: copy).beginEpoch(epoch, schema: schema)
            }
        }
        try FolderFiles.synchronize(draft)
        if FileManager.default.fileExists(atPath: folder) {
            guard replacing else {
                throw UpkeepError(.occupied, "there are databases in \(folder) already")
            }
            try FolderFiles.move(folder, to: "\(folder).before-\(epoch)")
        }
        try FolderFiles.move(draft, to: folder)
    }

    private func path(of schema: Schema, in folder: String) -> String { "\(folder)/\(schema.name).sqlite" }
}
