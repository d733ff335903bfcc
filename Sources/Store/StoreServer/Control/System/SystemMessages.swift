import StoreCatalogue
package import StoreHTTP
package import StoreModel
package import StoreService
import StoreSigning

/// How an environment is as a program that runs.
package struct SystemReport: Codable, Hashable, Sendable {
    package struct Check: Codable, Hashable, Sendable {
        package var name: String
        package var isInOrder: Bool
        /// What is wrong; missing where nothing is.
        package var problem: String?
    }

    package struct Key: Codable, Hashable, Sendable {
        package var purpose: String
        package var role: String
        package var number: Int
        package var beginsAt: Instant
        package var endsAt: Instant
        package var fingerprint: String
        /// Whether its private key is here, so that it can be replaced here.
        package var hasKey: Bool
        package var remedy: String
    }

    package struct Ending: Codable, Hashable, Sendable {
        package var name: String
        package var endsAt: Instant
        package var remedy: String
    }

    package struct Work: Codable, Hashable, Sendable {
        package var kind: String
        package var title: String
        package var scheduled: Int
        package var due: Int
        /// Since when the oldest is due; missing where none is.
        package var oldest: Instant?
        package var failing: Int
    }

    package struct Dead: Codable, Hashable, Sendable {
        package var kind: String
        package var subject: String
        package var date: Instant
        package var attempts: Int
        package var error: String
    }

    package struct Backlog: Codable, Hashable, Sendable {
        package var summary: String
        package var work: [Work]
        /// Work that was given up, the newest first; at most 20 of ``deadCount``.
        package var dead: [Dead]
        package var deadCount: Int
        package var notifications: Int
        package var oldestNotification: Instant?
        package var unansweredCharges: Int
    }

    package var version: String
    package var database: String
    package var dataDirectory: String
    package var process: Int
    package var startedAt: Instant
    package var isInOrder: Bool
    package var checks: [Check]
    package var keys: [Key]
    /// Certificates and tokens that end soon, or have ended.
    package var endings: [Ending]
    package var backlog: Backlog
    /// The newest requests that failed for a reason of the store, the newest first.
    package var failedRequests: [RequestReport]

    init(_ system: StoreSystem, _ store: EnvironmentStore, _ history: RequestHistory?) async throws {
        let server = system.server
        (version, database, dataDirectory) = (server.version, server.engine, server.dataDirectory)
        (process, startedAt) = (Int(server.process), server.startedAt)
        checks = await system.health(of: store.environment).map {
            Check(name: $0.name, isInOrder: $0.problem == nil, problem: $0.problem)
        }
        isInOrder = checks.allSatisfy(\.isInOrder)
        keys = try system.keys.certificates(of: store.environment).map { Key($0, in: store.environment) }
        endings = try await StoreOverview.endings(of: store).map {
            Ending(name: $0.name, endsAt: $0.endsAt, remedy: "till \($0.remedy)")
        }
        backlog = Backlog(try await StoreBacklog(of: store))
        failedRequests = await SystemTroubles.requests(in: history).map { RequestReport($0) }
    }
}

extension SystemReport.Key {
    init(_ certificate: KeyRotation.Certificate, in environment: StoreEnvironment) {
        (purpose, role) = (certificate.purpose.rawValue, certificate.role.rawValue)
        (number, fingerprint, hasKey) = (certificate.number, certificate.fingerprint, certificate.hasKey)
        (beginsAt, endsAt) = (certificate.beginsAt, certificate.endsAt)
        remedy = "till \(certificate.remedy(in: environment))"
    }
}

extension SystemReport.Backlog {
    init(_ backlog: StoreBacklog) {
        summary = backlog.sentence
        work = backlog.work.map {
            SystemReport.Work(
                kind: $0.kind, title: $0.title, scheduled: $0.scheduled, due: $0.due,
                oldest: $0.oldest, failing: $0.failing)
        }
        dead = backlog.dead.map {
            SystemReport.Dead(
                kind: $0.kind, subject: $0.subject, date: $0.at, attempts: $0.attempts, error: $0.error)
        }
        (deadCount, notifications, oldestNotification) = (
            backlog.deadCount, backlog.notifications, backlog.oldestNotification
        )
        unansweredCharges = backlog.unanswered
    }
}

/// What the process is set to.
package struct SettingReport: Codable, Hashable, Sendable {
    package var name: String
    /// Missing where it is not set, or secret.
    package var value: String?
    /// `option`, `variable`, `file` or `default`.
    package var source: String
    /// The option, the variable, or the line of the file as `path:line`; missing for a default.
    package var place: String?
    package var isSecret: Bool

    package init(_ setting: SystemSetting) {
        (name, value, source) = (setting.name, setting.value, setting.source.rawValue)
        (place, isSecret) = (setting.place, setting.isSecret)
    }
}

