import CommandOptions
import Foundation
import StoreHTTP
import StoreModel
import StoreServer

extension AdminConnection {
    /// The options of every command that works on what a store has.
    static let options: [any OptionDeclaration] = [DataOptions.data, DatabaseOptions.database, SettingsOptions.file]

    /// The way to a store with everything in it: to the process that has it open, or to the same routes here, where this
    /// process opens it.
    static func openStore(
        _ arguments: ParsedArguments, _ context: CommandContext, passphrase: [UInt8]? = nil
    ) async throws -> AdminConnection {
        let directory = DataDirectory(arguments[DataOptions.data])
        let upkeep = UpkeepSettings(arguments, context)
        return try await open(directory) { lock in
            let store = try await OpenStore.open(directory, upkeep.database, holding: lock)
            let control = StoreControl(store, directory, passphrase: passphrase, address: { _ in nil })
            return (try upkeep.service(directory, control.owned), { await store.close() })
        }
    }

    /// Does something with a store and lets go of it, whatever happens.
    static func withStore<Result>(
        _ arguments: ParsedArguments, _ context: CommandContext, passphrase: [UInt8]? = nil,
        _ body: (AdminConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await openStore(arguments, context, passphrase: passphrase)
        do {
            let result = try await body(connection)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }
}
