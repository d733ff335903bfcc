import Foundation
import StoreDatabase
import StoreFoundation
import StoreModel
import StoreSigning

/// The archive of a table as partners fetch it: one member in plain ustar, compressed by bzip2.
///
/// Readers skip exactly one header of 512 bytes and stop at the first NUL, so there is one member and no extended header.
enum FeedArchive {
    /// The most bytes that the header of ustar can say.
    static let mostBytes: Int64 = 8 << 30 - 1
    private static let blockBytes = 512
    /// How many bytes are read at once.
    private static let pieceBytes = 1 << 20

    /// An archive that was kept.
    struct Kept {
        let blob: BlobID
        let bytes: Int64
        /// Of the archive.
        let md5: [UInt8]
    }

    /// Packs a file. Blocks.
    ///
    /// - Parameters:
    ///   - name: what the member is called.
    ///   - instant: when the member says it was changed: the same file is the same archive each time.
    static func pack(
        _ path: String, as name: String, changed instant: Instant, in blobs: any BlobStore
    ) throws -> Kept {
        let file = try SystemFile(reading: path)
        let bytes = Int64(try file.status().st_size)
        guard bytes <= mostBytes else {
            throw CatalogueError(.limitReached, "a table of the feed has at most \(mostBytes) bytes")
        }
        try blobs.requireRoom(for: bytes)
        let (draft, compressor, digest) = (try blobs.begin(), try BZip2Compressor(), try RunningDigest(.md5))
        var packed: Int64 = 0
        func write(_ piece: [UInt8]) throws {
            try digest.update(piece)
            try draft.append(piece)
            packed += Int64(piece.count)
        }
        try compressor.compress(header(name, bytes: bytes, changed: instant), isLast: false, write)
        for start in stride(from: 0, to: bytes, by: pieceBytes) {
            let count = Int(min(Int64(pieceBytes), bytes - start))
            let piece = try file.read(at: start, count: count)
            guard piece.count == count else { throw FileFailure("reading", path, EIO) }
            try compressor.compress(piece, isLast: false, write)
        }
        let rest = Int(bytes % Int64(blockBytes))
        // To the end of the block, and two empty ones, which end an archive.
        let padding = (rest == 0 ? 0 : blockBytes - rest) + 2 * blockBytes
        try compressor.compress([UInt8](repeating: 0, count: padding), isLast: true, write)
        return Kept(blob: try draft.keep(), bytes: packed, md5: try digest.finish())
    }

    /// A header of POSIX.1-1988, without any extension.
    static func header(_ name: String, bytes: Int64, changed instant: Instant) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: blockBytes)
        func put(_ text: String, at place: Int) {
            header.replaceSubrange(place..<place + text.utf8.count, with: text.utf8)
        }
        func octal(_ number: Int64, digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        put(String(name.prefix(99)), at: 0)
        put(octal(0o644, digits: 7), at: 100)
        put(octal(0, digits: 7), at: 108)
        put(octal(0, digits: 7), at: 116)
        put(octal(bytes, digits: 11), at: 124)
        put(octal(max(0, instant.millisecondsSinceEpoch / 1000), digits: 11), at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        let sum = header.reduce(Int64(0)) { $0 + Int64($1) }
        put(octal(sum, digits: 6), at: 148)
        header[154] = 0
        return header
    }
}

/// The records of a table that was packed, one after the other. Blocks.
final class FeedArchiveReader {
    private let blobs: any BlobStore
    private let blob: BlobID
    private let bytes: Int64
    private let reader: BZip2Reader
    private var position: Int64 = 0
    private var buffer: [UInt8] = []
    private var start = 512
    private var isOver = false

    init(_ blob: BlobID, bytes: Int64, in blobs: any BlobStore) throws {
        (self.blob, self.bytes, self.blobs) = (blob, bytes, blobs)
        reader = try BZip2Reader()
    }

    /// How many bytes of the archive are read at once.
    private static let pieceBytes: Int64 = 256 << 10

    /// The next record, without what separates it from the one after it; nil at the end. Lines of the head are left out.
    func next() throws -> ArraySlice<UInt8>? {
        while let record = try line() {
            guard record.first == UInt8(ascii: "#") else { return record }
        }
        return nil
    }

    private func line() throws -> ArraySlice<UInt8>? {
        var seen = 0
        while true {
            if let end = Self.end(of: buffer, from: start + seen) {
                let record = buffer[start..<end]
                start = end + 2
                return record
            }
            // The first of the two bytes may have come without the second.
            seen = max(0, buffer.count - 1 - start)
            guard try fill() else { return nil }
        }
    }

    private static func end(of buffer: [UInt8], from place: Int) -> Int? {
        guard place < buffer.count - 1 else { return nil }
        return buffer.withUnsafeBufferPointer { bytes in
            var index = place
            while index < bytes.count - 1 {
                if bytes[index] == FeedForm.recordEnd, bytes[index + 1] == FeedForm.lineFeed { return index }
                index += 1
            }
            return nil
        }
    }

    /// Reads on; false at the end.
    private func fill() throws -> Bool {
        guard !isOver, position < bytes else { return false }
        if start > 0, start <= buffer.count {
            buffer.removeFirst(start)
            start = 0
        }
        let range = position..<min(position + Self.pieceBytes, bytes)
        buffer += try reader.read(blobs.read(blob, range))
        position = range.upperBound
        isOver = reader.isAtEnd
        return true
    }
}
