import CZlib

/// How deflated data is wrapped.
enum DeflateForm {
    /// zlib's own, with two bytes before and a checksum of four behind: that of packages.
    case zlib
    /// Not at all: that of delivered archives.
    case bare

    static let bytesBefore: Int64 = 2
    static let bytesBehind: Int64 = 4

    fileprivate var windowBits: Int32 { self == .zlib ? 15 : -15 }
}

/// The state of zlib for one stream. Its address must not change, since zlib keeps it.
private func makeStream() -> UnsafeMutablePointer<z_stream> {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    return stream
}

/// Compresses, piece by piece.
final class Compressor {
    static let level: Int32 = 6

    private let stream = makeStream()
    private let output = PieceBuffer(256 << 10)

    init(_ form: DeflateForm) throws {
        guard till_deflate_begin(stream, Self.level, form.windowBits) == Z_OK else {
            stream.deallocate()
            throw ContentError(.inputOutput, "there is no memory to compress with")
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Takes a piece in and hands out what it comes to.
    func add(
        _ piece: UnsafeRawBufferPointer, isLast: Bool = false, _ sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        // zlib only reads from it.
        let input = UnsafeMutablePointer(mutating: piece.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.next_in = input
        stream.pointee.avail_in = UInt32(piece.count)
        defer { stream.pointee.next_in = nil }
        repeat {
            stream.pointee.next_out = output.bytes.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(output.bytes.count)
            guard deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH) != Z_STREAM_ERROR else {
                throw ContentError(.inputOutput, "zlib failed to compress")
            }
            let made = output.bytes.count - Int(stream.pointee.avail_out)
            if made > 0 { try sink(UnsafeRawBufferPointer(rebasing: output.bytes[..<made])) }
        } while stream.pointee.avail_out == 0
    }

    func finish(_ sink: (UnsafeRawBufferPointer) throws -> Void) throws {
        try add(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true, sink)
    }

    /// All of it at once.
    static func compress(_ bytes: [UInt8], _ form: DeflateForm = .zlib) throws -> [UInt8] {
        let compressor = try Compressor(form)
        var made: [UInt8] = []
        try bytes.withUnsafeBytes { try compressor.add($0, isLast: true) { made += $0 } }
        return made
    }
}

/// Decompresses, piece by piece. It is for the caller to stop when more comes out than may.
final class Decompressor {
    private let stream = makeStream()
    private let output = PieceBuffer(256 << 10)
    /// Whether the end of the compressed data was reached.
    private(set) var isComplete = false

    init(_ form: DeflateForm) throws {
        guard till_inflate_begin(stream, form.windowBits) == Z_OK else {
            stream.deallocate()
            throw ContentError(.inputOutput, "there is no memory to decompress with")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Takes a piece in and hands out what it comes to; throws if there is something behind the end.
    func add(_ piece: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) throws -> Void) throws {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: piece.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(piece.count)
        defer { stream.pointee.next_in = nil }
        repeat {
            guard !isComplete else { throw ContentError(.damaged, "there are bytes behind the end of compressed data") }
            stream.pointee.next_out = output.bytes.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(output.bytes.count)
            let result = inflate(stream, Z_NO_FLUSH)
            isComplete = result == Z_STREAM_END
            guard isComplete || result == Z_OK || result == Z_BUF_ERROR else {
                throw ContentError(.damaged, "compressed data cannot be read")
            }
            let made = output.bytes.count - Int(stream.pointee.avail_out)
            if made > 0 { try sink(UnsafeRawBufferPointer(rebasing: output.bytes[..<made])) }
        } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0 && !isComplete
    }

    /// All of it at once: exactly so many bytes.
    static func decompress(_ bytes: [UInt8], byteCount: Int, _ form: DeflateForm = .zlib) throws -> [UInt8] {
        let decompressor = try Decompressor(form)
        var made: [UInt8] = []
        made.reserveCapacity(byteCount)
        try bytes.withUnsafeBytes {
            try decompressor.add($0) { piece in
                guard made.count + piece.count <= byteCount else {
                    throw ContentError(.damaged, "compressed data is longer than it is said to be")
                }
                made += piece
            }
        }
        guard decompressor.isComplete, made.count == byteCount else {
            throw ContentError(.damaged, "compressed data is shorter than it is said to be")
        }
        return made
    }
}

/// Whether compressing is worth it.
enum Compression {
    /// Formats that are compressed already, by the ends of their names.
    private static let compressed: Set<String> = [
        "7z", "aac", "aif", "apk", "avif", "br", "bz2", "docx", "epub", "flac", "gif", "gz", "heic", "ipa", "jar",
        "jpeg",
        "jpg", "m4a", "m4v", "mkv", "mov", "mp3", "mp4", "oga", "ogg", "ogv", "opus", "png", "pptx", "rar", "webm",
        "webp", "woff", "woff2", "xlsx", "xz", "zip", "zst",
    ]

    /// Whether a file is compressed already, as its name says.
    static func isCompressed(_ path: String) -> Bool {
        let name = path.utf8.split(separator: ContentPath.separator).last ?? path.utf8[...]
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return false }
        return compressed.contains((String(name[name.index(after: dot)...]) ?? "").lowercased())
    }

    /// Whether compressed data is shorter by at least one part of twenty.
    static func gains(_ compressed: Int64, from bytes: Int64) -> Bool {
        compressed <= bytes - bytes / 20 && compressed < bytes
    }
}

/// CRC-32, as zip has it.
struct CRC32 {
    private(set) var value: UInt32 = 0

    mutating func update(_ piece: UnsafeRawBufferPointer) {
        value = UInt32(
            truncatingIfNeeded: crc32_z(UInt(value), piece.bindMemory(to: UInt8.self).baseAddress, piece.count))
    }
}

/// What compressed data of others comes to, which does not say how long it is.
package enum Inflation {
    /// The bytes of a stream of zlib's own form, whatever stands behind it; nil if it cannot be read or is longer than may be.
    package static func bytes(of stream: [UInt8], atMost most: Int) -> [UInt8]? {
        bytes(of: stream, .zlib, atMost: most)
    }

    static func bytes(of stream: [UInt8], _ form: DeflateForm, atMost most: Int) -> [UInt8]? {
        var made: [UInt8] = []
        return inflate(stream, form, atMost: most) { made += $0 } == nil ? nil : made
    }

    /// How many bytes a stream of zlib's own form comes to; nil if it cannot be read, or is cut off or longer than may be.
    package static func count(of stream: [UInt8], atMost most: Int) -> Int? {
        inflate(stream, .zlib, atMost: most) { _ in }
    }

    private static func inflate(
        _ stream: [UInt8], _ form: DeflateForm, atMost most: Int, _ sink: (UnsafeRawBufferPointer) -> Void
    ) -> Int? {
        guard let decompressor = try? Decompressor(form) else { return nil }
        var count = 0
        do {
            try stream.withUnsafeBytes { stored in
                try decompressor.add(stored) { piece in
                    count += piece.count
                    guard count <= most else { throw ContentError(.tooLarge, "it is too long") }
                    sink(piece)
                }
            }
        } catch let error as ContentError {
            // Others put an end of line behind it.
            guard error.code == .damaged, decompressor.isComplete else { return nil }
        } catch {
            return nil
        }
        return decompressor.isComplete ? count : nil
    }
}
