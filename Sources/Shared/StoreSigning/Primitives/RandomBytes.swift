import COpenSSL

/// Random bytes: of OpenSSL's generator, which seeds itself from the kernel, unless another source is handed in.
package struct RandomBytes: Sendable {
    private let source: @Sendable (_ count: Int) throws -> [UInt8]

    package init() {
        self.init { count in
            var bytes = [UInt8](repeating: 0, count: count)
            try OpenSSLFailure.check(RAND_bytes(&bytes, Int32(count)), "drawing random bytes")
            return bytes
        }
    }

    package init(_ source: @escaping @Sendable (_ count: Int) throws -> [UInt8]) {
        self.source = source
    }

    /// As many unpredictable bytes as asked for.
    package func callAsFunction(_ count: Int) throws -> [UInt8] { try source(count) }
}
