import CommandOptions
import Foundation
import StoreDatabase
import StoreFoundation
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
    /// Hears of damage that is met in the databases; nil for commands, which end with it.
    let alarm: DatabaseAlarm?

    /// Opens the databases and brings them to the schema of this version. Those of a new store are made.
    ///
    /// - Parameters:
    ///   - beginning: whether those are made, too, that the store had and that are missing.
    ///   - alarm: hears of damage that is met in them.
    static func open(
        _ directory: DataDirectory, _ address: DatabaseAddress, holding lock: StoreLock, beginning: Bool = false,
        alarm: DatabaseAlarm? = nil
    ) async throws -> OpenStore {
        let hasBegun = directory.hasBegun
        if hasBegun, !beginning { try await requireAll(directory, address) }
        // No other user may read the files of a store.
        umask(0o077)
        directory.removeRemains(holding: lock)
        // A snapshot that was put back counts, also where the command was killed.
        if address == .sqlite { try SnapshotShelf.finish(in: directory.path) }
        let folder = try SocketFolder(directory)
        var databases: StoreDatabases
        switch address {
        case .sqlite:
            try DataDirectory.makeFolder(directory.databasesPath)
            databases = try await .sqlite(in: directory.databasesPath, .current())
        case .postgres(let text):
            databases = try await .postgres(
                PostgresSettings(try PostgresAddress(text)), .current(), random: { UInt64.random(in: .min ... .max) })
        }
        if let alarm { databases = databases.watched(alarm.hear) }
        // Devices forget what they know of a database when it gets another incarnation; this is the first.
        for database in [databases.catalogue, databases.production, databases.sandbox] {
            try await database.write { try StoreProperty.beginFirstEpoch(UUID().uuidString.lowercased(), in: $0) }
        }
        if address == .sqlite {
            try await SnapshotShelf.note(in: directory.path, databases.catalogue, at: SystemClock.now())
        }
        if !hasBegun { try noteBegun(directory) }
        return OpenStore(databases: databases, lock: lock, folder: folder, engine: address.engine, alarm: alarm)
    }

    /// Refuses to begin again in silence: what the missing database knew, above all who bought what, is gone with it.
    private static func requireAll(_ directory: DataDirectory, _ address: DatabaseAddress) async throws {
        let missing = try await address.upkeep(in: directory).missing()
        guard let first = missing.first else { return }
        let (names, verb, it) =
            missing.count == 1
            ? ("the \(first) database", "is", "it")
            : ("the databases " + missing.joined(separator: ", "), "are", "them")
        let here = directory.path == DataOptions.usual ? "" : " --data \(directory.path)"
        throw CommandFailure(
            .configuration,
            "this store had \(names), which \(verb) not there any more; put a backup back (till database restore FOLDER "
                + "--replace\(here)), or begin without what was in \(it) (till database begin\(here))")
    }

    /// Keeps that the databases were begun, on the disk before anything is sold.
    private static func noteBegun(_ directory: DataDirectory) throws {
        let text =
            "The databases of this store were begun. Without this file, missing ones would be begun anew in silence.\n"
        let path = directory.begunPath
        try SystemFile.replace(path, with: Array(text.utf8), draft: path + ".draft")
        try SystemFile.synchronizeFolder(of: path)
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
