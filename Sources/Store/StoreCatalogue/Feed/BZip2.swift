import CBZip2

/// Why something cannot be compressed or read again.
struct BZip2Error: Error, Hashable, CustomStringConvertible {
    /// What libbz2 says.
    let number: Int32
    let description: String

    init(_ number: Int32, _ doing: String) {
        self.number = number
        description = "\(doing): libbz2 says \(number)"
    }
}

/// Compresses to bzip2, in memory that does not depend on how much it is. For use by one thread.
final class BZip2Compressor {
    // libbz2 keeps the address of its state, so it must not move.
    private let stream = UnsafeMutablePointer<bz_stream>.allocate(capacity: 1)
    /// In hundreds of thousands of bytes: the usual size of blocks, for which every reader has room.
    private static let blockSize: Int32 = 9

    init() throws(BZip2Error) {
        stream.initialize(to: bz_stream())
        let result = BZ2_bzCompressInit(stream, Self.blockSize, 0, 0)
        guard result == BZ_OK else { throw BZip2Error(result, "beginning to compress") }
    }

    deinit {
        BZ2_bzCompressEnd(stream)
        stream.deallocate()
    }

    /// Hands over what comes of a piece, which may be nothing yet; with the last piece all of it.
    func compress(_ piece: [UInt8], isLast: Bool, _ output: ([UInt8]) throws -> Void) throws {
        var piece = piece
        try piece.withUnsafeMutableBytes { input in
            stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: CChar.self)
            stream.pointee.avail_in = UInt32(input.count)
            defer { stream.pointee.next_in = nil }
            var result = BZ_OK
            while isLast ? result != BZ_STREAM_END : stream.pointee.avail_in > 0 {
                let made = BZip2Piece.fill(stream) { BZ2_bzCompress(stream, isLast ? BZ_FINISH : BZ_RUN) }
                result = made.result
                guard [BZ_RUN_OK, BZ_FINISH_OK, BZ_STREAM_END].contains(result) else {
                    throw BZip2Error(result, "compressing")
                }
                if !made.bytes.isEmpty { try output(made.bytes) }
            }
        }
    }
}

/// Reads bzip2, in memory that does not depend on how much it is. For use by one thread.
final class BZip2Reader {
    private let stream = UnsafeMutablePointer<bz_stream>.allocate(capacity: 1)
    private(set) var isAtEnd = false

    init() throws(BZip2Error) {
        stream.initialize(to: bz_stream())
        let result = BZ2_bzDecompressInit(stream, 0, 0)
        guard result == BZ_OK else { throw BZip2Error(result, "beginning to read what is compressed") }
    }

    deinit {
        BZ2_bzDecompressEnd(stream)
        stream.deallocate()
    }

    /// What a piece becomes. After the end nothing comes any more.
    func read(_ piece: [UInt8]) throws(BZip2Error) -> [UInt8] {
        var output: [UInt8] = []
        var failure: BZip2Error?
        var piece = piece
        piece.withUnsafeMutableBytes { input in
            stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: CChar.self)
            stream.pointee.avail_in = UInt32(input.count)
            defer { stream.pointee.next_in = nil }
            var isFull = false
            while !isAtEnd, failure == nil, stream.pointee.avail_in > 0 || isFull {
                let made = BZip2Piece.fill(stream) { BZ2_bzDecompress(stream) }
                isAtEnd = made.result == BZ_STREAM_END
                isFull = stream.pointee.avail_out == 0
                if made.result != BZ_OK, !isAtEnd { failure = BZip2Error(made.result, "reading what is compressed") }
                output += made.bytes
            }
        }
        if let failure { throw failure }
        return output
    }
}

/// Room for what a call of libbz2 gives.
private enum BZip2Piece {
    private static let bytes = 64 * 1024

    static func fill(_ stream: UnsafeMutablePointer<bz_stream>, _ call: () -> Int32) -> (bytes: [UInt8], result: Int32)
    {
        var result = BZ_OK
        let made = [UInt8](unsafeUninitializedCapacity: bytes) { buffer, count in
            stream.pointee.next_out = UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
            stream.pointee.avail_out = UInt32(buffer.count)
            result = call()
            count = buffer.count - Int(stream.pointee.avail_out)
            stream.pointee.next_out = nil
        }
        return (made, result)
    }
}
