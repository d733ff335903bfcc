import CZlib

/// Compresses to gzip. For use by one task.
final class Deflater {
    // zlib keeps the address of its state, so it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// nil if zlib has no memory.
    init?(level: Int32 = 6) {
        stream.initialize(to: z_stream())
        guard till_gzip_begin(stream, level) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// The output for a piece; all of it if the reader must not wait for the next.
    func deflate(_ piece: [UInt8], isLast: Bool) -> [UInt8] {
        var output: [UInt8] = []
        var input = piece
        input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                output += produce { CZlib.deflate(stream, isLast ? Z_FINISH : Z_SYNC_FLUSH) }
            } while stream.pointee.avail_out == 0
            stream.pointee.next_in = nil
        }
        return output
    }

    private func produce(_ run: () -> Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
            stream.pointee.next_out = buffer.baseAddress
            stream.pointee.avail_out = UInt32(buffer.count)
            _ = run()
            count = buffer.count - Int(stream.pointee.avail_out)
        }
    }

    /// All of it at once; nil if zlib has no memory.
    static func gzip(_ bytes: [UInt8]) -> [UInt8]? { Deflater()?.deflate(bytes, isLast: true) }
}

/// Decompresses gzip, up to a limit: one member, or several concatenated ones (RFC 1952 §2.2). For use by one task.
final class Inflater {
    /// Why it cannot be read.
    enum Refusal: Error {
        case malformed, tooLarge
    }

    // zlib keeps the address of its state, so it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let limit: Int
    private var made = 0
    /// Whether what was read so far ends with the end of a member.
    private(set) var isComplete = false

    /// nil if zlib has no memory.
    init?(limit: Int) {
        self.limit = limit
        stream.initialize(to: z_stream())
        guard till_gunzip_begin(stream) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// The output for a piece.
    func inflate(_ piece: [UInt8]) throws(Refusal) -> [UInt8] {
        if isComplete, piece.isEmpty { return [] }
        var output: [UInt8] = []
        var input = piece
        var refusal: Refusal?
        input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                refusal = step(&output)
            } while refusal == nil && (stream.pointee.avail_in > 0 || !isComplete && stream.pointee.avail_out == 0)
            stream.pointee.next_in = nil
        }
        if let refusal { throw refusal }
        return output
    }

    private func step(_ output: inout [UInt8]) -> Refusal? {
        // Bytes after the end of a member are the next one.
        if isComplete { inflateReset(stream) }
        var result = Z_OK
        output += [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
            stream.pointee.next_out = buffer.baseAddress
            stream.pointee.avail_out = UInt32(buffer.count)
            result = CZlib.inflate(stream, Z_NO_FLUSH)
            count = buffer.count - Int(stream.pointee.avail_out)
            made += count
        }
        isComplete = result == Z_STREAM_END
        guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { return .malformed }
        return made > limit ? .tooLarge : nil
    }

    /// All of it at once.
    static func gunzip(_ bytes: [UInt8], limit: Int) throws(Refusal) -> [UInt8] {
        guard let inflater = Inflater(limit: limit) else { throw .tooLarge }
        let output = try inflater.inflate(bytes)
        guard inflater.isComplete else { throw .malformed }
        return output
    }
}
