import Foundation

/// A regular file opened for reading.
package final class OpenFile: Sendable {
    package let descriptor: Int32
    package let length: Int
    /// Nanoseconds since 1970.
    package let modified: Int64

    /// Opens a file; nil if there is none, or if it is a folder, a device or a link.
    package init?(path: String) {
        // A path ends for the system at its first NUL, and a pipe without a writer would keep us waiting.
        guard !path.utf8.contains(0) else { return nil }
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        length = Int(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    deinit {
        close(descriptor)
    }

    /// Reads some bytes without moving a position that others share; fewer at the end of the file, nil on failure.
    package func read(at offset: Int, count: Int) -> [UInt8]? {
        guard offset >= 0, count > 0 else { return [] }
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                let read = pread(
                    descriptor, buffer.baseAddress?.advanced(by: initialized), count - initialized,
                    off_t(offset + initialized))
                if read < 0, errno == EINTR { continue }
                if read <= 0 {
                    failed = read < 0
                    break
                }
                initialized += read
            }
        }
        return failed ? nil : bytes
    }
}
