import CommandOptions
import Foundation

/// The folder in which a store keeps everything: keys, databases, blobs, lock and admin socket.
struct DataDirectory: Hashable, Sendable {
    let path: String

    init(_ path: String) {
        self.path = path
    }

    var lockPath: String { path + "/lock" }
    var adminSocketName: String { "admin.sock" }
    var settingsPath: String { path + "/till.conf" }
    /// What tells that the databases of this folder have been begun, and that a missing one was lost.
    var begunPath: String { path + "/databases.begun" }
    var hasBegun: Bool { access(begunPath, F_OK) == 0 }
    var databasesPath: String { path + "/databases" }
    var blobsPath: String { path + "/blobs" }
    /// Where backups are made unless a setting says otherwise.
    var backupsPath: String { path + "/backups" }
    /// Where blobs are put together that go into a bucket.
    var draftsPath: String { path + "/drafts" }
    /// Where packages of hosted content are put together.
    var packagesPath: String { path + "/packages" }

    /// The folder of the store that a command is about: the one that is named; where none is, and the usual one is not
    /// there, that of the one store that `till dev` runs for the moment.
    static func ofStore(_ arguments: ParsedArguments) throws -> DataDirectory {
        let named = DataDirectory(arguments[DataOptions.data])
        guard arguments.source(of: DataOptions.data) == .declaration,
            !FileManager.default.fileExists(atPath: named.path)
        else { return named }
        let running = PassingFolder.running
        guard running.count <= 1 else {
            throw CommandFailure(
                .usage, "several stores run for the moment; say which by --data: \(running.joined(separator: ", "))")
        }
        return running.first.map { DataDirectory($0) } ?? named
    }

    /// Makes the folder, closed to others from the start, if it does not exist.
    func make() throws {
        try Self.makeFolder(path)
        try requireClosed()
    }

    /// Removes what killed processes have left in it: packages that were put together, and databases that were put back.
    ///
    /// - Parameter lock: the right to the folder, without which another process may have them in use. What cannot be removed
    ///   is in nobody's way.
    func removeRemains(holding lock: StoreLock) {
        let packages = (try? FileManager.default.contentsOfDirectory(atPath: packagesPath)) ?? []
        for path in packages.map({ "\(packagesPath)/\($0)" }) + [databasesPath + ".restoring"] {
            try? FileManager.default.removeItem(atPath: path)
        }
        withExtendedLifetime(lock) {}
    }

    /// Makes a folder that only its owner may use, and those above it.
    static func makeFolder(_ path: String) throws {
        // Foundation's own function crashes for a path of one letter.
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let above = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        if !above.isEmpty, access(above, F_OK) != 0 { try makeFolder(above) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw CommandFailure(
                .cannotCreate, "the folder \(path) cannot be made: \(String(cString: strerror(errno)))")
        }
    }

    /// Throws if other users may use it: they could read or replace the store's files.
    private func requireClosed() throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw CommandFailure(.inputOutput, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw CommandFailure(.configuration, "\(path) is no folder; name the store's folder with --data")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw CommandFailure(
                .configuration, "\(path) is open to others (mode \(mode)); close it with: chmod 700 \(path)")
        }
    }
}

/// The option of every command that works on a store.
enum DataOptions {
    /// Where a store is that nobody has put anywhere else.
    static let usual = "./till_data"

    static let data = Option.defaulted(
        "data", .directory(), to: usual, environment: "TILL_DATA", help: "The data directory of the store.")
}

/// The database engine of the store, and its location.
enum DatabaseAddress: Hashable, Sendable {
    /// Files in the data directory.
    case sqlite
    /// A server, by its connection URL, which may hold a password.
    case postgres(String)

    init?(_ text: String) {
        if text == "sqlite" {
            self = .sqlite
        } else if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") {
            self = .postgres(text)
        } else {
            return nil
        }
    }

    /// The name of the engine, without secrets.
    var engine: String {
        switch self {
        case .sqlite: "SQLite"
        case .postgres: "PostgreSQL"
        }
    }
}

/// The options of every command that opens the databases.
enum DatabaseOptions {
    static let database = Option<DatabaseAddress>.defaulted(
        "database",
        // The text may hold a password.
        ValueFormat(
            "URL", rule: "the word sqlite, or the postgresql:// URL of a database", isSecret: true,
            describe: { $0 == .sqlite ? "sqlite" : "postgresql://…" }, parse: { DatabaseAddress($0) }),
        to: .sqlite, environment: "TILL_DATABASE",
        help: "Where the databases are: files in the data directory, or a PostgreSQL server.")
}
