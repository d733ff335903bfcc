import CommandOptions
import Foundation
import StoreHTTP
import StoreHTTPClient
import StoreModel
import StoreServer
import StoreService

/// The sandbox of a store that runs, as scenarios have it: with a token of the sandbox, which changes nothing that production
/// sells.
struct ScenarioSandbox: Sendable {
    let connection: AdminConnection
    private let end: @Sendable () async -> Void

    func close() async {
        await connection.close()
        await end()
    }

    private static let tokens = "/admin/v1/operator-tokens"
    /// How long a token is good for that is made for a run; it is revoked when the run is over.
    private static let tokenLife = Duration.seconds(24 * 60 * 60)

    /// The sandbox of the store that runs in a data directory, with a token that is made for this run.
    static func running(in directory: DataDirectory, at now: Instant) async throws -> ScenarioSandbox {
        guard let owner = try await AdminConnection.ofRunning(directory) else {
            throw CommandFailure(
                .unavailable,
                "no store runs in \(directory.path); begin one there with till dev, or leave --data out for a fresh world"
            )
        }
        do {
            let status = try await owner.ask("GET", "/admin/v1/status", as: AdminStatus.self)
            guard let address = status.sandbox else { throw CommandFailure(.unavailable, "the store is ending") }
            let name = "scenario-\(getpid())-\(now.millisecondsSinceEpoch)"
            let wanted = OperatorTokenRequest(
                name: name, environment: .sandbox, seconds: tokenLife.components.seconds, role: nil, teamId: nil,
                member: nil)
            let made = try await owner.ask("POST", tokens, wanted, as: NewOperatorToken.self)
            return ScenarioSandbox(
                connection: try RemoteStore.connection(address, token: made.token),
                end: {
                    try? await owner.send("POST", tokens + "/revocation", OperatorTokenName(name: name))
                    await owner.close()
                })
        } catch {
            await owner.close()
            throw error
        }
    }

    /// The sandbox at an address, by a token that has to be one of the sandbox.
    static func elsewhere(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ScenarioSandbox? {
        guard let connection = try RemoteStore.connection(arguments, context) else { return nil }
        let sandbox = ScenarioSandbox(connection: connection, end: {})
        do {
            try await requireSandbox(connection)
            return sandbox
        } catch {
            await sandbox.close()
            throw error
        }
    }

    /// Refuses production, and a token that could change it: the clock, which only the sandbox has, is for tokens of the sandbox.
    private static func requireSandbox(_ connection: AdminConnection) async throws {
        do {
            _ = try await connection.ask("GET", "/sandbox/control/v1/clock", as: ClockReport.self)
        } catch let failure as CommandFailure where failure.refusal == RefusalCode.sandboxOnly.rawValue {
            throw CommandFailure(.usage, "a scenario never touches production; give --store the address of the sandbox")
        }
    }
}
