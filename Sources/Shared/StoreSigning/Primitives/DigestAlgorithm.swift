import COpenSSL

/// The digest algorithms that receipts, tokens and certificates are made with.
package enum DigestAlgorithm: Hashable, Sendable {
    // Closed: the formats use only these; SHA-1 only in old receipts, device hashes and iOS 6 receipts, and MD5 only beside the
    // archives of the partner feed, where it tells whether one arrived whole.
    case md5, sha1, sha256, sha384

    package var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        }
    }

    /// The algorithm fetched once from OpenSSL; nil only where the provider lacks it.
    var implementation: OpaquePointer? {
        switch self {
        case .md5: Self.fetched.md5
        case .sha1: Self.fetched.sha1
        case .sha256: Self.fetched.sha256
        case .sha384: Self.fetched.sha384
        }
    }

    /// Digest of some bytes.
    package func digest(_ bytes: some Sequence<UInt8>) throws -> [UInt8] {
        let direct = try bytes.withContiguousStorageIfAvailable { try digest(memory: UnsafeRawBufferPointer($0)) }
        if let direct { return direct }
        return try Array(bytes).withUnsafeBytes { try digest(memory: $0) }
    }

    /// Digest of a region of memory.
    func digest(memory bytes: UnsafeRawBufferPointer) throws -> [UInt8] {
        var output = [UInt8](repeating: 0, count: byteCount)
        var length = UInt32(byteCount)
        try OpenSSLFailure.check(
            EVP_Digest(bytes.baseAddress, bytes.count, &output, &length, implementation, nil), "computing a digest")
        return output
    }

    /// Digest of some bytes, computed in `scratch`, a context that the caller owns and reuses.
    func digest(_ bytes: some Sequence<UInt8>, scratch: OpaquePointer) throws -> [UInt8] {
        let direct = try bytes.withContiguousStorageIfAvailable {
            try digest(memory: UnsafeRawBufferPointer($0), scratch: scratch)
        }
        if let direct { return direct }
        return try Array(bytes).withUnsafeBytes { try digest(memory: $0, scratch: scratch) }
    }

    private func digest(memory bytes: UnsafeRawBufferPointer, scratch: OpaquePointer) throws -> [UInt8] {
        var output = [UInt8](repeating: 0, count: byteCount)
        guard EVP_DigestInit_ex(scratch, implementation, nil) == 1,
            EVP_DigestUpdate(scratch, bytes.baseAddress, bytes.count) == 1,
            EVP_DigestFinal_ex(scratch, &output, nil) == 1
        else { throw OpenSSLFailure.error("computing a digest") }
        return output
    }

    // Safe: immutable after its first use, and OpenSSL shares fetched algorithms between threads.
    private struct Fetched: @unchecked Sendable {
        let md5 = EVP_MD_fetch(nil, "MD5", nil)
        let sha1 = EVP_MD_fetch(nil, "SHA1", nil)
        let sha256 = EVP_MD_fetch(nil, "SHA256", nil)
        let sha384 = EVP_MD_fetch(nil, "SHA384", nil)
    }
    private static let fetched = Fetched()
}

/// A digest over consecutive pieces, for data too large to be in memory at once.
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

    /// The digest of everything taken in. The last call.
    package func finish() throws -> [UInt8] {
        var output = [UInt8](repeating: 0, count: algorithm.byteCount)
        try OpenSSLFailure.check(EVP_DigestFinal_ex(context, &output, nil), "computing a digest")
        return output
    }
}

/// The state of SHA-256 after a constant beginning, so that many messages with that beginning hash only their end.
///
/// The header of every JWS under one chain is the same 3 KB; for a short payload, hashing it would take longer than
/// everything but the curve.
// Safe: the context is never changed after init; each use copies it into a context of its own.
final class HashPrefix: @unchecked Sendable {
    private let context: OpaquePointer

    init(_ prefix: UnsafeRawBufferPointer) throws {
        context = try OpenSSLFailure.unwrap(EVP_MD_CTX_new(), "making a digest context")
        // All properties are set: an error runs deinit.
        try OpenSSLFailure.check(
            EVP_DigestInit_ex(context, DigestAlgorithm.sha256.implementation, nil), "starting a digest")
        try OpenSSLFailure.check(EVP_DigestUpdate(context, prefix.baseAddress, prefix.count), "hashing a prefix")
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// SHA-256 of prefix and rest, computed in `scratch`, a context that the caller owns and reuses.
    func digest(_ rest: UnsafeRawBufferPointer, scratch: OpaquePointer, into output: UnsafeMutablePointer<UInt8>) throws
    {
        guard EVP_MD_CTX_copy_ex(scratch, context) == 1,
            EVP_DigestUpdate(scratch, rest.baseAddress, rest.count) == 1,
            EVP_DigestFinal_ex(scratch, output, nil) == 1
        else { throw OpenSSLFailure.error("hashing") }
    }
}
