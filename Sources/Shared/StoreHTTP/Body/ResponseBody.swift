import Foundation
import StoreFoundation

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

    /// The body as a stream, one that is here already too.
    package var stream: BodyStream {
        if case .streaming(let stream) = self { return stream }
        let stream = BodyStream()
        _ = stream.write(bytes, drained: {})
        stream.finish()
        return stream
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
    package let length: Int
    /// Nanoseconds since 1970.
    package let modified: Int64
    private let file: SystemFile

    package var descriptor: Int32 { file.descriptor }

    /// Opens a file; nil if there is none, or if it is a folder, a device or a link.
    package init?(path: String) {
        // For the system a path ends at its first NUL.
        guard !path.utf8.contains(0), let file = try? SystemFile(reading: path), let status = try? file.status(),
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        self.file = file
        length = Int(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    /// Reads some bytes without moving a position that others share; fewer at the end of the file, nil on failure.
    package func read(at offset: Int, count: Int) -> [UInt8]? {
        guard offset >= 0, count > 0 else { return [] }
        return try? file.read(at: Int64(offset), count: count)
    }
}
