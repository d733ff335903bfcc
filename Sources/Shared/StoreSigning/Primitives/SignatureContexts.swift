import COpenSSL
import Synchronization

/// Ready-made OpenSSL contexts for one key and one direction, used by one caller at a time.
///
/// Preparing a context costs more than a tenth of a P-256 signature; a prepared one can be used any number of times.
// Safe: the pool is behind a mutex, and a context in use belongs to one caller alone.
final class SignatureContexts: @unchecked Sendable {
    enum Direction { case signing, verifying }

    /// One prepared key context and a digest context to work in.
    struct Context {
        let key: OpaquePointer
        let digest: OpaquePointer
    }

    private let handle: KeyHandle
    private let digest: DigestAlgorithm
    private let direction: Direction
    // Safe: the pointers inside move between caller and pool under the mutex.
    private struct Idle: @unchecked Sendable { var contexts: [Context] = [] }
    private let idle = Mutex(Idle())

    init(_ handle: KeyHandle, _ direction: Direction, digest: DigestAlgorithm) {
        self.handle = handle
        self.direction = direction
        self.digest = digest
    }

    deinit {
        for context in idle.withLock({ $0.contexts }) { Self.free(context) }
    }

    func withContext<Result>(_ body: (Context) throws -> Result) throws -> Result {
        let context = try idle.withLock { $0.contexts.popLast() } ?? make()
        defer { release(context) }
        return try body(context)
    }

    private func release(_ context: Context) {
        let kept = idle.withLock { idle in
            guard idle.contexts.count < SigningLimits.idleContextsPerKey else { return false }
            idle.contexts.append(context)
            return true
        }
        if !kept { Self.free(context) }
    }

    private func make() throws -> Context {
        let key = try OpenSSLFailure.unwrap(EVP_PKEY_CTX_new(handle.pointer, nil), "making a key context")
        guard let scratch = EVP_MD_CTX_new() else {
            EVP_PKEY_CTX_free(key)
            throw OpenSSLFailure.error("making a digest context")
        }
        let context = Context(key: key, digest: scratch)
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

    private static func free(_ context: Context) {
        EVP_PKEY_CTX_free(context.key)
        EVP_MD_CTX_free(context.digest)
    }
}

/// The two forms of a P-256 signature: DER, as OpenSSL and X.509 have it, and `r‖s`, as JWS has it.
package enum ECDSASignature {
    /// The number r of a signature in DER, which each signing draws anew. Who has a signature but no key can write it with
    /// another s, and not with another r.
    package static func nonce(of der: [UInt8]) -> [UInt8]? {
        var raw = [UInt8](repeating: 0, count: 64)
        return raw.withUnsafeMutableBytes { writeRaw(of: der, into: $0) } ? Array(raw[..<32]) : nil
    }

    static let rawByteCount = 64
    private static let integerByteCount = 32

    /// Writes `r‖s` from DER made by OpenSSL. Returns false if the DER is not two integers of at most 32 bytes.
    static func writeRaw(of der: [UInt8], into output: UnsafeMutableRawBufferPointer) -> Bool {
        guard der.count >= 2, der[0] == 0x30, Int(der[1]) == der.count - 2, output.count == rawByteCount else {
            return false
        }
        var position = 2
        for half in 0..<2 {
            guard position + 2 <= der.count, der[position] == 0x02 else { return false }
            var count = Int(der[position + 1])
            position += 2
            guard count > 0, position + count <= der.count else { return false }
            let end = position + count
            while count > 1, der[position] == 0 {
                position += 1
                count -= 1
            }
            guard count <= integerByteCount else { return false }
            let start = half * integerByteCount
            for index in 0..<(integerByteCount - count) { output[start + index] = 0 }
            for index in 0..<count { output[start + integerByteCount - count + index] = der[position + index] }
            position = end
        }
        return position == der.count
    }

    /// DER from `r‖s`.
    package static func der(fromRaw raw: [UInt8]) -> [UInt8]? {
        guard raw.count == rawByteCount else { return nil }
        var der: [UInt8] = [0x30, 0]
        der.reserveCapacity(rawByteCount + 8)
        for half in [raw[..<integerByteCount], raw[integerByteCount...]] {
            let digits = half.drop { $0 == 0 }
            let needsZero = (digits.first ?? 0x80) & 0x80 != 0
            der.append(0x02)
            der.append(UInt8(digits.count + (needsZero ? 1 : 0)))
            if needsZero { der.append(0) }
            der.append(contentsOf: digits)
        }
        der[1] = UInt8(der.count - 2)
        return der
    }
}
