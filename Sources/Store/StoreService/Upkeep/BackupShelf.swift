import Foundation
package import StoreCatalogue
import StoreDatabase
import StoreFoundation
package import StoreLog
package import StoreModel

/// The folder in which a running store makes its backups, and looks into them. One thing at a time is done, in the background.
///
/// What lies there was made by the store or by `till database backup`; a folder that is brought there is listed too. Nothing is
/// ever removed: that is for whoever keeps the disk.
package actor BackupShelf {
    package nonisolated let folder: String
    private let upkeep: StoreUpkeep
    private let log: Log
    private let now: @Sendable () -> Instant
    private var job: Job?
    private var ended: [String: Look] = [:]
    private var failure: Failure?

    /// The most backups that are listed.
    package static let most = 500
    package static let longestName = 100

    /// - Parameters:
    ///   - folder: it is made with the first backup.
    ///   - now: tells when a backup is made.
    package init(_ folder: String, _ upkeep: StoreUpkeep, log: Log, now: @escaping @Sendable () -> Instant) {
        (self.folder, self.upkeep, self.log, self.now) = (folder, upkeep, log, now)
    }

    /// A backup, as its manifest says.
    package struct Entry: Hashable, Sendable {
        package let name: String
        /// RFC 3339; empty where the manifest cannot be read.
        package let madeAt: String
        package let version: String
        package let engine: String
        package let bytes: Int
        package let files: Int
        package let hasKeys: Bool
        /// Why it is none, or cannot be put back here.
        package let problem: String?
        /// What came of the last look into it, since the store runs.
        package fileprivate(set) var look: Look?
    }

    /// What is being done.
    package struct Job: Hashable, Sendable {
        // Closed: there is nothing else to do with backups.
        package enum Kind: String, Sendable { case making, looking }

        package let kind: Kind
        package let name: String
        package let startedAt: Instant
        package fileprivate(set) var step = "beginning"
        package fileprivate(set) var done = 0
        package fileprivate(set) var all = 0

        package var percent: Int { all > 0 ? done * 100 / all : 0 }
    }

    /// A backup that was not made.
    package struct Failure: Hashable, Sendable {
        package let name: String
        package let at: Instant
        package let reason: String
    }

    /// What was found in a backup.
    package struct Look: Hashable, Sendable {
        /// A database of it.
        package struct Copy: Hashable, Sendable {
            package let name: String
            package let migrations: Int
            package let knownMigrations: Int
            /// How many there are of the things in it, by their names.
            package let counts: [String: Int]
        }

        package let at: Instant
        package let files: Int
        /// Damage, a sentence each; none if everything is as it was made and opens.
        package let problems: [String]
        /// None where copies are dumps, of which only the bytes are compared.
        package let copies: [Copy]
    }

    // MARK: The shelf

    /// All backups, the newest first.
    package func list() async -> [Entry] {
        let (folder, upkeep) = (folder, upkeep)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let current = job.map { $0.name + Self.partial }
        let meant = names.filter { Self.isName($0) && $0 != current }.sorted(by: >).prefix(Self.most)
        let found = await OwnThread.run(named: "till-blocking") {
            meant.map { Self.entry($0, in: folder, upkeep.backup) }
        }
        return found.map { entry in
            var entry = entry
            entry.look = ended[entry.name]
            return entry
        }.sorted { ($0.madeAt, $0.name) > ($1.madeAt, $1.name) }
    }

    package func entry(_ name: String) async throws -> Entry {
        guard Self.isName(name), let found = await list().first(where: { $0.name == name }) else {
            throw ServiceError(.backupUnknown, "there is no backup of this name in \(folder)")
        }
        return found
    }

    /// What is being done now.
    package var current: Job? { job }
    /// The last backup that was not made, since the store runs.
    package var lastFailure: Failure? { failure }

    /// A name is no path: it leads nowhere else.
    private static func isName(_ name: String) -> Bool {
        (1...longestName).contains(name.utf8.count) && !name.hasPrefix(".")
            && name.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 > 32 && $0 < 127 }
    }

    /// How a backup ends that has not got its name yet.
    private static let partial = ".partial"

    private static func entry(_ name: String, in folder: String, _ backup: StoreBackup) -> Entry {
        do {
            guard !name.hasSuffix(partial) else {
                throw UpkeepError(
                    .noBackup,
                    "it is not whole: another process is making it, or was killed; what was killed can be removed")
            }
            let manifest = try backup.manifest(of: "\(folder)/\(name)")
            let isOfEngine = manifest.engine == backup.upkeep.engine
            return Entry(
                name: name, madeAt: manifest.madeAt, version: manifest.version, engine: manifest.engine,
                bytes: manifest.files.reduce(0) { $0 + $1.bytes }, files: manifest.files.count,
                hasKeys: manifest.files.contains { $0.path.hasPrefix("keys/") },
                problem: isOfEngine ? nil : "it is of \(manifest.engine); this store is kept by \(backup.upkeep.engine)"
            )
        } catch {
            return Entry(
                name: name, madeAt: "", version: "", engine: "", bytes: 0, files: 0, hasKeys: false,
                problem: "\(error)")
        }
    }

    // MARK: What is done

    /// Begins to make a backup; gives its name.
    package func make(withKeys: Bool, by actor: Actor) throws -> Job {
        try actor.require(.teams, change: true, in: .production)
        let start = now()
        // Colons are trouble in names of files.
        let name = start.rfc3339.replacing(":", with: "-")
        let job = try begin(.making, name, at: start)
        log.info("backup.started", "A backup is being made.", ["name": .text(name), "actor": .text(actor.text)])
        running = Task { await self.work(job, withKeys) }
        return job
    }

    /// Begins to look into a backup: compares every file with the manifest, opens the databases and counts what is in them.
    package func look(into name: String, by actor: Actor) async throws -> Job {
        try actor.require(.teams, change: true, in: .production)
        _ = try await entry(name)
        let job = try begin(.looking, name, at: now())
        running = Task { await self.work(job, false) }
        return job
    }

    private func begin(_ kind: Job.Kind, _ name: String, at start: Instant) throws -> Job {
        if let job {
            let what = job.kind == .making ? "is being made" : "is being looked at"
            throw ServiceError(.systemBusy, "the backup \(job.name) \(what), \(job.percent) % of it; wait for its end")
        }
        let new = Job(kind: kind, name: name, startedAt: start)
        job = new
        return new
    }

    /// Waits until nothing is being done any more, such as in a command that would end before.
    package func settle() async {
        while let running { await running.value }
    }

    private var running: Task<Void, Never>?

    private func work(_ job: Job, _ withKeys: Bool) async {
        let progress: @Sendable (UpkeepProgress) -> Void = { progress in
            Task { await self.note(progress, of: job) }
        }
        switch job.kind {
        case .making:
            do {
                if !FileManager.default.fileExists(atPath: folder) { try FolderFiles.make(folder) }
                try await upkeep.backup.make(
                    at: "\(folder)/\(job.name)", withKeys: withKeys, at: job.startedAt, progress: progress)
                failure = nil
                log.info("backup.made", "A backup was made.", ["name": .text(job.name)])
            } catch {
                failure = Failure(name: job.name, at: now(), reason: "\(error)")
                log.error(
                    "backup.failed", "A backup could not be made.",
                    ["name": .text(job.name), "reason": "\(error)"])
            }
        case .looking: ended[job.name] = await found(in: job.name, progress)
        }
        self.job = nil
        running = nil
    }

    private func note(_ progress: UpkeepProgress, of known: Job) {
        guard var current = job, current.name == known.name, current.kind == known.kind else { return }
        (current.step, current.done, current.all) = (progress.step, progress.done, progress.all)
        job = current
    }

    private func found(in name: String, _ progress: @escaping @Sendable (UpkeepProgress) -> Void) async -> Look {
        let (path, upkeep) = ("\(folder)/\(name)", upkeep)
        do {
            let manifest = try await OwnThread.run(named: "till-blocking") {
                try upkeep.backup.verify(path, progress)
            }
            var (problems, copies): ([String], [Look.Copy]) = ([], [])
            for schema in upkeep.schemas.all {
                progress(UpkeepProgress("opening the \(schema.name) database", done: 1, of: 1))
                guard
                    let found = try await upkeep.databases.examine(schema, copiedInto: path + "/databases")
                else { continue }
                problems += found.problems.map { "\(schema.name): \($0)" }
                let counts = try await upkeep.databases.read(schema, copiedInto: path + "/databases") {
                    try BackupCounts.counts(in: $0)
                }
                copies.append(
                    Look.Copy(
                        name: schema.name, migrations: found.migrations, knownMigrations: found.knownMigrations,
                        counts: counts ?? [:]))
            }
            return Look(at: now(), files: manifest.files.count, problems: problems, copies: copies)
        } catch {
            return Look(at: now(), files: 0, problems: ["\(error)"], copies: [])
        }
    }
}

/// What a copy of a database is counted by.
private enum BackupCounts {
    private static let tables: [(name: String, table: String, sql: SQL)] = [
        ("apps", "app", "SELECT count(*) FROM app"), ("products", "product", "SELECT count(*) FROM product"),
        ("teams", "team", "SELECT count(*) FROM team"),
        ("customers", "customer", "SELECT count(*) FROM customer"),
        ("transactions", "store_transaction", "SELECT count(*) FROM store_transaction"),
        ("subscriptions", "subscription", "SELECT count(*) FROM subscription"),
    ]

    static func counts(in transaction: any ReadTransaction) throws -> [String: Int] {
        // Only copies of SQLite are opened.
        let there = try Set(
            transaction.query("SELECT name FROM sqlite_schema WHERE type = 'table'") {
                try $0.value(0, as: String.self)
            })
        var counts: [String: Int] = [:]
        for (name, table, sql) in tables where there.contains(table) {
            counts[name] = try transaction.value(sql, as: Int.self)
        }
        return counts
    }
}
