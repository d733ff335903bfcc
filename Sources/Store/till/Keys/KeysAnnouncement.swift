import CommandOptions
import Foundation
import StoreDatabase
import StoreModel
import StoreServer
import StoreService
import StoreSigning

/// What a command says that has changed keys, and who has taken them.
struct KeysAnnouncement: Sendable {
    /// The servers that share the databases.
    let servers: [KeyServerReport]
    /// Whether this data directory is served.
    let isServed: Bool

    /// The options by which the servers of a store are found.
    static let options: [any OptionDeclaration] = [DatabaseOptions.database]

    /// Has every server of the store take the keys of a data directory, and waits for them.
    static func make(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> KeysAnnouncement {
        if let served = try await makeIfServed(arguments, context) { return served }
        let directory = DataDirectory(arguments[DataOptions.data])
        guard arguments[DatabaseOptions.database] != .sqlite else {
            return KeysAnnouncement(servers: [], isServed: false)
        }
        return KeysAnnouncement(servers: try await tellOthers(directory, arguments), isServed: false)
    }

    /// The same where a process serves the data directory; nil if none does.
    static func makeIfServed(
        _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws -> KeysAnnouncement? {
        let directory = DataDirectory(arguments[DataOptions.data])
        let socket = "\(directory.path)/\(directory.adminSocketName)"
        // The lock of a folder that was never served is not made for this.
        guard access(socket, F_OK) == 0, let running = try await AdminConnection.ofRunning(directory) else {
            return nil
        }
        do {
            let report = try await running.ask("POST", "/admin/v1/keys", as: KeyReport.self)
            await running.close()
            return KeysAnnouncement(servers: report.servers, isServed: true)
        } catch {
            await running.close()
            throw error
        }
    }

    /// Tells the servers of other data directories, where this one is not served.
    private static func tellOthers(
        _ directory: DataDirectory, _ arguments: ParsedArguments
    ) async throws -> [KeyServerReport] {
        guard let lock = try StoreLock(directory) else { throw StoreLock.refusal(directory) }
        let store = try await OpenStore.open(directory, arguments[DatabaseOptions.database], holding: lock)
        let keys = KeysOptions.store(arguments)
        do {
            var reports: [KeyServerReport] = []
            for environment in StoreEnvironment.allCases where try keys.hasKeys(environment) {
                let database = store.databases[environment]
                let revoked = try Set(
                    keys.keyring(environment).entries.filter { $0.revokedAt != nil }.map(\.fingerprint))
                let all = try await KeyRevocations.publish(revoked, at: SystemClock.now(), in: database)
                for server in try await KeyRevocations.wait(for: all.count, in: database, wall: SystemClock.now) {
                    reports.append(
                        KeyServerReport(
                            environment: environment, name: server.name, hasTaken: server.known >= all.count,
                            signs: server.signs))
                }
            }
            await store.close()
            return reports
        } catch {
            await store.close()
            throw error
        }
    }

    /// Says of the servers of an environment how they are, in a line each.
    func print(_ environment: StoreEnvironment, _ arguments: ParsedArguments, _ context: CommandContext) throws {
        let servers = servers.filter { $0.environment == environment }
        if isServed, servers.isEmpty { context.print("The running store works with them.") }
        for server in servers where server.hasTaken && server.signs {
            context.print("Server \(PrintableText(server.name, limit: 100)) works with them, and with what is void.")
        }
        let data = arguments[DataOptions.data]
        for server in servers where server.hasTaken && !server.signs {
            context.print(
                "Server \(PrintableText(server.name, limit: 100)) has no other keys, and signs nothing until it has. Bring them:"
            )
            context.print("  till keys export - --data \(data) | ssh SERVER till keys import - --data \(data)")
        }
        let late = servers.filter { !$0.hasTaken }.map { PrintableText($0.name, limit: 100).description }
        guard late.isEmpty else {
            throw CommandFailure(
                .unavailable,
                "\(late.joined(separator: ", ")) did not take note within a minute; what was revoked still counts there. End it"
            )
        }
    }
}
