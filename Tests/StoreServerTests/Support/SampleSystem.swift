import Foundation
import StoreDatabase
import StoreLog
import StoreModel
import StoreService
import StoreSigning
import StoreTestSupport

extension StoreSystem {
    /// A store as a program, for tests: with ``SampleKeys``, and backups of the databases in a folder.
    ///
    /// - Parameters:
    ///   - folder: the data directory; backups are in its folder `backups`.
    ///   - problem: what is wrong with one of two checks; nil if both pass.
    static func sample(
        in folder: String = "/nonexistent", keys: KeyStore? = nil, settings: [SystemSetting] = sampleSettings,
        problem: String? = nil, wall: @escaping @Sendable () -> Instant
    ) throws -> StoreSystem {
        let log = Log(time: wall, sink: { _ in })
        let upkeep = StoreUpkeep(
            of: folder, SQLiteUpkeep(folder: folder + "/databases"), try .current(), version: "1")
        var system = StoreSystem(
            Server(
                version: "1", engine: "SQLite", dataDirectory: folder, process: 1, startedAt: wall(), isServing: true),
            settings: settings, backups: BackupShelf(folder + "/backups", upkeep, log: log, now: wall),
            keys: KeyRotation(
                try keys ?? replaceable.get(), passphrase: nil, onlineChecks: [:], [:], log: log, now: wall),
            nanoseconds: { 0 },
            checks: { environment in
                [
                    ReadinessCheck("disk") {},
                    ReadinessCheck("\(environment) database") { if let problem { throw Broken(description: problem) } },
                ]
            })
        system.snapshots = SnapshotShelf(of: folder, upkeep, version: "1")
        return system
    }

    /// Keys that any test may replace, as nobody counts them.
    private static let replaceable = Result { try SampleKeys.copy() }

    static let sampleSettings = [
        SystemSetting(
            name: "listen", value: "127.0.0.1:8080", source: .standard, place: nil, isSecret: false,
            help: "Where production listens."),
        SystemSetting(
            name: "database", value: nil, source: .variable, place: "TILL_DATABASE", isSecret: true,
            help: "Where the databases are."),
        SystemSetting(
            name: "hosts", value: "store.example.com", source: .file, place: "/srv/till/till.conf:3", isSecret: false,
            help: "Further names."),
    ]

    private struct Broken: Error, CustomStringConvertible { let description: String }
}
