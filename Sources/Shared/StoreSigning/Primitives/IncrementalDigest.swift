import COpenSSL

/// The digest of a content that comes in pieces.
package final class IncrementalDigest {
    private let context: OpaquePointer
    private let algorithm: DigestAlgorithm

    package init(_ algorithm: DigestAlgorithm) throws {
        guard let context = EVP_MD_CTX_new() else { throw OpenSSLFailure.error("computing a digest") }
        self.context = context
        self.algorithm = algorithm
        try OpenSSLFailure.check(EVP_DigestInit_ex(context, algorithm.implementation, nil), "computing a digest")
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Adds a piece.
    package func update(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes {
            try OpenSSLFailure.check(EVP_DigestUpdate(context, $0.baseAddress, $0.count), "computing a digest")
        }
    }

    /// The digest of all pieces; the object then begins anew.
    package func finish() throws -> [UInt8] {
        var output = [UInt8](repeating: 0, count: algorithm.byteCount)
        try OpenSSLFailure.check(EVP_DigestFinal_ex(context, &output, nil), "computing a digest")
        try OpenSSLFailure.check(EVP_DigestInit_ex(context, algorithm.implementation, nil), "computing a digest")
        return output
    }
}
