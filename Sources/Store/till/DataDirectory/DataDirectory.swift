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
    var databasesPath: String { path + "/databases" }
    var blobsPath: String { path + "/blobs" }

    /// Makes the folder, closed to others from its first moment, if it is not there.
    func make() throws {
        try Self.makeFolder(path)
        try requireClosed()
    }

    /// Makes a folder that only its owner may use, and those above it.
    static func makeFolder(_ path: String) throws {
        // Foundation's own way to take the last name off a path ends the program where the path is one letter.
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let above = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        if !above.isEmpty, access(above, F_OK) != 0 { try makeFolder(above) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw CommandFailure(
                .cannotCreate, "the folder \(path) cannot be made: \(String(cString: strerror(errno)))")
        }
    }

    /// Throws if others may put files into it: they could then put their own in the place of the store's.
    private func requireClosed() throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw CommandFailure(.inputOutput, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw CommandFailure(.configuration, "\(path) is no folder; name the store's folder with --data")
        }
        guard status.st_mode & 0o022 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw CommandFailure(
                .configuration, "\(path) is open to others (mode \(mode)); close it with: chmod go-w \(path)")
        }
    }
}
