import Foundation

/// Files that nobody but their owner may read, written so that a crash leaves either the old file or the new one.
enum PrivateFile {
    private static let fileMode: mode_t = 0o600
    private static let folderMode: mode_t = 0o700

    /// Makes a folder for private files, and the folders above it, if they are not there.
    ///
    /// It is closed to others from its first moment, and one that is there must not let others put files into it.
    static func makeFolder(_ path: String) throws {
        let above = (path as NSString).deletingLastPathComponent
        if !above.isEmpty, access(above, F_OK) != 0 { try makeFolder(above) }
        guard mkdir(path, folderMode) == 0 || errno == EEXIST else { throw failure("making the folder", path) }
    }

    /// Throws if a folder lets others put files into it or replace them.
    static func requireClosedFolder(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw failure("reading", path)
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
        guard rename(path, destination) == 0 else { throw failure("making", destination) }
        try synchronizeFolder(of: destination)
    }

    /// Writes a file as a whole: to a new file beside it, to the disk, and then into its place.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let draft = path + ".new"
        // A draft that a crash left behind is worth nothing.
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, fileMode)
        guard descriptor >= 0 else { throw failure("writing", path) }
        do {
            defer { close(descriptor) }
            try writeAll(bytes, to: descriptor, path)
            guard fsync(descriptor) == 0 else { throw failure("writing", path) }
        }
        guard rename(draft, path) == 0 else { throw failure("writing", path) }
        try synchronizeFolder(of: path)
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("writing", path) }
            written += count
        }
    }

    /// Makes a rename last: it is an entry of the folder, which has a disk write of its own.
    private static func synchronizeFolder(of path: String) throws {
        let folder = (path as NSString).deletingLastPathComponent
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("writing", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("writing", folder) }
    }

    /// Reads a file of limited size; nil if there is none. Others must not be able to write it, nor, if it is secret, to
    /// read it.
    static func read(_ path: String, secret: Bool, limit: Int = SigningLimits.keyFileBytes) throws -> [UInt8]? {
        // A pipe in the place of a file is refused below instead of waited for.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw failure("reading", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("reading", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SigningError(.keyStore, "\(path) is not a file") }
        guard status.st_size <= limit else { throw SigningError(.tooLarge, "\(path) exceeds \(limit) bytes") }
        try requireClosed(path, status, to: secret ? 0o077 : 0o022, mending: secret ? "chmod 600" : "chmod go-w")
        return try readAll(descriptor, count: Int(status.st_size), path)
    }

    private static func readAll(_ descriptor: Int32, count: Int, _ path: String) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = bytes[filled...].withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { throw failure("reading", path) }
            filled += read
        }
        return bytes
    }

    static func failure(_ action: String, _ path: String) -> SigningError {
        SigningError(.keyStore, "\(action) \(path): \(String(cString: strerror(errno)))")
    }
}
