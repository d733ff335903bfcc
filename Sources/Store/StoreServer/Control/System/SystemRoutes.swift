import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

/// The store as a program that runs: its health, settings, keys and backups.
struct SystemRoutes: Sendable {
    private let store: ControlStore
    private let sales: EnvironmentStore
    private let system: StoreSystem

    init(_ store: ControlStore, _ sales: EnvironmentStore, _ system: StoreSystem) {
        (self.store, self.sales, self.system) = (store, sales, system)
    }

    private static let tag = "system"
    private static let backup = PathParameter<String>("backup", rule: "the name of a backup") { $0.isEmpty ? nil : $0 }

    /// What an environment has for itself.
    var routes: [Route] {
        let (store, sales, system) = (store, sales, system)
        return [
            .get(
                "/control/v1/system",
                suspending: { _ in
                    try .json(await SystemReport(system, sales, store.history))
                }
            )
            .described(
                "showSystem", "Health, ends of keys, backlog of work, and what went wrong lately.", tag: Self.tag,
                answers: [.init(.ok, "How the environment is.", .of(SystemReport.self))]),
            .post(
                "/control/v1/system/keys/rotation",
                suspending: { request in
                    let wanted = try request.decode(KeyRotationRequest.self)
                    let purpose = try wanted.purpose.map { text in
                        guard let purpose = ChainPurpose(rawValue: text) else {
                            throw ServiceError(.valueInvalid, "the purpose is jws or receipt", parameter: "purpose")
                        }
                        return purpose
                    }
                    let made = try await system.keys.rotate(
                        sales.environment, purpose, by: request.actor, request: request.id)
                    return try .json(Page(made.map { SystemReport.Key($0, in: sales.environment) }))
                }
            )
            .described(
                "rotateKeys",
                "Replace the certificates that sign now by new ones under the same roots; what the old ones signed goes on "
                    + "verifying.", tag: Self.tag, body: .of(KeyRotationRequest.self),
                answers: [.init(.ok, "The new ones.", .of(Page<SystemReport.Key>.self))],
                refusals: [.systemBusy]),
            .post(
                "/control/v1/system/self-test", body: BodyPolicy.none,
                suspending: { request in
                    try .json(SelfTestReport(await system.selfTest.run(in: sales, by: request.actor)))
                }
            )
            .described(
                "runSelfTest",
                "Buy, verify and refund with an account, a product, a processor and books of its own, of which nothing is left.",
                tag: Self.tag, answers: [.init(.ok, "What came of it, step by step.", .of(SelfTestReport.self))],
                refusals: [.systemBusy]),
        ]
    }

    /// What is of the whole store, which production's operators look after.
    var wholeRoutes: [Route] {
        let system = system
        return [
            .get("/control/v1/system/settings") { _ in
                try .json(Page(system.settings.map(SettingReport.init)))
            }
            .described(
                "listSettings", "What the process is set to, and where that came from; secrets are not shown.",
                tag: Self.tag, answers: [.init(.ok, "All settings.", .of(Page<SettingReport>.self))])
        ] + shelfRoutes + backupRoutes
    }

    private var shelfRoutes: [Route] {
        let system = system
        return [
            .get(
                "/control/v1/system/backups",
                suspending: { _ in
                    try .json(await BackupShelfReport(system.backups))
                }
            )
            .described(
                "listBackups", "The backups in the folder of the store, and what is being done with them.",
                tag: Self.tag,
                answers: [.init(.ok, "The backups, the newest first.", .of(BackupShelfReport.self))]),
            .post(
                "/control/v1/system/backups",
                suspending: { request in
                    let wanted = try request.decode(NewBackupRequest.self)
                    let job = try await system.backups.make(withKeys: wanted.withKeys ?? true, by: request.actor)
                    return try .json(BackupShelfReport.Job(job), status: .accepted)
                }
            )
            .described(
                "makeBackup", "Begin to make a backup while the store goes on.", tag: Self.tag,
                body: .of(NewBackupRequest.self),
                answers: [.init(.accepted, "It is being made.", .of(BackupShelfReport.Job.self))],
                refusals: [.systemBusy]),
        ]
    }

    private var backupRoutes: [Route] {
        let system = system
        return [
            .get(
                "/control/v1/system/backups/{backup}",
                suspending: { request in
                    let entry = try await system.backups.entry(request[Self.backup])
                    return try .json(BackupReport(entry, in: system.backups.folder))
                }
            )
            .described(
                "showBackup", "What a backup says of itself, and what was found in it.", tag: Self.tag,
                parameters: [.path(Self.backup)],
                answers: [.init(.ok, "The backup.", .of(BackupReport.self))], refusals: [.backupUnknown]),
            .post(
                "/control/v1/system/backups/{backup}/verification", body: BodyPolicy.none,
                suspending: { request in
                    let job = try await system.backups.look(into: request[Self.backup], by: request.actor)
                    return try .json(BackupShelfReport.Job(job), status: .accepted)
                }
            )
            .described(
                "verifyBackup",
                "Begin to look into a backup: every file is compared with its manifest, the databases are opened and counted.",
                tag: Self.tag, parameters: [.path(Self.backup)],
                answers: [.init(.accepted, "It is being looked at.", .of(BackupShelfReport.Job.self))],
                refusals: [.backupUnknown, .systemBusy]),
        ]
    }
}
