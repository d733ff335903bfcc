import COpenSSL

/// Turns OpenSSL's thread-local error queue into a ``SigningError``, and keeps that queue empty between calls.
enum OpenSSLFailure {
    /// Returns the newest reason in the queue and empties it.
    static func takeReason() -> String {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0 else { return "no reason given" }
        var text = [CChar](repeating: 0, count: 256)
        ERR_error_string_n(code, &text, text.count)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The error to throw when an OpenSSL call that should succeed did not.
    static func error(_ action: String, code: SigningError.Code = .cryptography) -> SigningError {
        SigningError(code, "\(action): \(takeReason())")
    }

    /// Throws unless an OpenSSL call answered 1, its sign of success.
    static func check(_ result: Int32, _ action: @autoclosure () -> String) throws {
        if result != 1 { throw error(action()) }
    }

    /// Unwraps what an OpenSSL constructor returned.
    static func unwrap<Pointer>(_ pointer: Pointer?, _ action: @autoclosure () -> String) throws -> Pointer {
        guard let pointer else { throw error(action()) }
        return pointer
    }
}

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

/// Calls one of OpenSSL's `i2d_…` functions, which allocate what they write.
enum DERExport {
    static func bytes(
        _ action: @autoclosure () -> String,
        _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
    ) throws -> [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = write(&start)
        guard count > 0, let start else { throw OpenSSLFailure.error(action()) }
        defer { CRYPTO_free(start, #fileID, #line) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }
}
