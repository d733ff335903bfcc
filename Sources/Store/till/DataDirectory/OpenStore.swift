import CommandOptions
import Foundation
import StoreDatabase
import StorePostgres
import StoreService

/// The databases of a store, open in this process alone.
struct OpenStore: Sendable {
    let databases: StoreDatabases
    let lock: StoreLock
    /// The folder of the store's sockets; it must stay open as long as they do.
    let folder: SocketFolder
    /// The name of the engine.
    let engine: String

    /// Opens the databases and brings them to the schema of this version.
    static func open(
        _ directory: DataDirectory, _ address: DatabaseAddress, holding lock: StoreLock
    ) async throws -> OpenStore {
        // No other user may read the files of a store.
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
        // Devices forget what they know of a database when it gets another incarnation; this is the first.
        for database in [databases.catalogue, databases.production, databases.sandbox] {
            try await database.write { try StoreProperty.beginFirstEpoch(UUID().uuidString.lowercased(), in: $0) }
        }
        return OpenStore(databases: databases, lock: lock, folder: folder, engine: address.engine)
    }

    func close() async { await databases.close() }
}

/// Makes short paths to sockets in a folder; the system accepts only about a hundred bytes.
final class SocketFolder: Sendable {
    private let folder: String
    private let descriptor: Int32

    init(_ directory: DataDirectory) throws {
        folder = directory.path
        descriptor = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .inputMissing, "\(directory.path) cannot be opened: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// A path to a socket, valid during the lifetime of this value.
    func path(of name: String) -> String {
        let path = "\(folder)/\(name)"
        return path.utf8.count < Self.longestPath ? path : "/proc/self/fd/\(descriptor)/\(name)"
    }

    /// The longest path for a listener: the system's 107 bytes without its suffix while it makes the socket.
    private static let longestPath = 90
}
