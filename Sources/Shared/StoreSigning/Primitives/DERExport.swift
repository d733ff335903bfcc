import COpenSSL

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
