import CommandOptions
import Foundation
import StoreDatabase
import StorePostgres
import StoreService

/// The databases of a store, open in this process alone.
struct OpenStore: Sendable {
    let databases: StoreDatabases
    let lock: StoreLock
    /// For sockets in it; it must stay open as long as they do.
    let folder: SocketFolder
    /// The name of the engine.
    let engine: String

    /// Opens the databases and brings them to the schema of this version.
    static func open(
        _ directory: DataDirectory, _ address: DatabaseAddress, holding lock: StoreLock
    ) async throws -> OpenStore {
        // Nobody else has business with the files of a store, whatever makes them.
        umask(0o077)
        let folder = try SocketFolder(directory)
        let databases: StoreDatabases
        switch address {
        case .sqlite:
            try DataDirectory.makeFolder(directory.databasesPath)
            databases = try await .sqlite(in: directory.databasesPath, .current())
        case .postgres(let text):
            databases = try await .postgres(
                PostgresSettings(try PostgresAddress(text)), .current(), random: { UInt64.random(in: .min ... .max) })
        }
        // What devices remember of a database is void when it begins another life; this is its first.
        for database in [databases.catalogue, databases.production, databases.sandbox] {
            try await database.write { try StoreProperty.beginFirstEpoch(UUID().uuidString.lowercased(), in: $0) }
        }
        return OpenStore(databases: databases, lock: lock, folder: folder, engine: address.engine)
    }

    func close() async { await databases.close() }
}
