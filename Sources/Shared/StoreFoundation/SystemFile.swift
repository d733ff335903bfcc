package import Foundation

/// What the system would not do with a file. Callers turn it into an error of their own.
package struct FileFailure: Error, Equatable {
    /// What was being done, such as "writing".
    package let action: String
    package let path: String
    /// The system's number for the reason.
    package let number: Int32

    package init(_ action: String, _ path: String, _ number: Int32 = errno) {
        self.action = action
        self.path = path
        self.number = number
    }

    package var reason: String { String(cString: strerror(number)) }

    /// Whether there is no room left on the disk, or for this user.
    package var isFull: Bool { number == ENOSPC || number == EDQUOT || number == EFBIG }
}

extension FileFailure: CustomStringConvertible {
    package var description: String { "\(action) \(path): \(reason)" }
}

/// A file that this process has open; it is closed with the object.
///
/// Files that it makes are for their owner only, and programs that the process starts do not get them.
package final class SystemFile: Sendable {
    package let path: String
    package let descriptor: Int32

    /// Opens a file with the flags of `open(2)`.
    package init(_ path: String, _ flags: Int32, for action: String) throws(FileFailure) {
        descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFailure(action, path) }
        self.path = path
    }

    /// Makes a file that is not there yet.
    package convenience init(making path: String) throws(FileFailure) {
        try self.init(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, for: "making")
    }

    /// Opens a file that is there. A link is not followed, and a pipe is not waited for.
    package convenience init(reading path: String) throws(FileFailure) {
        try self.init(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, for: "reading")
    }

    deinit {
        // A process that is just being started has a copy of the descriptor for a moment, and would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    package func status() throws(FileFailure) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileFailure("reading", path) }
        return status
    }

    /// How many bytes the disk of the file has left for this user; nil if the system does not say.
    package var freeBytes: Int64? {
        var disk = statvfs()
        guard fstatvfs(descriptor, &disk) == 0 else { return nil }
        let (free, overflows) = Int64(clamping: disk.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: disk.f_frsize))
        return overflows ? .max : free
    }

    /// Reads some bytes without moving a position; fewer at the end of the file.
    package func read(at offset: Int64 = 0, count: Int) throws(FileFailure) -> [UInt8] {
        var failure: FileFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let start = buffer.baseAddress?.advanced(by: filled)
                let read = pread(descriptor, start, count - filled, off_t(offset) + off_t(filled))
                if read < 0, errno == EINTR { continue }
                if read < 0 { failure = FileFailure("reading", path) }
                guard read > 0 else { return }
                filled += read
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all of it where the file stands.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileFailure("writing", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes all of it at a place, without moving a position.
    package func write(_ bytes: [UInt8], at offset: Int64) throws(FileFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                pwrite(
                    descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written,
                    off_t(offset) + off_t(written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileFailure("writing", path) }
            written += count
        }
    }

    package func write(_ bytes: [UInt8]) throws(FileFailure) {
        let result = bytes.withUnsafeBytes { bytes in Result { () throws(FileFailure) in try write(bytes) } }
        try result.get()
    }

    /// Returns when what was written is on the disk; for a folder, the names in it.
    package func synchronize() throws(FileFailure) {
        guard fsync(descriptor) == 0 else { throw FileFailure("writing", path) }
    }

    /// Takes the lock of the file, which lasts as long as the object or the process; false if it is taken.
    package func lock() throws(FileFailure) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw FileFailure("locking", path) }
        return false
    }
}

// MARK: - Names

extension SystemFile {
    /// Replaces a file atomically: the old one or the new one is read, never a part. The name is on the
    /// disk after ``synchronizeFolder(of:)``.
    ///
    /// - Parameters:
    ///   - draft: where it is written first, in the same folder. What a crash left there is removed.
    ///   - isDurable: whether it is brought to the disk before it gets its name. Without, a power failure may leave
    ///     neither the old file nor the new one.
    package static func replace(
        _ path: String, with bytes: [UInt8], draft: String, isDurable: Bool = true
    ) throws(FileFailure) {
        unlink(draft)
        let file = try SystemFile(making: draft)
        do throws(FileFailure) {
            try file.write(bytes)
            if isDurable { try file.synchronize() }
            try rename(draft, to: path)
        } catch {
            // A full disk is not filled with drafts.
            unlink(draft)
            throw error
        }
    }

    /// Makes a file, whole or not at all, unless there is one already.
    ///
    /// It is closed before it gets its name: to close a descriptor of a database file would give up every lock that SQLite
    /// holds on it in this process.
    ///
    /// - Parameter draft: where it is written first, in the same folder.
    package static func create(_ path: String, with bytes: [UInt8] = [], draft: String) throws(FileFailure) {
        func write() throws(FileFailure) {
            let file = try SystemFile(making: draft)
            try file.write(bytes)
            if !bytes.isEmpty { try file.synchronize() }
        }
        defer { unlink(draft) }
        try write()
        // A link is made only where there is no file yet.
        guard link(draft, path) == 0 || errno == EEXIST else { throw FileFailure("making", path) }
    }

    /// Gives a file or a folder its name, in one step.
    package static func rename(_ path: String, to destination: String) throws(FileFailure) {
        guard Foundation.rename(path, destination) == 0 else { throw FileFailure("writing", destination) }
    }

    /// Makes the names in a folder last. A name is an entry of its folder, which is written to the disk by itself.
    package static func synchronizeFolder(_ path: String) throws(FileFailure) {
        try SystemFile(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY, for: "writing").synchronize()
    }

    /// Makes the name of a file last.
    package static func synchronizeFolder(of path: String) throws(FileFailure) {
        try synchronizeFolder((path as NSString).deletingLastPathComponent)
    }
}
