import COpenSSL

/// The state of SHA-256 after a constant beginning, so that many messages with that beginning hash only their end.
///
/// The header of every JWS under one chain is the same 3 KB; a signature over a short payload would otherwise spend
/// more time on hashing it than on everything else but the curve.
// Safe: the context is never changed after init; each use copies it into a context of its own.
final class HashPrefix: @unchecked Sendable {
    private let context: OpaquePointer

    init(_ prefix: UnsafeRawBufferPointer) throws {
        context = try OpenSSLFailure.unwrap(EVP_MD_CTX_new(), "making a digest context")
        // From here on the instance is whole: an error ends it through deinit.
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
