import CZlib

/// Makes the format of gzip. One of them belongs to one task.
final class Deflater {
    // zlib keeps the address of its state, so that it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// Nil if zlib has no memory.
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

    /// What comes out for a piece; all of it if the reader shall not wait for the next.
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