extension SettingReport: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["source": .string(among: SystemSetting.Source.allCases.map(\.rawValue).sorted())]
    }
}

extension BackupShelfReport.Job: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["kind": .string(among: ["looking", "making"])] }
}

/// Which certificates are replaced.
package struct KeyRotationRequest: Codable, Hashable, Sendable {
    /// `jws` or `receipt`; both if it is missing.
    package var purpose: String?

    package init(purpose: String? = nil) {
        self.purpose = purpose
    }
}

/// Whether a new backup has the keys.
package struct NewBackupRequest: Codable, Hashable, Sendable {
    /// Whether the private keys are in it; they are, if it is missing.
    package var withKeys: Bool?

    package init(withKeys: Bool? = nil) {
        self.withKeys = withKeys
    }
}

package struct BackupReport: Codable, Hashable, Sendable {
    package struct Copy: Codable, Hashable, Sendable {
        package var name: String
        package var migrations: Int
        package var knownMigrations: Int
        /// How many there are of the things in it, by their names.
        package var counts: [Count]
    }

    package struct Count: Codable, Hashable, Sendable {
        package var name: String
        package var count: Int
    }

    /// What was found the last time that somebody looked into it, since the store runs.
    package struct Look: Codable, Hashable, Sendable {
        package var date: Instant
        package var files: Int
        package var isInOrder: Bool
        package var problems: [String]
        package var databases: [Copy]
    }

    package var name: String
    package var path: String
    /// RFC 3339; empty where the manifest cannot be read.
    package var madeAt: String
    package var version: String
    package var engine: String
    package var bytes: Int
    package var files: Int
    package var hasKeys: Bool
    package var problem: String?
    package var look: Look?

    init(_ entry: BackupShelf.Entry, in folder: String) {
        (name, path, madeAt) = (entry.name, "\(folder)/\(entry.name)", entry.madeAt)
        (version, engine, bytes) = (entry.version, entry.engine, entry.bytes)
        (files, hasKeys, problem) = (entry.files, entry.hasKeys, entry.problem)
        look = entry.look.map { look in
            Look(
                date: look.at, files: look.files, isInOrder: look.problems.isEmpty, problems: look.problems,
                databases: look.copies.map { copy in
                    Copy(
                        name: copy.name, migrations: copy.migrations, knownMigrations: copy.knownMigrations,
                        counts: copy.counts.sorted { $0.key < $1.key }.map { Count(name: $0.key, count: $0.value) })
                })
        }
    }
}

/// The backups that lie in the folder of the store, and what is being done.
package struct BackupShelfReport: Codable, Hashable, Sendable {
    package struct Job: Codable, Hashable, Sendable {
        /// `making` or `looking`.
        package var kind: String
        package var name: String
        package var startedAt: Instant
        package var step: String
        package var percent: Int

        init(_ job: BackupShelf.Job) {
            (kind, name, startedAt) = (job.kind.rawValue, job.name, job.startedAt)
            (step, percent) = (job.step, job.percent)
        }
    }

    package struct Failure: Codable, Hashable, Sendable {
        package var name: String
        package var date: Instant
        package var reason: String
    }

    package var folder: String
    package var backups: [BackupReport]
    /// What is being done now; missing where nothing is.
    package var job: Job?
    /// The last backup, if it was not made.
    package var failure: Failure?

    init(_ shelf: BackupShelf) async {
        let folder = shelf.folder
        self.folder = folder
        backups = await shelf.list().map { BackupReport($0, in: folder) }
        job = await shelf.current.map(Job.init)
        failure = await shelf.lastFailure.map { Failure(name: $0.name, date: $0.at, reason: $0.reason) }
    }
}

/// What came of a self-test.
package struct SelfTestReport: Codable, Hashable, Sendable {
    package struct Step: Codable, Hashable, Sendable {
        package var name: String
        package var milliseconds: Int
        package var detail: String
        /// What is wrong; missing if nothing is.
        package var problem: String?
    }

    package var environment: StoreEnvironment
    package var date: Instant
    package var isPassed: Bool
    package var summary: String
    package var milliseconds: Int
    package var steps: [Step]

    init(_ report: SelfTest.Report) {
        (environment, date, milliseconds) = (report.environment, report.startedAt, report.milliseconds)
        (isPassed, summary) = (report.failure == nil, report.sentence)
        steps = report.steps.map {
            Step(name: $0.name, milliseconds: $0.milliseconds, detail: $0.detail, problem: $0.problem)
        }
    }
}
