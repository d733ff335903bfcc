import Glibc
import StoreFoundation

/// Memory that one piece of a file after the other is read into.
final class PieceBuffer {
    static let byteCount = 1 << 20

    let bytes: UnsafeMutableRawBufferPointer

    init(_ byteCount: Int = PieceBuffer.byteCount) {
        bytes = .allocate(byteCount: byteCount, alignment: 16)
    }

    deinit {
        bytes.deallocate()
    }

    /// Reads what is at an offset, up to the length of the buffer; fewer bytes at the end of the file.
    func fill(from file: SystemFile, at offset: Int64, upTo limit: Int64 = .max) throws -> UnsafeRawBufferPointer {
        let wanted = Int(min(Int64(bytes.count), max(limit, 0)))
        var filled = 0
        while filled < wanted {
            let read = pread(
                file.descriptor, bytes.baseAddress?.advanced(by: filled), wanted - filled, off_t(offset) + off_t(filled)
            )
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw ContentError(FileFailure("reading", file.path)) }
            if read == 0 { break }
            filled += read
        }
        return UnsafeRawBufferPointer(rebasing: bytes[..<filled])
    }
}

extension SystemFile {
    /// Hands out a range piece by piece; throws if the file ends before.
    func forEachPiece(
        of range: Range<Int64>, in buffer: PieceBuffer, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let piece = try buffer.fill(from: self, at: offset, upTo: range.upperBound - offset)
            guard !piece.isEmpty else { throw ContentError(.damaged, "\(path) ends before its time") }
            try body(piece)
            offset += Int64(piece.count)
        }
    }

    /// Opens a file to read it; links to it are followed, and a pipe is not waited for.
    static func opening(_ path: String) throws -> (file: SystemFile, bytes: Int64) {
        try ContentError.catching {
            let file = try SystemFile(path, O_RDONLY | O_NONBLOCK, for: "reading")
            let status = try file.status()
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw ContentError(.notAPackage, "\(path) is not a file")
            }
            return (file, Int64(status.st_size))
        }
    }
}

/// The room on a disk.
enum DiskRoom {
    /// Throws unless a folder's disk has room for so many bytes more.
    static func require(_ bytes: Int64, in folder: String, for purpose: String) throws {
        var status = statvfs()
        guard statvfs(folder.isEmpty ? "." : folder, &status) == 0 else {
            throw ContentError(FileFailure("looking at", folder))
        }
        let (free, overflows) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: status.f_frsize))
        guard overflows || free >= bytes else {
            throw ContentError(
                .full, "\(purpose) needs \(bytes) bytes in \(folder.isEmpty ? "." : folder), and \(free) are free there"
            )
        }
    }

    /// Whether two folders are on one disk.
    static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(one, &first) == 0, stat(other, &second) == 0 else { return true }
        return first.st_dev == second.st_dev
    }
}
