import CommandOptions
import Foundation
import StoreModel
import StoreService
import StoreSigning

extension StoreSystem {
    /// That of a process that serves.
    ///
    /// - Parameter onlineChecks: where verifiers ask about the certificates of each environment.
    init(
        _ settings: ServeSettings, _ checks: ServiceChecks, _ upkeep: UpkeepSettings,
        onlineChecks: [StoreEnvironment: String]
    ) throws {
        try self.init(
            Server(
                version: TillProgram.version, engine: settings.database.engine, dataDirectory: settings.directory.path,
                process: getpid(), startedAt: SystemClock.now(), isServing: true),
            settings: settings.given, settings.backups, settings.directory, settings.passphrase, checks, upkeep,
            onlineChecks)
    }

    /// That of a command that has opened the store for itself.
    init(
        _ arguments: ParsedArguments, _ directory: DataDirectory, _ passphrase: [UInt8]?, _ checks: ServiceChecks,
        _ upkeep: UpkeepSettings, at now: Instant
    ) throws {
        try self.init(
            Server(
                version: TillProgram.version, engine: upkeep.database.engine, dataDirectory: directory.path,
                process: getpid(), startedAt: now, isServing: false),
            settings: [], SystemOptions.folder(arguments, in: directory), directory, passphrase, checks, upkeep, [:])
    }

    private init(
        _ server: Server, settings: [SystemSetting], _ backups: String, _ directory: DataDirectory,
        _ passphrase: [UInt8]?, _ checks: ServiceChecks, _ upkeep: UpkeepSettings,
        _ onlineChecks: [StoreEnvironment: String]
    ) throws {
        let keys = KeyStore(dataDirectory: directory.path)
        self.init(
            server, settings: settings,
            backups: BackupShelf(backups, try upkeep.upkeep(directory), log: upkeep.log, now: SystemClock.now),
            keys: KeyRotation(
                keys, passphrase: passphrase, onlineChecks: onlineChecks, checks.environments.keyWatches,
                log: upkeep.log, now: SystemClock.now),
            nanoseconds: SystemClock.nanoseconds, checks: { checks[$0] })
        snapshots = SnapshotShelf(of: directory.path, try upkeep.upkeep(directory), version: TillProgram.version)
    }
}
