import CommandOptions
import StoreCatalogue
import StoreHTTP
import StoreLog
import StoreModel
import StoreServer
import StoreService
import StoreSigning

extension AdminConnection {
    /// Runs a closure with a store that sells: through the process that has it open, or in this process, with keys and
    /// processors.
    static func withSales<Result>(
        _ arguments: ParsedArguments, _ context: CommandContext, _ body: (AdminConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await openSales(arguments, context)
        do {
            let result = try await body(connection)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }

    private static func openSales(
        _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws -> AdminConnection {
        let directory = DataDirectory(arguments[DataOptions.data])
        let upkeep = UpkeepSettings(arguments, context)
        let passphrase = try Passphrase.fromFile(arguments)
        return try await open(directory) { lock in
            let keys = KeyStore(dataDirectory: directory.path)
            var loaded: [StoreEnvironment: EnvironmentKeys] = [:]
            for environment in StoreEnvironment.allCases {
                loaded[environment] = try keys.load(environment, passphrase: passphrase)
            }
            let store = try await OpenStore.open(directory, upkeep.database, holding: lock)
            do {
                let processors = try StoreProcessors(directory, production: .none, logFormat: .text, log: upkeep.log)
                let environments = try StoreEnvironments(
                    store.databases, keys: loaded, processors: processors, policy: PolicyOptions.policy(arguments),
                    log: upkeep.log)
                let (blobs, intake) = ContentIntake.here(store, directory, arguments, context, upkeep.log)
                let control = StoreControl(
                    store, directory, passphrase: passphrase, blobs: blobs, content: intake,
                    sales: { environments[$0] }, address: { _ in nil })
                return (
                    try upkeep.service(directory, control.owned),
                    {
                        await processors.stop()
                        await store.close()
                    }
                )
            } catch {
                await store.close()
                throw error
            }
        }
    }
}
