import COpenSSL

/// Random bytes from OpenSSL's generator, which seeds itself from the kernel.
package struct RandomBytes: Sendable {
    package init() {}

    /// As many unpredictable bytes as asked for.
    package func callAsFunction(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try OpenSSLFailure.check(RAND_bytes(&bytes, Int32(count)), "drawing random bytes")
        return bytes
    }
}
