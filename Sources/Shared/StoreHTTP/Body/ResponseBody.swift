import Foundation

/// The body of a response.
package enum ResponseBody: Sendable {
    case empty
    case bytes([UInt8])
    /// Part of a file, sent without passing through this process where the transport can.
    case file(FileBody)
    /// A stream of pieces, with the length if known.
    case stream(length: Int?, BodyStream)

    package var length: Int? {
        switch self {
        case .empty: 0
        case .bytes(let bytes): bytes.count
        case .file(let file): file.range.count
        case .stream(let length, _): length
        }
    }
}

/// The body of a request: already here, or still arriving.
package enum RequestBody: Sendable {
    case empty
    case collected([UInt8])
    case streaming(BodyStream)

    /// The bytes of a body that its route takes in one piece; empty while it is still arriving.
    package var bytes: [UInt8] {
        if case .collected(let bytes) = self { bytes } else { [] }
    }
}

/// Part of an open file. The file stays open as long as this value exists.
package struct FileBody: Sendable {
    package let file: OpenFile
    /// Which bytes of it.
    package let range: Range<Int>

    package init(_ file: OpenFile, range: Range<Int>) {
        self.file = file
        self.range = range.clamped(to: 0..<file.length)
    }

    package init(_ file: OpenFile) {
        self.init(file, range: 0..<file.length)
    }
}

/// A regular file opened for reading.
package final class OpenFile: Sendable {
    package let descriptor: Int32
    package let length: Int
    /// Nanoseconds since 1970.
    package let modified: Int64

    /// Opens a file; nil if there is none, or if it is a folder, a device or a link.
    package init?(path: String) {
        // For the system a path ends at its first NUL, and opening a pipe without a writer would block.
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
