import Foundation
import StoreFoundation

/// Files that only their owner may read, written so that a crash leaves either the old file or the new one.
package enum PrivateFile {
    private static let folderMode: mode_t = 0o700

    /// Makes a folder for private files, and the folders above it, if they are not there.
    ///
    /// It is closed to others from its first moment, and one that is there must not let others put files into it.
    package static func makeFolder(_ path: String) throws {
        // Foundation's own function crashes for a path of one letter.
        let above = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        if !above.isEmpty, access(above, F_OK) != 0 { try makeFolder(above) }
        guard mkdir(path, folderMode) == 0 || errno == EEXIST else {
            throw SigningError(FileFailure("making the folder", path))
        }
    }

    /// Throws if a folder lets others put files into it or replace them.
    package static func requireClosedFolder(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw SigningError(FileFailure("reading", path))
        }
        try requireClosed(path, status, to: 0o022, mending: "chmod go-w")
    }

    private static func requireClosed(_ path: String, _ status: stat, to mask: mode_t, mending: String) throws {
        guard status.st_mode & mask != 0 else { return }
        let mode = String(status.st_mode & 0o777, radix: 8)
        throw SigningError(.keyStore, "\(path) is open to others (mode \(mode)); close it with: \(mending) \(path)")
    }

    /// Puts a folder into its place, where there is none yet.
    static func moveFolder(_ path: String, to destination: String) throws {
        try failing {
            try SystemFile.rename(path, to: destination)
            try SystemFile.synchronizeFolder(of: destination)
        }
    }

    /// Writes a file as a whole: to a new file beside it, to the disk, and then into its place.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        try failing {
            try SystemFile.replace(path, with: bytes, draft: path + ".new")
            try SystemFile.synchronizeFolder(of: path)
        }
    }

    /// Does something while keeping other processes from changing the same keys; throws at once if one is doing it.
    static func hold<Result>(lock path: String, while body: () throws -> Result) throws -> Result {
        let file = try failing { try SystemFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, for: "locking") }
        guard try failing({ try file.lock() }) else {
            throw SigningError(.keyStoreBusy, "another process is changing these keys; try again when it is done")
        }
        return try withExtendedLifetime(file) { try body() }
    }

    /// Reads a file of limited size; nil if there is none. Others must not be able to write it, nor, if it is secret, to
    /// read it.
    package static func read(_ path: String, secret: Bool, limit: Int = SigningLimits.keyFileBytes) throws -> [UInt8]? {
        let file: SystemFile
        do throws(FileFailure) {
            file = try SystemFile(reading: path)
        } catch {
            if error.number == ENOENT { return nil }
            throw SigningError(error)
        }
        let status = try failing { try file.status() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SigningError(.keyStore, "\(path) is not a file") }
        guard status.st_size <= limit else { throw SigningError(.tooLarge, "\(path) exceeds \(limit) bytes") }
        try requireClosed(path, status, to: secret ? 0o077 : 0o022, mending: secret ? "chmod 600" : "chmod go-w")
        let bytes = try failing { try file.read(count: Int(status.st_size)) }
        guard bytes.count == status.st_size else { throw SigningError(.keyStore, "\(path) became shorter") }
        return bytes
    }

    private static func failing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as FileFailure {
            throw SigningError(failure)
        }
    }
}

extension SigningError {
    fileprivate init(_ failure: FileFailure) {
        self.init(.keyStore, failure.description)
    }
}
