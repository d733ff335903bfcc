import COpenSSL

/// The digest algorithms that receipts, tokens and certificates are made with.
package enum DigestAlgorithm: Hashable, Sendable {
    // Closed: these three are all that the formats know; SHA-1 only in old receipts, device hashes and iOS 6 receipts.
    case sha1, sha256, sha384

    package var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        }
    }

    /// The algorithm fetched once from OpenSSL; nil only where the provider lacks it.
    var implementation: OpaquePointer? {
        switch self {
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
        let sha1 = EVP_MD_fetch(nil, "SHA1", nil)
        let sha256 = EVP_MD_fetch(nil, "SHA256", nil)
        let sha384 = EVP_MD_fetch(nil, "SHA384", nil)
    }
    private static let fetched = Fetched()
}
