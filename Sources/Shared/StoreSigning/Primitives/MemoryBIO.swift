import COpenSSL

/// An OpenSSL stream in memory.
final class MemoryBIO {
    let pointer: OpaquePointer

    /// An empty stream to write to.
    init() throws {
        pointer = try OpenSSLFailure.unwrap(BIO_new(BIO_s_mem()), "making a memory stream")
    }

    /// A stream that holds a copy of some bytes.
    convenience init(_ bytes: [UInt8]) throws {
        try self.init()
        let written = BIO_write(pointer, bytes, Int32(bytes.count))
        if written != Int32(bytes.count) { throw OpenSSLFailure.error("filling a memory stream") }
    }

    deinit {
        BIO_free(pointer)
    }

    var bytes: [UInt8] {
        var start: UnsafeMutablePointer<CChar>?
        let count = till_bio_memory(pointer, &start)
        guard let start, count > 0 else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}
