import COpenSSL
import Synchronization

/// Ready-made OpenSSL contexts for one key and one direction, lent to one caller at a time.
///
/// Preparing a context costs more than a tenth of a P-256 signature; a prepared one can be used any number of times.
// Safe: the pool is behind a mutex, and a lent context belongs to its borrower alone.
final class SignatureContexts: @unchecked Sendable {
    enum Direction { case signing, verifying }

    /// One prepared key context and a digest context to work in.
    struct Lent {
        let key: OpaquePointer
        let digest: OpaquePointer
    }

    private let handle: KeyHandle
    private let digest: DigestAlgorithm
    private let direction: Direction
    // Safe: the pointers inside are handed from borrower to pool and back under the mutex.
    private struct Idle: @unchecked Sendable { var contexts: [Lent] = [] }
    private let idle = Mutex(Idle())

    init(_ handle: KeyHandle, _ direction: Direction, digest: DigestAlgorithm) {
        self.handle = handle
        self.direction = direction
        self.digest = digest
    }

    deinit {
        for context in idle.withLock({ $0.contexts }) { Self.free(context) }
    }

    func withContext<Result>(_ body: (Lent) throws -> Result) throws -> Result {
        let context = try idle.withLock { $0.contexts.popLast() } ?? make()
        defer { giveBack(context) }
        return try body(context)
    }

    private func giveBack(_ context: Lent) {
        let kept = idle.withLock { idle in
            guard idle.contexts.count < SigningLimits.idleContextsPerKey else { return false }
            idle.contexts.append(context)
            return true
        }
        if !kept { Self.free(context) }
    }

    private func make() throws -> Lent {
        let key = try OpenSSLFailure.unwrap(EVP_PKEY_CTX_new(handle.pointer, nil), "making a key context")
        guard let scratch = EVP_MD_CTX_new() else {
            EVP_PKEY_CTX_free(key)
            throw OpenSSLFailure.error("making a digest context")
        }
        let context = Lent(key: key, digest: scratch)
        do {
            try prepare(key)
        } catch {
            Self.free(context)
            throw error
        }
        return context
    }

    private func prepare(_ key: OpaquePointer) throws {
        switch direction {
        case .signing: try OpenSSLFailure.check(EVP_PKEY_sign_init(key), "preparing to sign")
        case .verifying: try OpenSSLFailure.check(EVP_PKEY_verify_init(key), "preparing to verify")
        }
        if handle.algorithm == .rsa {
            try OpenSSLFailure.check(
                EVP_PKEY_CTX_set_rsa_padding(key, RSA_PKCS1_PADDING), "choosing the RSA padding")
        }
        try OpenSSLFailure.check(
            EVP_PKEY_CTX_set_signature_md(key, digest.implementation), "choosing the digest of a signature")
    }

    private static func free(_ context: Lent) {
        EVP_PKEY_CTX_free(context.key)
        EVP_MD_CTX_free(context.digest)
    }
}
