package import StoreModel

/// A store as a program that runs: what it is set to, whether it is well, its keys and its backups.
package struct StoreSystem: Sendable {
    package let server: Server
    /// Every setting, as it was given or by default, in the order of the help.
    package let settings: [SystemSetting]
    package let backups: BackupShelf
    /// The snapshots of the sandbox; nil where none are kept.
    package var snapshots: SnapshotShelf?
    package let keys: KeyRotation
    package let selfTest: SelfTest
    private let checks: @Sendable (StoreEnvironment) -> [ReadinessCheck]

    /// The process that answers.
    package struct Server: Hashable, Sendable {
        package let version: String
        /// The database engine, without its address.
        package let engine: String
        package let dataDirectory: String
        package let process: Int32
        package let startedAt: Instant
        /// Whether it serves, and is not a command that opened the store for a moment.
        package let isServing: Bool

        package init(
            version: String, engine: String, dataDirectory: String, process: Int32, startedAt: Instant, isServing: Bool
        ) {
            (self.version, self.engine, self.dataDirectory) = (version, engine, dataDirectory)
            (self.process, self.startedAt, self.isServing) = (process, startedAt, isServing)
        }
    }

    /// - Parameters:
    ///   - nanoseconds: measures times; only differences count.
    ///   - checks: what `/readyz` of an environment checks.
    package init(
        _ server: Server, settings: [SystemSetting], backups: BackupShelf, keys: KeyRotation,
        nanoseconds: @escaping @Sendable () -> Int64, checks: @escaping @Sendable (StoreEnvironment) -> [ReadinessCheck]
    ) {
        (self.server, self.settings, self.backups, self.keys) = (server, settings, backups, keys)
        selfTest = SelfTest(nanoseconds: nanoseconds)
        self.checks = checks
    }

    /// What the checks of an environment say now.
    package func health(of environment: StoreEnvironment) async -> [ReadinessCheck.Result] {
        await ReadinessCheck.results(of: checks(environment))
    }
}

/// What the process is set to, and where that came from.
package struct SystemSetting: Hashable, Sendable {
    /// Where a value came from; the words are those of answers and pages.
    // Closed: settings are looked for in these places, in this order.
    package enum Source: String, CaseIterable, Codable, Sendable {
        case option, variable, file
        case standard = "default"
    }

    package let name: String
    /// Nil where it is not set, or secret.
    package let value: String?
    package let source: Source
    /// The option, the variable, or the line of the file as `path:line`; nil for a default.
    package let place: String?
    package let isSecret: Bool
    package let help: String

    package init(name: String, value: String?, source: Source, place: String?, isSecret: Bool, help: String) {
        (self.name, self.value, self.source) = (name, value, source)
        (self.place, self.isSecret, self.help) = (place, isSecret, help)
    }

    /// As people read it.
    package var text: String { value ?? (isSecret && source != .standard ? "(secret)" : "not set") }
}
