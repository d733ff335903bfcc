import COpenSSL

/// A digest over pieces that come one after the other, for what is too large to be in memory at once.
package final class RunningDigest {
    private let context: OpaquePointer
    private let algorithm: DigestAlgorithm

    package init(_ algorithm: DigestAlgorithm) throws {
        self.algorithm = algorithm
        context = try OpenSSLFailure.unwrap(EVP_MD_CTX_new(), "computing a digest")
        guard EVP_DigestInit_ex(context, algorithm.implementation, nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw OpenSSLFailure.error("computing a digest")
        }
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Takes in the next piece.
    package func update(_ bytes: UnsafeRawBufferPointer) throws {
        try OpenSSLFailure.check(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count), "computing a digest")
    }

    /// Takes in the next piece.
    package func update(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try update($0) }
    }

    /// The digest of everything taken in; nothing can be taken in afterwards.
    package func finish() throws -> [UInt8] {
        var output = [UInt8](repeating: 0, count: algorithm.byteCount)
        try OpenSSLFailure.check(EVP_DigestFinal_ex(context, &output, nil), "computing a digest")
        return output
    }
}
