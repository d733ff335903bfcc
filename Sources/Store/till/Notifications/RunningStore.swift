import CommandOptions
import StoreModel

/// A store that runs: that of a data directory, or one elsewhere, for commands that need it to work while they wait.
enum RunningStore {
    static let options: [any OptionDeclaration] = [DataOptions.data, SettingsOptions.file] + ContentStore.elsewhere

    static let exitCodes: [ExitCode] = [
        .inputMissing.when("There is no such name."),
        .unavailable.when("No store runs in the data directory, or the store does not answer."),
        .noPermission.when("The token is missing or not accepted, or may not do this."),
    ]

    /// Runs a closure with the store that the arguments name, and closes the connection in any case.
    static func with<Result: Sendable>(
        _ arguments: ParsedArguments, _ context: CommandContext, _ body: (AdminConnection) async throws -> Result
    ) async throws -> Result {
        let store = try await connection(arguments, context)
        do {
            let result = try await body(store)
            await store.close()
            return result
        } catch {
            await store.close()
            throw error
        }
    }

    private static func connection(
        _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws -> AdminConnection {
        if let store = context.store { return store }
        if let elsewhere = try RemoteStore.connection(arguments, context) { return elsewhere }
        let directory = try DataDirectory.ofStore(arguments)
        guard let running = try await AdminConnection.ofRunning(directory) else {
            throw CommandFailure(
                .unavailable,
                "no store runs in \(directory.path); begin one there with till dev, or name one elsewhere with --store")
        }
        return running
    }
}
