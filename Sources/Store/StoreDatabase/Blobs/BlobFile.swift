import Foundation

/// One open file of a folder of blobs, and what is done with folders.
final class BlobFile {
    /// How many bytes are read or written at once.
    static let pieceBytes: Int64 = 1 << 20

    private let descriptor: Int32
    private let path: String

    /// Opens a file that is there.
    init(reading path: String) throws {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? BlobError(.missing, "there is no such blob") : Self.failure("reading", path)
        }
    }

    /// Makes a file that is not there yet.
    init(making path: String) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure("making", path) }
    }

    deinit {
        close(descriptor)
    }

    func byteCount() throws -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure("reading", path) }
        return Int64(status.st_size)
    }

    func read(_ range: Range<Int64>) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var filled = 0
        while filled < bytes.count {
            let count = bytes[filled...].withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, off_t(range.lowerBound) + off_t(filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw count == 0
                    ? BlobError(.damaged, "\(path) is shorter than it was") : Self.failure("reading", path)
            }
            filled += count
        }
        return bytes
    }

    func write(_ bytes: [UInt8]) throws {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("writing", path) }
            written += count
        }
    }

    func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw Self.failure("writing", path) }
    }
}

extension BlobFile {
    /// Makes a folder that only its owner may enter; does nothing if it is there.
    static func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("making the folder", path) }
    }

    /// Gives a file its name.
    static func move(_ path: String, to destination: String) throws {
        guard rename(path, destination) == 0 else { throw failure("writing", destination) }
    }

    /// Brings the entry of a file to the disk, and those of so many folders above it.
    static func synchronizeFolders(of path: String, depth: Int) throws {
        var folder = path
        for _ in 0..<depth {
            folder = (folder as NSString).deletingLastPathComponent
            try synchronizeFolder(folder)
        }
    }

    static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("removing", path) }
    }

    static func byteCount(_ path: String) throws -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw failure("reading", path)
        }
        return Int64(status.st_size)
    }

    static func names(in folder: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw BlobError(.inputOutput, "reading \(folder): \(error.localizedDescription)")
        }
    }

    private static func synchronizeFolder(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("writing", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("writing", folder) }
    }

    static func failure(_ action: String, _ path: String) -> BlobError {
        let isFull = errno == ENOSPC || errno == EDQUOT || errno == EFBIG
        return BlobError(isFull ? .full : .inputOutput, "\(action) \(path): \(String(cString: strerror(errno)))")
    }
}
